/// The reason why a text is not CSV.
struct CSVError: Error, Equatable, CustomStringConvertible {
  var problem: String
  /// The line number, counted from 1. For a record of several lines, the number of its first line.
  var line: Int

  var description: String { "invalid CSV at line \(line): \(problem)" }
}

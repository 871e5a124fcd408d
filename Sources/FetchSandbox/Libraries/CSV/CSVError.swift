/// The reason why a text is not CSV.
struct CSVError: Error, Equatable, CustomStringConvertible {
  var problem: String
  /// The line, from 1; the first one of a record that spans several.
  var line: Int

  var description: String { "invalid CSV at line \(line): \(problem)" }
}

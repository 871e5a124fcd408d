/// Why a text is not CSV.
struct CSVError: Error, Equatable, CustomStringConvertible {
  var problem: String
  /// From 1; of a record that spans several lines the first.
  var line: Int

  var description: String { "invalid CSV at line \(line): \(problem)" }
}

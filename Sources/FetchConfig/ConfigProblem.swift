import FetchModel

/// One thing that is wrong with a config file. Lines and columns count from 1; 0 where unknown.
package struct ConfigProblem: Error, Equatable, Sendable {
  package var file: String
  package var line: Int
  package var column: Int
  /// What is wrong and what to do.
  package var message: String

  package init(file: String, line: Int = 0, column: Int = 0, _ message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }
}

extension ConfigProblem: CustomStringConvertible {
  package var description: String {
    line == 0 ? "\(file): \(message)" : "\(file):\(line):\(column): \(message)"
  }
}

extension ConfigProblem {
  /// `{"file":…,"line":…,"column":…,"message":…}`; line and column are null where unknown.
  package var json: String {
    let object: Value = [
      "file": .string(file), "line": line == 0 ? .null : .integer(Int64(line)),
      "column": column == 0 ? .null : .integer(Int64(column)), "message": .string(message),
    ]
    return (try? JSONWriter.text(object)) ?? "{}"
  }
}

import FetchValues

/// One mistake in a config file. Lines and columns count from 1, and are 0 if unknown.
package struct ConfigProblem: Error, Equatable, Sendable {
  package var file: String
  package var line: Int
  package var column: Int
  /// The mistake and what to do.
  package var message: String
  /// Whether it may be intended, and prevents nothing from running.
  package var isWarning = false

  package init(file: String, line: Int = 0, column: Int = 0, _ message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }
}

extension ConfigProblem: CustomStringConvertible {
  package var description: String {
    let place = line == 0 ? file : "\(file):\(line):\(column)"
    return "\(place): \(isWarning ? "warning: " : "")\(message)"
  }
}

extension ConfigProblem {
  /// `{"file":…,"line":…,"column":…,"message":…}`; line and column are null if unknown. A warning
  /// also has `"warning":true`.
  package var json: String {
    var object = ValueObject([
      ("file", .string(file)), ("line", line == 0 ? .null : .integer(Int64(line))),
      ("column", column == 0 ? .null : .integer(Int64(column))), ("message", .string(message)),
    ])
    if isWarning { object.append("warning", true) }
    return (try? JSONWriter.text(.object(object))) ?? "{}"
  }
}

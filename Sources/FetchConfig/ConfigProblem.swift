import FetchValues

/// A problem with a config file, or with another file that fetchrun reads or writes. The line and
/// the column are counted from 1, and are 0 if unknown.
package struct ConfigProblem: Error, Equatable, Sendable {
  package var file: String
  package var line: Int
  package var column: Int
  /// The message: what is wrong and what to do.
  package var message: String
  /// Whether the problem is only a warning. The setting may be intended, and the config is used in
  /// spite of the warning.
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
  /// The problem as JSON: `{"file":…,"line":…,"column":…,"message":…}`. The line and the column are
  /// null if unknown. A warning also has `"warning":true`.
  package var json: String {
    var object = ValueObject([
      ("file", .string(file)), ("line", line == 0 ? .null : .integer(Int64(line))),
      ("column", column == 0 ? .null : .integer(Int64(column))), ("message", .string(message)),
    ])
    if isWarning { object.append("warning", true) }
    return (try? JSONWriter.text(.object(object))) ?? "{}"
  }
}

/// A place in a config file. The line and the column are counted from 1, and are 0 if unknown.
package struct ConfigPlace: Equatable, Sendable {
  package var line = 0
  package var column = 0

  package init(line: Int = 0, column: Int = 0) {
    self.line = line
    self.column = column
  }
}

/// The problems of a config or a test case, which may be in several files. If this error is thrown,
/// there is at least one problem.
package struct ConfigProblems: Error, Equatable, Sendable {
  package var all: [ConfigProblem]

  package init(_ all: [ConfigProblem]) { self.all = all }

  /// Returns these problems together with `others`, grouped by file and sorted by line. If one of
  /// the two lists is empty, the other list is returned unchanged.
  package func adding(_ others: [ConfigProblem]) -> ConfigProblems {
    if others.isEmpty || all.isEmpty { return ConfigProblems(all + others) }
    var files: [String] = []
    for problem in all + others where !files.contains(problem.file) { files.append(problem.file) }
    let inOrder = files.flatMap { file in
      (all + others).enumerated().filter { $0.element.file == file }.sorted {
        ($0.element.line, $0.element.column, $0.offset)
          < ($1.element.line, $1.element.column, $1.offset)
      }.map(\.element)
    }
    return ConfigProblems(inOrder)
  }
}

extension ConfigProblems: CustomStringConvertible {
  /// All problems on one line, for messages that cannot show each problem separately.
  package var description: String { all.map(\.description).joined(separator: "; ") }
}

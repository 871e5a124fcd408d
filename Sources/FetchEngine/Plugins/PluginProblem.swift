import FetchModel

/// One mistake in a plugin's file. Lines count from 1.
package struct PluginProblem: Equatable, Sendable {
  package var file: String
  package var line: Int?
  /// What is wrong and what to do.
  package var message: String
}

extension PluginProblem: CustomStringConvertible {
  package var description: String {
    line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
  }
}

/// Everything that is wrong with a plugin's file; never empty.
package struct PluginProblems: Error, Equatable, Sendable {
  package var all: [PluginProblem]
}

extension PluginProblem {
  /// `{"file":…,"line":…,"message":…}`; the line is null where it is not known.
  package var json: String {
    let object: Value = [
      "file": .string(file), "line": line.map { .integer(Int64($0)) } ?? .null,
      "message": .string(message),
    ]
    return (try? JSONWriter.text(object)) ?? "{}"
  }
}

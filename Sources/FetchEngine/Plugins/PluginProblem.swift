package import FetchModel
import FetchValues

/// One mistake in a plugin's file. The first line of the file has the number 1.
package struct PluginProblem: Equatable, Sendable {
  package var file: String
  package var line: Int?
  /// The message: what is wrong and what to do.
  package var message: String
  /// Whether the problem is only a warning. The code then works, and the author may have intended
  /// it.
  package var isWarning = false

  package init(file: String, line: Int? = nil, message: String, isWarning: Bool = false) {
    self.file = file
    self.line = line
    self.message = message
    self.isWarning = isWarning
  }
}

extension PluginProblem: CustomStringConvertible {
  package var description: String {
    (line.map { "\(file):\($0): " } ?? "\(file): ") + (isWarning ? "warning: " : "") + message
  }
}

/// The problems of a plugin's file; never empty.
package struct PluginProblems: Error, Equatable, Sendable {
  package var all: [PluginProblem]
  /// Whether the file was not inspected, because no worker process could be started.
  package var isOfHost = false
  /// The reason why this machine can run no plugin; nil if the problems have another cause.
  package var refusal: Failure?
}

extension PluginProblems {
  private static let listedMax = 5

  /// The failure with which the plugin's jobs fail.
  var failure: Failure {
    if all.count == 1, let first = all.first, let line = first.line {
      return Failure(.invalidPlugin, first.message, file: first.file, line: line)
    }
    var texts = all.prefix(Self.listedMax).map(\.description)
    if all.count > texts.count { texts.append("and \(all.count - texts.count) more") }
    return Failure(.invalidPlugin, texts.joined(separator: "; "))
  }
}

extension Failure {
  /// A clause which says that the job's plugin does not load because of this failure.
  package var loadSentence: String {
    "its plugin does not load (\(code.rawValue)): \(message)\(place)"
  }

  /// A clause which says that the hook's file does not load because of this failure.
  package var hookLoadSentence: String { "its file does not load: \(message)\(place)" }

  private var place: String {
    file.map { " (" + $0 + (line.map { ":\($0)" } ?? "") + ")" } ?? ""
  }
}

extension PluginProblem {
  /// The problem as a JSON object: `{"file":…,"line":…,"message":…}`. The line is null if it is
  /// unknown. A warning also has `"warning":true`.
  package var json: String {
    var object = ValueObject([
      ("file", .string(file)), ("line", line.map { .integer(Int64($0)) } ?? .null),
      ("message", .string(message)),
    ])
    if isWarning { object.append("warning", true) }
    return (try? JSONWriter.text(.object(object))) ?? "{}"
  }
}

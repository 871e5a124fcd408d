package import FetchModel
import FetchValues

/// One mistake in a plugin's file. Lines count from 1.
package struct PluginProblem: Equatable, Sendable {
  package var file: String
  package var line: Int?
  /// States what is wrong and what to do.
  package var message: String
  /// Whether the code works and may be intended.
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
  /// Whether the file was not tried at all, because no worker process could be started.
  package var isOfHost = false
  /// The reason why this machine runs no plugin, if that is the cause.
  package var refusal: Failure?
}

extension PluginProblems {
  private static let listedMax = 5

  /// The failure of a job of that plugin.
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
  /// A clause about a job whose plugin does not load, with this reason.
  package var loadSentence: String {
    "its plugin does not load (\(code.rawValue)): \(message)\(place)"
  }

  /// The same about a hook whose file does not load.
  package var hookLoadSentence: String { "its file does not load: \(message)\(place)" }

  private var place: String {
    file.map { " (" + $0 + (line.map { ":\($0)" } ?? "") + ")" } ?? ""
  }
}

extension PluginProblem {
  /// The object `{"file":…,"line":…,"message":…}`; the line is null if it is unknown. A warning
  /// also has `"warning":true`.
  package var json: String {
    var object = ValueObject([
      ("file", .string(file)), ("line", line.map { .integer(Int64($0)) } ?? .null),
      ("message", .string(message)),
    ])
    if isWarning { object.append("warning", true) }
    return (try? JSONWriter.text(.object(object))) ?? "{}"
  }
}

import FetchEngine
import FetchModel
package import FetchValues

/// The result of one case of a plugin.
package struct CaseResult: Equatable, Sendable {
  package enum Verdict: String, Sendable {
    case passed
    case failed
    /// The test replaced the expected result with the actual result.
    case updated
    /// The test could not be completed, for example because the case is unreadable or does not fit
    /// the plugin.
    case bad
  }

  package var plugin: PluginName
  package var name: String
  package var verdict: Verdict
  /// The path of the case's `case.yaml`.
  package var file: String
  /// The problems, such as a request that was not recorded. Each is a text for people.
  package var problems: [String] = []
  /// The difference between the expected and the actual result, for people. Empty unless the case
  /// failed.
  package var diff = ""
  /// The message of the first failure among the expected results; nil if they contain no failure.
  package var expectedFailure: String?
  /// The logged warnings about mistakes in the plugin's code: see `CaseLines.mistakes`. The list
  /// contains these warnings even if the case expects them.
  package var warnings: [String] = []

  /// The result as a JSON object:
  /// `{"plugin":…,"case":…,"result":…,"file":…,"problems":[…],"diff":…}`. It also has `expects` for
  /// an expected failure, and `warnings` if there are any.
  package var json: String {
    var object = ValueObject([
      ("plugin", .string(plugin.text)), ("case", .string(name)),
      ("result", .string(verdict.rawValue)), ("file", .string(file)),
      ("problems", .array(problems.map { .string($0) })), ("diff", .string(diff)),
    ])
    if let expectedFailure { object.append("expects", .string(expectedFailure)) }
    if !warnings.isEmpty { object.append("warnings", .array(warnings.map { .string($0) })) }
    return (try? JSONWriter.text(.object(object))) ?? "{}"
  }
}

/// The result of one run of a case.
struct CaseRun: Sendable {
  var report: RunReport
  var changes: [CaseFileChange]
  /// The transfers that the run queued, in the order of their requests.
  var transfers: [TransferRequest]
}

extension CaseLines {
  mutating func append(_ run: CaseRun) {
    let report = run.report
    for item in report.lines { lines.append(Self.line(of: item)) }
    for transfer in run.transfers { lines.append(Self.line(of: transfer)) }
    for file in run.changes {
      let hash = file.hash.map { Value.string(Hexadecimal.text(of: $0)) } ?? .null
      lines.append(Self.line(["file": .string(file.path), "sha256": hash]))
    }
    append(report.logs, report.record.outcome)
  }
}

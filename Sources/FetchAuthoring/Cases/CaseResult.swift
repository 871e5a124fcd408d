import FetchValues

/// The result of one case of a plugin.
package struct CaseResult: Equatable, Sendable {
  package enum Verdict: String, Sendable {
    case passed
    case failed
    /// The actual result is now the expected one.
    case updated
    /// The case itself is unreadable or does not fit the plugin.
    case bad
  }

  package var plugin: String
  package var name: String
  package var verdict: Verdict
  /// The case's file.
  package var file: String
  /// The problems, one sentence each.
  package var problems: [String] = []
  /// The difference from the expected to the actual result, for people; empty if there is none.
  package var diff = ""
  /// The expected failure of the case's first failing run; nil if no run should fail.
  package var expectedFailure: String?
  /// Warnings of the runs that usually point at a mistake in the plugin, even if they are expected.
  package var warnings: [String] = []

  /// `{"plugin":…,"case":…,"result":…,"file":…,"problems":[…],"diff":…}`, with `expects` for an
  /// expected failure and `warnings` if there are any.
  package var json: String {
    var object = ValueObject([
      ("plugin", .string(plugin)), ("case", .string(name)),
      ("result", .string(verdict.rawValue)), ("file", .string(file)),
      ("problems", .array(problems.map { .string($0) })), ("diff", .string(diff)),
    ])
    if let expectedFailure { object.append("expects", .string(expectedFailure)) }
    if !warnings.isEmpty { object.append("warnings", .array(warnings.map { .string($0) })) }
    return (try? JSONWriter.text(.object(object))) ?? "{}"
  }
}

import FetchValues

/// How one case of a plugin ended.
package struct CaseResult: Equatable, Sendable {
  package enum Verdict: String, Sendable {
    case passed
    case failed
    /// What came is now what is expected.
    case updated
    /// The case itself cannot be read, or does not fit the plugin.
    case bad
  }

  package var plugin: String
  package var name: String
  package var verdict: Verdict
  /// The case's file.
  package var file: String
  /// One sentence each.
  package var problems: [String] = []
  /// From what was expected to what came, for people; empty where nothing differs.
  package var diff = ""
  /// Why the case's first failing run fails, as is expected of it; nil where none is to fail.
  package var expectedFailure: String?
  /// What the runs warned of that is mostly a mistake in the plugin, also where it is expected.
  package var warnings: [String] = []

  /// `{"plugin":…,"case":…,"result":…,"file":…,"problems":[…],"diff":…}`, with `expects` where a
  /// failure is expected, and `warnings` where there are some.
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

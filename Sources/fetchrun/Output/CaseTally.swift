import FetchAuthoring
import FetchEngine
import FetchValues

/// The counts of test cases by their results.
struct CaseTally {
  private var counts: [CaseResult.Verdict: Int] = [:]

  /// The number of passed cases that expect a failure of the plugin.
  private var expectedFailureCount = 0

  mutating func count(_ result: CaseResult) {
    counts[result.verdict, default: 0] += 1
    if result.verdict == .passed, result.expectedFailure != nil { expectedFailureCount += 1 }
  }

  /// The counts for people, such as `40 cases: 39 passed (2 expect a failure), 1 failed`.
  var text: String {
    let verdicts: [CaseResult.Verdict] = [.passed, .updated, .failed, .bad]
    let parts = verdicts.compactMap { verdict in
      counts[verdict].map {
        "\($0) \(verdict == .bad ? "unreadable" : verdict.rawValue)"
          + (verdict == .passed ? expectation : "")
      }
    }
    let all = counted(counts.values.reduce(0, +), "case")
    return parts.isEmpty ? all : "\(all): \(parts.joined(separator: ", "))"
  }

  private var expectation: String {
    switch expectedFailureCount {
    case 0: ""
    case 1: " (1 expects a failure)"
    default: " (\(expectedFailureCount) expect a failure)"
    }
  }
}

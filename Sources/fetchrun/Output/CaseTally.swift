import FetchEngine
import FetchModel

/// How many cases ended how.
struct CaseTally {
  private var counts: [CaseResult.Verdict: Int] = [:]

  mutating func count(_ result: CaseResult) { counts[result.verdict, default: 0] += 1 }

  /// `40 cases: 39 passed, 1 failed`
  var text: String {
    let verdicts: [CaseResult.Verdict] = [.passed, .updated, .failed, .bad]
    let parts = verdicts.compactMap { verdict in
      counts[verdict].map { "\($0) \(verdict == .bad ? "unreadable" : verdict.rawValue)" }
    }
    let all = counted(counts.values.reduce(0, +), "case")
    return parts.isEmpty ? all : "\(all): \(parts.joined(separator: ", "))"
  }
}

import Foundation

/// The results of several policies over the same traces. Waiting times are geometric means over the
/// traces, so that a trace of one busy source does not outweigh ten others. All other results are
/// computed from sums over the traces.
struct TraceMeans {
  private var scores: [String: [TraceScore]] = [:]

  mutating func add(_ policies: [String: TraceScore]) {
    for (policy, score) in policies { scores[policy, default: []].append(score) }
  }

  var text: String {
    var table = Table()
    table.add(
      "of all traces", "min", "feeds min", "values min", "missed %", "requests", "in outages %",
      "noticed outages", "recovered after min")
    for policy in scores.keys.sorted(by: >) {
      table.add(row(policy, scores[policy] ?? []))
    }
    return table.text
  }

  private func row(_ policy: String, _ scores: [TraceScore]) -> [String] {
    let missed = scores.map(\.missedCount).reduce(0, +)
    let reads = scores.map(\.readCount).reduce(0, +)
    let requests = scores.map(\.requestCount).reduce(0, +)
    let failed = scores.map(\.failedCount).reduce(0, +)
    let recoveries = scores.flatMap(\.recoveries)
    let recovered = recoveries.reduce(0, +) / 60 / Double(max(1, recoveries.count))
    return [
      policy, Self.mean(scores.map(\.meanMinutes)).text(2),
      Self.mean(scores.map(\.feeds.meanMinutes)).text(2),
      Self.mean(scores.map(\.values.meanMinutes)).text(2),
      (Double(missed) / Double(max(1, reads)) * 100).text(2), "\(requests)",
      (Double(failed) / Double(max(1, requests)) * 100).text(2), "\(recoveries.count)",
      recovered.text(0),
    ]
  }

  /// Returns the geometric mean of the numbers above zero.
  static func mean(_ numbers: [Double]) -> Double {
    let logs = numbers.filter { $0 > 0 }.map { log($0) }
    return logs.isEmpty ? 0 : exp(logs.reduce(0, +) / Double(logs.count))
  }
}

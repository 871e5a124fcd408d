import FetchSchedule
import FetchValues

/// The results of a simulation of a trace.
package struct TraceSummary: Equatable, Sendable {
  private let trace: Trace
  private var fetchCount = 0
  private var rules: [String: Int] = [:]
  private var meter: DelayMeter

  package init(_ trace: Trace) {
    self.trace = trace
    meter = DelayMeter(trace)
  }

  package mutating func count(_ fetch: SimulatedFetch) {
    fetchCount += 1
    rules[fetch.reason?.rule.rawValue ?? "interval", default: 0] += 1
    meter.count(fetch)
  }

  package var text: String {
    let given = trace.requestsPerHour * trace.duration / 3600
    let share = given > 0 ? Double(fetchCount) / given * 100 : 0
    let why = rules.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    return """
      \(trace.sources.count) sources, \(fetchCount) fetches (\(share.tenths) % of the budget), \
      mean item delay \((meter.meanSeconds / 60).tenths) min
      why: \(why)
      """
  }
}

extension Double {
  /// The number as text with one decimal place.
  fileprivate var tenths: String {
    guard abs(self) < 1e15 else { return "\(self)" }
    let tenths = Int((self * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }
}

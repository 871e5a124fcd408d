/// The degree to which one event makes more events likely.
///
/// The models are self-exciting rates (Hawkes 1971) with several exponential memories; each is
/// trusted as far as it predicted the events. A mean rate r has the intensity `(1 - n) r × shape +
/// Σ n/τ × exp(-age/τ)` over past events.
package struct BurstBelief: Equatable, Sendable {
  /// Decayed event weights, by memory.
  private(set) var sums = [Double](repeating: 0, count: Self.memories.count)
  private(set) var trust = BurstBelief.baseTrust

  /// Seconds after which an event's weight falls to 1/e.
  static let memories = [300.0, 1200.0, 4500.0, 14_400.0]
  /// The mean number of events that one event causes.
  static let branchings = [0.3, 0.7]
  static let count = 1 + memories.count * branchings.count
  /// The prior: events are independent of each other.
  static let baseTrust = [0.6] + [Double](repeating: 0.4 / Double(count - 1), count: count - 1)
  private static let share = 0.01

  package init() {}

  init?(sums: [Double], trust: [Double]) {
    guard sums.count == Self.memories.count, trust.count == Self.count,
      sums.allSatisfy({ $0.isFinite && $0 >= 0 && $0 < 1e6 }),
      trust.allSatisfy({ $0.isFinite && $0 >= 0 && $0 <= 1 })
    else { return nil }
    self.sums = sums
    self.trust = trust
  }

  static func memory(_ model: Int) -> Int { (model - 1) / branchings.count }
  static func branching(_ model: Int) -> Double { branchings[(model - 1) % branchings.count] }

  /// Learns from the events of a stretch of time, in order. `base` is the intensity at each event
  /// without bursts, `expected` its integral over the stretch.
  mutating func learn(
    events: [Double], base: [Double], from start: Double, to end: Double, expected: Double
  ) {
    var logs = [Double](repeating: 0, count: Self.count)
    logs[0] = -expected
    for model in 1..<Self.count { logs[model] = -(1 - Self.branching(model)) * expected }
    var at = start
    for (index, event) in events.enumerated() {
      pass(from: at, to: event, &logs)
      logs[0] += Exponential.log(base[index])
      for model in 1..<Self.count {
        let n = Self.branching(model)
        let memory = Self.memory(model)
        logs[model] += Exponential.log(
          (1 - n) * base[index] + n * sums[memory] / Self.memories[memory])
      }
      for memory in sums.indices { sums[memory] = min(sums[memory] + 1, 1e5) }
      at = event
    }
    pass(from: at, to: end, &logs)
    ModelTrust.judge(&trust, by: logs, base: Self.baseTrust, share: Self.share)
  }

  /// Passes time whose events have unknown times.
  mutating func skip(_ seconds: Double) {
    for memory in sums.indices {
      sums[memory] *= Exponential.exp(-max(seconds, 0) / Self.memories[memory])
    }
  }

  /// Passes time without events.
  private mutating func pass(from start: Double, to end: Double, _ logs: inout [Double]) {
    guard end > start else { return }
    for memory in sums.indices {
      let kept = sums[memory] * Exponential.exp((start - end) / Self.memories[memory])
      for (place, n) in Self.branchings.enumerated() {
        logs[1 + memory * Self.branchings.count + place] -= n * (sums[memory] - kept)
      }
      sums[memory] = kept
    }
  }
}

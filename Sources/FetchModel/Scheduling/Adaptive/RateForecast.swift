/// How many items a job's source is expected to publish, from the time of its last good run on.
package struct RateForecast: ItemForecast {
  /// Items a second, the mean over a week.
  package let itemsPerSecond: Double
  private let clock: WeekClock
  private let from: Double
  /// The shape by hour of the week, without and with what is finer than an hour.
  private let coarse: [Double]
  package private(set) var hourly: [Double]
  private let quarter: [Double]
  private let five: [Double]
  private var bursts: [Burst] = []

  private struct Burst {
    /// Part of the mean rate that is missing at once after silence.
    var missing: Double
    /// Items a second above it, at `from`.
    var excess: Double
    var decay: Double
  }

  /// Less trusted models are left out.
  private static let trustMin = 0.02

  init(
    itemsPerSecond: Double, itemsPerEvent: Double, shapes: WeekShapes, trust: ShapeVector,
    bursts: BurstBelief?, from: Double, clock: WeekClock
  ) {
    self.itemsPerSecond = itemsPerSecond
    self.clock = clock
    self.from = from
    var coarse = [Double](repeating: 0, count: WeekClock.weekHours)
    for index in 0..<WeekShapes.hourlyCount {
      let weight = trust[index]
      let base = index * WeekClock.weekHours
      for hour in 0..<WeekClock.weekHours { coarse[hour] += weight * shapes.hourly[base + hour] }
    }
    quarter = shapes.quarter.map { $0 * trust[4] }
    five = shapes.five.map { $0 * trust[5] }
    hourly = coarse
    for hour in 0..<WeekClock.weekHours {
      let first = hour % 24 * 4
      hourly[hour] +=
        (quarter[first] + quarter[first + 1] + quarter[first + 2] + quarter[first + 3]) / 4
        + trust[5]
    }
    self.coarse = coarse
    guard let bursts else { return }
    for model in 1..<BurstBelief.count where bursts.trust[model] > Self.trustMin {
      let n = BurstBelief.branching(model)
      let memory = BurstBelief.memory(model)
      let tau = BurstBelief.memories[memory]
      let weight = bursts.trust[model]
      self.bursts.append(
        Burst(
          missing: weight * n, excess: weight * itemsPerEvent * n * bursts.sums[memory] / tau,
          decay: (1 - n) / tau))
    }
  }

  /// Items by the shape of the week alone.
  private func regular(from start: Double, to end: Double) -> Double {
    var sum = 0.0
    WeekPieces.forEach(from: start, to: end, clock: clock) { second, length, isWholeHour in
      let hour = min(Int(second / 3600), 167)
      if isWholeHour {
        sum += length * hourly[hour]
      } else {
        sum +=
          length
          * (coarse[hour] + quarter[min(Int(second / 900) % 96, 95)]
            + five[min(Int(second / 300) % 12, 11)])
      }
    }
    return sum * itemsPerSecond
  }

  package func items(from start: Double, to end: Double) -> Double {
    guard end > start else { return 0 }
    let regular = regular(from: start, to: end)
    var items = regular
    for burst in bursts {
      let kept = Exponential.exp((from - start) * burst.decay)
      let gone = (kept - Exponential.exp((from - end) * burst.decay)) / burst.decay
      items += burst.excess * gone - burst.missing * regular * gone / (end - start)
    }
    return max(items, 0)
  }
}

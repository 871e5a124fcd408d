import FetchHost
import FetchSchedule
import Foundation

/// The rates from which a generator of traces has drawn the items of one source. The rates are in
/// steps of five minutes, from the trace's beginning to a week after the trace's end. The rates do
/// not show that a burst has begun.
struct TrueRates {
  private static let step = 300.0
  private static let week = 7 * 86_400.0
  /// The minimum duration in seconds of a state of a source whose items have no dates. Shorter
  /// states do not count as items.
  private static let stateMin = 600.0

  /// The number of items before each step.
  private let sums: [Double]

  init(_ truth: SourceTruth, datesItems: Bool, duration: Double) {
    let steps = Int((duration + Self.week) / Self.step)
    var items = truth.itemsByStep(count: steps, step: Self.step)
    if !datesItems {
      items = items.map { $0 / (1 + $0 / Self.step * Self.stateMin) }
    }
    var sums = [0.0]
    sums.reserveCapacity(steps + 1)
    for count in items { sums.append(sums[sums.count - 1] + count) }
    self.sums = sums
  }

  func items(until time: Double) -> Double {
    let place = min(max(time / Self.step, 0), Double(sums.count - 1))
    let below = min(Int(place), sums.count - 2)
    let share = place - Double(below)
    return sums[below] * (1 - share) + sums[below + 1] * share
  }

  /// Returns the forecast at the given time. The forecast has the mean rate of the following week,
  /// and a factor for each hour of that week.
  func forecast(at now: Double) -> any ItemForecast {
    let all = items(until: now + Self.week) - items(until: now)
    var hourly = [Double](repeating: 1, count: WeekClock.weekHours)
    if all > 0 {
      let first = (now / 3600).rounded(.down)
      for ahead in 0..<WeekClock.weekHours {
        let begin = max(now, (first + Double(ahead)) * 3600)
        let count = items(until: (first + Double(ahead) + 1) * 3600) - items(until: begin)
        let hour = (Int(first) + ahead) % WeekClock.weekHours
        hourly[hour] = count / all * Double(WeekClock.weekHours)
      }
    }
    return TrueForecast(itemsPerSecond: all / Self.week, hourly: hourly, rates: self)
  }
}

private struct TrueForecast: ItemForecast {
  let itemsPerSecond: Double
  let hourly: [Double]
  let rates: TrueRates

  func items(from start: Double, to end: Double) -> Double {
    max(0, rates.items(until: end) - rates.items(until: start))
  }
}

/// The facts about one source that a generator writes beside the trace.
struct SourceTruth: Decodable {
  let id: String
  /// The mean number of items per day, without the factors in `regimes`.
  let rate: Double
  /// The factors by the hour of the day and by the day of the week. Both lists have a mean of 1.
  let day: [Double]
  let week: [Double]
  /// Pairs of a time in seconds and the factor that applies from this time on.
  let regimes: [[Double]]
  let model: String
  let period: Double?
  let phase: Double?
  let jitter: Double?
  let size: Double?
  /// The mean time in seconds from the beginning of a burst to the burst's items.
  let spread: Double?

  private static let bytesMax = 1 << 30

  static func read(_ path: String) throws -> [SourceTruth] {
    let packed = try Data(contentsOf: URL(filePath: path))
    let bytes = try GzipBytes.decode(Array(packed), bytesMax: bytesMax).get()
    return try JSONDecoder().decode([SourceTruth].self, from: Data(bytes))
  }

  private func factor(at time: Double) -> Double {
    regimes.last { $0.count == 2 && $0[0] <= time }?[1] ?? 1
  }

  /// Returns the mean of a Poisson-distributed count in which 0 is replaced by 1. `mean` is the
  /// mean of the Poisson distribution.
  private static func atLeastOne(_ mean: Double) -> Double { mean + exp(-mean) }

  func itemsByStep(count: Int, step: Double) -> [Double] {
    if model == "clock", let period, let phase, let jitter, let size {
      return clockItems(count, step, period: period, phase: phase, jitter: jitter, size: size)
    }
    var items = (0..<count).map { index in
      let time = Double(index) * step
      let hour = Int(time / 3600)
      return rate / 86_400 * step * day[hour % 24] * week[hour / 24 % 7] * factor(at: time)
    }
    guard let size, let spread else { return items }
    let kept = exp(-step / spread)
    var late = 0.0
    for index in items.indices {
      late = kept * late + (1 - kept) * items[index] / size * Self.atLeastOne(size)
      items[index] = late
    }
    return items
  }

  /// Returns the part of a half-normal distribution below the given number of deviations.
  private static func late(_ deviations: Double) -> Double { erf(deviations / 2.squareRoot()) }

  private func clockItems(
    _ count: Int, _ step: Double, period: Double, phase: Double, jitter: Double, size: Double
  ) -> [Double] {
    var items = [Double](repeating: 0, count: count)
    // The loop begins with the beat before the range, because the items of that beat may be late.
    var beat = phase - period
    while beat < Double(count) * step {
      let factor = factor(at: beat)
      let all = factor > 0 ? Self.atLeastOne(size * factor) : 0
      for index in Int(max(0, beat / step))..<max(Int((beat + 5 * jitter) / step) + 1, 0)
      where items.indices.contains(index) {
        // The delay has a half-normal distribution.
        let from = max(0, Double(index) * step - beat)
        let to = max(0, Double(index + 1) * step - beat)
        items[index] += all * (Self.late(to / jitter) - Self.late(from / jitter))
      }
      beat += period
    }
    return items
  }
}

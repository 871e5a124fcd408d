/// The forecast of the items that a source publishes after the job's last successful run.
package struct RateForecast: ItemForecast {
  /// The mean number of items per second over a week.
  package let itemsPerSecond: Double
  private let clock: WeekClock
  private let from: Double
  /// The part of the week's shape that depends only on the hour of the week. `hourly` also includes
  /// the means of `quarter` and `five` in each hour, and the timetable.
  private let coarse: [Double]
  package private(set) var hourly: [Double]
  private let quarter: [Double]
  private let five: [Double]
  /// The integrals of `coarse` from the start of the week to each hour. The integrals of `quarter`
  /// begin with the day, and those of `five` begin with the hour.
  private let coarseSums: [Double]
  private let quarterSums: [Double]
  private let fiveSums: [Double]
  private let timetable: TimetableForecast
  private var bursts: [Burst] = []

  private struct Burst {
    /// The share of the regular rate by which this model lowers the forecast at `from`.
    var missing: Double
    /// The rate that recent events add to the forecast at `from`, in items per second.
    var excess: Double
    var decay: Double
  }

  /// The trust below which a burst model is ignored.
  private static let trustMin = 0.02

  init(
    itemsPerSecond: Double, itemsPerEvent: Double, shapes: WeekShapes, trust: ShapeVector,
    bursts: BurstBelief?, timetable: TimetableForecast, from: Double, clock: WeekClock
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
    quarter = shapes.quarter.map { $0 * trust[WeekShapes.quarterPlace] }
    five = shapes.five.map { $0 * trust[WeekShapes.fivePlace] }
    hourly = coarse
    for hour in 0..<WeekClock.weekHours {
      let first = hour % 24 * 4
      hourly[hour] +=
        (quarter[first] + quarter[first + 1] + quarter[first + 2] + quarter[first + 3]) / 4
        + trust[WeekShapes.fivePlace]
    }
    self.timetable = timetable
    timetable.apply(to: &hourly)
    self.coarse = coarse
    coarseSums = Self.sums(coarse, step: 3600)
    quarterSums = Self.sums(quarter, step: 900)
    fiveSums = Self.sums(five, step: 300)
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

  /// Returns running sums that begin with 0. Each further sum is the sum of the values before it,
  /// multiplied by `step`.
  private static func sums(_ values: [Double], step: Double) -> [Double] {
    var sums = [0.0]
    sums.reserveCapacity(values.count + 1)
    for value in values { sums.append((sums.last ?? 0) + value * step) }
    return sums
  }

  /// Returns the integral of the shape from Monday 00:00 to the given second of the week.
  private func shapeSum(until second: Double) -> Double {
    let hour = min(Int(second / 3600), 167)
    let quarter = min(Int(second / 900) % 96, 95)
    let five = min(Int(second / 300) % 12, 11)
    let inHour = second - Double(hour) * 3600
    let whole =
      coarseSums[hour] + Double(hour / 24) * quarterSums[96] + Double(hour) * fiveSums[12]
    let inQuarter = inHour - Double(quarter % 4) * 900
    let inFive = inHour - Double(five) * 300
    return whole + coarse[hour] * inHour + quarterSums[quarter] + self.quarter[quarter] * inQuarter
      + fiveSums[five] + self.five[five] * inFive
  }

  /// Returns the number of items expected from the shape of the week and the timetable, without
  /// bursts.
  private func regular(from start: Double, to end: Double) -> Double {
    let first = clock.secondOfWeek(start)
    let last = clock.secondOfWeek(end)
    // The number of times that a week ends between start and end.
    let weeks = ((end - start - (last - first)) / WeekClock.weekSeconds).rounded()
    let week = coarseSums[WeekClock.weekHours] + 7 * quarterSums[96] + 168 * fiveSums[12]
    let sum = shapeSum(until: last) - shapeSum(until: first) + weeks * week
    return (max(0, sum) * timetable.weekShare + timetable.added(from: start, to: end))
      * itemsPerSecond
  }

  package func items(from start: Double, to end: Double) -> Double {
    guard end > start else { return 0 }
    let regular = regular(from: start, to: end)
    var items = regular
    for burst in bursts {
      let kept = Exponential.exp(min(0, from - start) * burst.decay)
      let gone = (kept - Exponential.exp(min(0, from - end) * burst.decay)) / burst.decay
      items += burst.excess * gone - burst.missing * regular * gone / (end - start)
    }
    return max(items, 0)
  }
}

/// A forecast of the items that a source will publish.
package protocol ItemForecast {
  /// The mean number of items per second over a week.
  var itemsPerSecond: Double { get }
  /// The shape of the source's rate by hour of the week. Its mean is 1.
  var hourly: [Double] { get }
  /// Returns the number of items expected between two times. The first time must not be before the
  /// last successful run.
  func items(from start: Double, to end: Double) -> Double
}

/// The effect of a source's timetable on the forecast of its items. The effect is in proportion to
/// the trust in the timetable.
struct TimetableForecast: Sendable {
  /// The part of the rate that follows the shape of the week, in 0...1.
  private(set) var weekShare = 1.0
  private var echoes: [Echo] = []
  private var marks: [Double] = []
  /// The seconds to add to a time to get the time on the zone's clock.
  private let offset: Double

  private struct Echo {
    var model: TimetableBelief.Model
    /// The part of the source's rate, in 0...1, that this model adds for each mark. A mark is the
    /// time of a remembered event.
    var share: Double
  }

  /// The trust below which a timetable model is ignored.
  private static let trustMin = 0.01

  /// Creates the forecast from the learned timetable.
  ///
  /// - Parameter events: the weighted number of the source's events, in which older events count
  ///   less.
  init(_ belief: TimetableBelief, events: Double, clock: WeekClock) {
    offset = clock.offset
    guard !belief.marks.isEmpty else { return }
    let leadShare = belief.leadShare(of: events)
    for (place, model) in TimetableBelief.models.enumerated() {
      let trust = belief.trust[1 + place]
      guard trust > Self.trustMin else { continue }
      echoes.append(Echo(model: model, share: leadShare * trust * belief.markShare))
      weekShare -= leadShare * trust * (1 - belief.weekShare)
    }
    if !echoes.isEmpty { marks = belief.marks }
  }

  /// Returns the integral, between two times, of the rate that the timetable adds. The rate is
  /// divided by the mean rate, so the result is in seconds.
  func added(from start: Double, to end: Double) -> Double {
    var sum = 0.0
    for echo in echoes {
      for mark in marks {
        let age = offset - mark
        sum +=
          echo.share
          * (TimetableBelief.mass(echo.model, age: end + age)
            - TimetableBelief.mass(echo.model, age: start + age))
      }
    }
    return sum
  }

  /// Applies the timetable's effect to `hourly`, the shape of the week by hour.
  func apply(to hourly: inout [Double]) {
    guard !echoes.isEmpty else { return }
    for hour in hourly.indices { hourly[hour] *= weekShare }
    for echo in echoes {
      let isDaily = echo.model.period == WeekClock.daySeconds
      let stretch = isDaily ? 24 : WeekClock.weekHours
      for mark in marks {
        // A mark is a time on the zone's clock, on which time 0 is a Monday 00:00.
        let hour = WeekClock().hourOfWeek(mark)
        for place in stride(from: hour % stretch, to: WeekClock.weekHours, by: stretch) {
          hourly[place] += echo.share * Double(stretch)
        }
      }
    }
  }
}

/// The forecast of a job's source, from the time of its last good run.
package struct RateForecast: ItemForecast {
  /// Items a second; the mean over a week.
  package let itemsPerSecond: Double
  private let clock: WeekClock
  private let from: Double
  /// The shape by hour of the week, without and with the details finer than an hour.
  private let coarse: [Double]
  package private(set) var hourly: [Double]
  private let quarter: [Double]
  private let five: [Double]
  /// Sums up to the start of each hour of the week, quarter of the day and five minutes of the
  /// hour. An integral takes two look-ups.
  private let coarseSums: [Double]
  private let quarterSums: [Double]
  private let fiveSums: [Double]
  private let timetable: TimetableForecast
  private var bursts: [Burst] = []

  private struct Burst {
    /// The share of the mean rate that is missing immediately after silence.
    var missing: Double
    /// Items a second above the mean rate, at `from`.
    var excess: Double
    var decay: Double
  }

  /// The trust below which models are ignored.
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

  /// Returns running sums from 0: each is the sum of the values before it, times the step.
  private static func sums(_ values: [Double], step: Double) -> [Double] {
    var sums = [0.0]
    sums.reserveCapacity(values.count + 1)
    for value in values { sums.append((sums.last ?? 0) + value * step) }
    return sums
  }

  /// Returns the integral of the shape from Monday 00:00 to a second of the week.
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

  /// Returns the items by the shape of the week and the timetable.
  private func regular(from start: Double, to end: Double) -> Double {
    let first = clock.secondOfWeek(start)
    let last = clock.secondOfWeek(end)
    // The number of week borders in between.
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
  /// Items a second; the mean over a week.
  var itemsPerSecond: Double { get }
  /// The shape by hour of the week; its mean is 1.
  var hourly: [Double] { get }
  /// Returns the items expected in a stretch of time that begins at or after the last good run.
  func items(from start: Double, to end: Double) -> Double
}

/// The effect of a source's timetable on its week, as far as it is believed.
struct TimetableForecast: Sendable {
  /// The share of the rate that the week keeps.
  private(set) var weekShare = 1.0
  private var echoes: [Echo] = []
  private var marks: [Double] = []
  /// The offset to the zone's clock.
  private let offset: Double

  private struct Echo {
    var model: TimetableBelief.Model
    /// The share of the rate that each mark has.
    var share: Double
  }

  /// The trust below which models are ignored.
  private static let trustMin = 0.01

  /// - Parameter events: the number of events of the source, with the forgetting of the belief.
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

  /// Returns the integral of the timetable's addition, in seconds at the mean rate.
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

  /// Applies the timetable to a week's shape by the hour.
  func apply(to hourly: inout [Double]) {
    guard !echoes.isEmpty else { return }
    for hour in hourly.indices { hourly[hour] *= weekShare }
    for echo in echoes {
      let isDaily = echo.model.period == WeekClock.daySeconds
      let stretch = isDaily ? 24 : WeekClock.weekHours
      for mark in marks {
        // Marks are on the zone's clock, which begins on a Monday.
        let hour = WeekClock().hourOfWeek(mark)
        for place in stride(from: hour % stretch, to: WeekClock.weekHours, by: stretch) {
          hourly[place] += echo.share * Double(stretch)
        }
      }
    }
  }
}

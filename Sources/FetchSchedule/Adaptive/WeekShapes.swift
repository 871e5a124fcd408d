/// Several estimates of the shape of a job's week: how the rate of events varies over the week.
/// Each shape has the mean 1. By each estimate, the rate at a time is the mean rate multiplied by
/// the shape.
struct WeekShapes {
  /// The shapes by hour of the week. The first shape depends only on the hour of the day. The
  /// second shape is proportional to the product of a factor for the hour of the day and a factor
  /// for the day of the week. The factor for the hour is smoothed over the neighbouring hours.
  private(set) var hourly: [Double]
  /// The shape by quarter of an hour within the day.
  private(set) var quarter: [Double]
  /// The shape by five minutes within the hour.
  private(set) var five: [Double]

  static let hourlyCount = 2
  static let count = 4
  /// The index of `quarter` in a `ShapeVector`.
  static let quarterPlace = 2
  /// The index of `five` in a `ShapeVector`.
  static let fivePlace = 3

  /// The weights of the priors, in events. Each weight is divided equally among the parts of the
  /// day, week or hour. The priors of the hours and days come from `PooledProfile`.
  private static let priors = (
    hourOfDay: 36.0, smoothed: 3.0, dayOfWeek: 14.0, quarter: 1.0, five: 3.0
  )

  init(_ counts: WeekCounts, pool: PooledProfile) {
    let week = WeekClock.weekHours
    hourly = [Double](repeating: 1, count: Self.hourlyCount * week)
    quarter = [Double](repeating: 1, count: 96)
    five = [Double](repeating: 1, count: 12)
    var events = 0.0
    var watched = 0.0
    var byHour = [Double](repeating: 0, count: 24)
    var watchedByHour = [Double](repeating: 0, count: 24)
    var byDay = [Double](repeating: 0, count: 7)
    var watchedByDay = [Double](repeating: 0, count: 7)
    for day in 0..<7 {
      for hour in 0..<24 {
        let count = Double(counts.hours[day * 24 + hour])
        let time = Double(counts.watched[day * 24 + hour])
        byHour[hour] += count
        watchedByHour[hour] += time
        byDay[day] += count
        watchedByDay[day] += time
      }
      events += byDay[day]
      watched += watchedByDay[day]
    }
    let rate = watched > 0 ? events / watched : 0

    let priors = Self.priors
    func shape(_ count: Double, _ watched: Double, _ prior: Double, _ expected: Double) -> Double {
      (count + prior * expected) / (watched * rate + prior)
    }
    var dayFactor = [Double](repeating: 1, count: 7)
    for day in 0..<7 {
      dayFactor[day] = shape(byDay[day], watchedByDay[day], priors.dayOfWeek / 7, pool.day(day))
    }
    var smooth = [Double](repeating: 1, count: 24)
    for hour in 0..<24 {
      var count = 0.0
      var time = 0.0
      for (step, weight) in Self.kernel {
        count += weight * byHour[(hour + step) % 24]
        time += weight * watchedByHour[(hour + step) % 24]
      }
      smooth[hour] = shape(count, time, priors.smoothed / 24, pool.hour(hour))
    }
    for day in 0..<7 {
      for hour in 0..<24 {
        let place = day * 24 + hour
        hourly[place] = shape(
          byHour[hour], watchedByHour[hour], priors.hourOfDay / 24, pool.hour(hour))
        hourly[week + place] = smooth[hour] * dayFactor[day]
      }
    }
    for quarter in 0..<96 {
      self.quarter[quarter] = shape(
        Double(counts.quarters[quarter]), watchedByHour[quarter / 4] / 4, priors.quarter / 96,
        hourly[quarter / 4])
    }
    for five in 0..<12 {
      self.five[five] = shape(Double(counts.fives[five]), watched / 12, priors.five / 12, 1)
    }
    for index in 0..<Self.hourlyCount {
      Self.normalise(&hourly, index * week..<(index + 1) * week)
    }
    Self.normalise(&quarter, 0..<96)
    Self.normalise(&five, 0..<12)
  }

  private static let kernel = [
    (22, 1.0 / 9), (23, 2.0 / 9), (0, 3.0 / 9), (1, 2.0 / 9), (2, 1.0 / 9),
  ]

  private static func normalise(_ values: inout [Double], _ range: Range<Int>) {
    var sum = 0.0
    for index in range { sum += values[index] }
    guard sum > 0 else {
      for index in range { values[index] = 1 }
      return
    }
    let scale = Double(range.count) / sum
    for index in range { values[index] *= scale }
  }

  func values(at second: Double) -> ShapeVector {
    let hour = min(Int(second / 3600), 167)
    var vector = ShapeVector()
    for index in 0..<Self.hourlyCount {
      vector[index] = hourly[index * WeekClock.weekHours + hour]
    }
    vector[Self.quarterPlace] = quarter[min(Int(second / 900) % 96, 95)]
    vector[Self.fivePlace] = five[min(Int(second / 300) % 12, 11)]
    return vector
  }

  /// Returns the integral of each shape between two times, in seconds. Only the first
  /// `WeekPieces.hoursMax` hours are included.
  func integral(from start: Double, to end: Double, clock: WeekClock) -> ShapeVector {
    var sums = ShapeVector()
    guard end > start else { return sums }
    WeekPieces.forEach(from: start, to: end, clock: clock) { second, length, isWholeHour in
      let hour = min(Int(second / 3600), 167)
      for index in 0..<Self.hourlyCount {
        sums[index] += length * hourly[index * WeekClock.weekHours + hour]
      }
      if isWholeHour {
        let first = hour % 24 * 4
        sums[Self.quarterPlace] +=
          length * (quarter[first] + quarter[first + 1] + quarter[first + 2] + quarter[first + 3])
          / 4
        sums[Self.fivePlace] += length
      } else {
        sums[Self.quarterPlace] += length * quarter[min(Int(second / 900) % 96, 95)]
        sums[Self.fivePlace] += length * five[min(Int(second / 300) % 12, 11)]
      }
    }
    return sums
  }
}

/// A job's week: the counts of events, and the trust in each shape that is made from these counts.
package struct WeekProfile: Equatable, Sendable {
  var counts = WeekCounts()
  var trust = WeekProfile.baseTrust

  static let baseTrust = ShapeVector([0.27, 0.46, 0.2, 0.07])
  /// The part of the trust that `judge` moves back to `baseTrust`, so that no shape loses all trust
  /// forever.
  private static let share = 0.02

  /// Moves trust to the shapes under which the observation was more likely. `logs` are the log
  /// likelihoods of the observation under each shape, up to a common summand.
  mutating func judge(_ logs: ShapeVector) {
    var most = -Double.infinity
    for index in 0..<WeekShapes.count { most = max(most, logs[index]) }
    guard most.isFinite else { return }
    var sum = 0.0
    for index in 0..<WeekShapes.count {
      trust[index] *= Exponential.exp(logs[index] - most)
      sum += trust[index]
    }
    guard sum > 0 else { return trust = Self.baseTrust }
    for index in 0..<WeekShapes.count {
      trust[index] = (1 - Self.share) * trust[index] / sum + Self.share * Self.baseTrust[index]
    }
  }
}

/// The weighted numbers of events by time of the week, day and hour, and how long each hour of the
/// week was observed. Older events and times count less.
package struct WeekCounts: Equatable, Sendable {
  /// The number of events in each hour of the week.
  var hours = [Float](repeating: 0, count: WeekClock.weekHours)
  /// The observed time in each hour of the week, in hours.
  var watched = [Float](repeating: 0, count: WeekClock.weekHours)
  /// The number of events in each quarter of an hour of the day.
  var quarters = [Float](repeating: 0, count: 96)
  /// The number of events in each five minutes of the hour.
  var fives = [Float](repeating: 0, count: 12)

  /// The number of elements in all lists together.
  static let count = 2 * WeekClock.weekHours + 96 + 12

  var all: [Float] { hours + watched + quarters + fives }

  init() {}

  /// Creates the counts from `all`, a list of `count` numbers.
  init(all: [Float]) {
    let week = WeekClock.weekHours
    hours = Array(all.prefix(week))
    watched = Array(all.dropFirst(week).prefix(week))
    quarters = Array(all.dropFirst(2 * week).prefix(96))
    fives = Array(all.suffix(12))
  }

  mutating func forget(_ share: Float) {
    for index in hours.indices { hours[index] *= share }
    for index in watched.indices { watched[index] *= share }
    for index in quarters.indices { quarters[index] *= share }
    for index in fives.indices { fives[index] *= share }
  }

  mutating func count(second: Double, weight: Float) {
    hours[min(Int(second / 3600), 167)] += weight
    quarters[min(Int(second / 900) % 96, 95)] += weight
    fives[min(Int(second / 300) % 12, 11)] += weight
  }
}

/// One number for each shape of `WeekShapes`.
package struct ShapeVector: Equatable, Sendable {
  private var values = SIMD8<Double>(repeating: 0)

  init() {}
  init(_ values: [Double]) {
    for (index, value) in values.prefix(WeekShapes.count).enumerated() { self[index] = value }
  }

  subscript(index: Int) -> Double {
    get { values[index] }
    set { values[index] = newValue }
  }

  var numbers: [Double] { (0..<WeekShapes.count).map { self[$0] } }

  func dot(_ other: ShapeVector) -> Double { (values * other.values).sum() }
}

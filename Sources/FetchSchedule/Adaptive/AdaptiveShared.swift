/// The state that all adaptive jobs share: their common week, their demand by hour, and the price
/// of a request.
///
/// The price is `priceMin`, or a higher one at which the demand fits the budget.
package struct AdaptiveShared: Equatable, Sendable {
  package var pool = PooledProfile()
  /// Requests a second that the budget allows; nil if it has no limit.
  package var requestsPerSecond: Double?
  /// The lowest price of a request, in seconds of an item's wait: its cost for the source, whatever
  /// the budget has left.
  package var priceMin = 0.0
  /// Requests a second at price 1, by hour of weekdays and of weekends.
  var demand = [Double](repeating: 0, count: Self.hourCount)
  /// The controller's two terms, as logarithms of a price factor.
  var proportional = 0.0
  var integral = 0.0
  var settledAt: Double?
  /// How much dearer than predicted each hour of the day was, as logarithms.
  var hourLogs = [Double](repeating: 0, count: 24)
  /// The requests of the current hour, and that hour.
  var taken = 0
  var hour: Int?

  static let hourCount = 48
  private static let proportionalGain = 0.3
  /// The gain for the third power of the error: an empty bucket cannot wait for the integral.
  private static let urgentGain = 0.2
  private static let integralGainPerHour = 0.05
  static let correctionMax = 2.0
  private static let hourGain = 0.1
  static let hourMax = 1.0
  /// The level at which the bucket should be.
  private static let levelTarget = 0.5

  package init(requestsPerHour: Double?) { setBudget(requestsPerHour: requestsPerHour) }

  /// Sets the budget from now on; nil means no limit.
  package mutating func setBudget(requestsPerHour: Double?) {
    requestsPerSecond = requestsPerHour.map { max($0, 1e-3) / 3600 }
  }

  /// Replaces a job's previous demand with its present one.
  mutating func replace(_ old: DemandLevels, by new: DemandLevels) {
    for index in 0..<Self.hourCount {
      demand[index] = max(0, demand[index] - old[index] + new[index])
    }
  }

  /// Corrects the price by the level of the bucket, from 0 to 1.
  package mutating func settle(level: Double, now: Double, clock: WeekClock) {
    let place = clock.hourOfWeek(now)
    note(place)
    let hours = min(max((now - (settledAt ?? now)) / 3600, 0), 1)
    settledAt = now
    let error = (Self.levelTarget - min(max(level, 0), 1)) * 2
    proportional = Self.proportionalGain * error + Self.urgentGain * error * error * error
    let step = Self.integralGainPerHour * error * hours
    // An unused budget does not prove that the price is too high.
    if step < 0, isLeast(hourOfWeek: place) { return }
    integral += step
    integral = min(max(integral, -Self.correctionMax), Self.correctionMax)
  }

  /// Counts a request. After each hour, makes it dearer if it had more than its share.
  private mutating func note(_ place: Int) {
    if let hour, hour != place {
      judge(hour)
      taken = 0
    }
    hour = place
    taken += 1
  }

  private mutating func judge(_ hour: Int) {
    guard let requestsPerSecond else { return }
    let surplus = min(Double(taken) / 3600 / requestsPerSecond, 3) - 1
    if surplus < 0, isLeast(hourOfWeek: hour) { return }
    let log = hourLogs[hour % 24] + Self.hourGain * surplus
    hourLogs[hour % 24] = min(max(log, -Self.hourMax), Self.hourMax)
  }

  private func isLeast(hourOfWeek hour: Int) -> Bool {
    priceMin > 0 && price(Self.index(hourOfWeek: hour), correction) <= priceMin
  }

  /// Returns the place of an hour of the week among the hours of weekdays and weekends.
  static func index(hourOfWeek hour: Int) -> Int { (hour >= 120 ? 24 : 0) + hour % 24 }

  private var correction: Double {
    Exponential.exp(
      min(max(proportional + integral, -Self.correctionMax), Self.correctionMax))
  }

  /// Returns the prices of a request, in seconds of an item's wait, by hour of weekdays and
  /// weekends.
  func prices() -> [Double] {
    let factor = correction
    return (0..<Self.hourCount).map { max(price($0, factor), priceMin) }
  }

  /// Returns the price by the budget alone; 0 if there is no limit.
  private func price(_ index: Int, _ factor: Double) -> Double {
    guard let requestsPerSecond else { return 0 }
    let kind = index / 24 * 24
    // Plans move to the cheaper hour beside a dear one, which evens the two out.
    let beside = demand[kind + (index + 1) % 24] + demand[kind + (index + 23) % 24]
    let ratio = max(demand[index] / 2 + beside / 4, Self.demandMin) / requestsPerSecond
    return ratio * ratio * factor * Exponential.exp(hourLogs[index % 24])
  }

  private static let demandMin = 1e-6
}

/// A job's demand on the budget: the square root of half its weighted rate, by hour of weekdays and
/// weekends. It is stored in steps of 2^(1/8), so that subtracting undoes adding exactly.
struct DemandLevels: Equatable, Sendable {
  private(set) var levels: [UInt8]

  /// Creates a demand of zero.
  init() { levels = [UInt8](repeating: 0, count: AdaptiveShared.hourCount) }

  init?(levels: [UInt8]) {
    guard levels.count == AdaptiveShared.hourCount else { return nil }
    self.levels = levels
  }

  init(_ values: [Double]) {
    levels = values.map { value in
      let level = Exponential.log(max(value, 1e-9)) / 0.693_147_180_559_945_3 * 8 + 200
      return UInt8(min(max(level.rounded(), 0), 255))
    }
  }

  subscript(index: Int) -> Double { Self.values[Int(levels[index])] }

  private static let values: [Double] = (0..<256).map { level in
    level == 0 ? 0 : Exponential.exp((Double(level) - 200) / 8 * 0.693_147_180_559_945_3)
  }
}

/// The week of all jobs together: the prior of each job's own week.
package struct PooledProfile: Equatable, Sendable {
  /// Events by hour of day, weekdays then weekends.
  private(set) var counts = [Float](repeating: 0, count: 48)
  /// The shape by hour of day on weekdays, then on weekends; its mean over a week is 1.
  private(set) var kinds = [Double](repeating: 1, count: 48)

  /// The trust in a flat week, in events.
  private static let prior = 60.0
  /// The number of events at which all counts are halved, so that the profile follows changes.
  private static let eventsMax: Float = 20_000

  package init() {}

  init?(counts: [Float]) {
    guard counts.count == 48, counts.allSatisfy({ $0.isFinite && $0 >= 0 }),
      counts.reduce(0, +) <= Self.eventsMax * 2
    else { return nil }
    self.counts = counts
    refresh()
  }

  func hour(_ hour: Int) -> Double { (kinds[hour] * 5 + kinds[24 + hour] * 2) / 7 }

  func day(_ day: Int) -> Double { day < 5 ? dayMeans.weekday : dayMeans.weekend }

  private var dayMeans: (weekday: Double, weekend: Double) = (1, 1)

  package static func == (left: PooledProfile, right: PooledProfile) -> Bool {
    left.counts == right.counts
  }

  mutating func count(second: Double, weight: Float) {
    let hour = min(Int(second / 3600), 167)
    counts[(hour >= 120 ? 24 : 0) + hour % 24] += weight
  }

  /// Computes the shape from the counts; call it after adding some.
  mutating func refresh() {
    var total = counts.reduce(0, +)
    if total > Self.eventsMax {
      for index in counts.indices { counts[index] /= 2 }
      total /= 2
    }
    let whole = Double(total) + Self.prior
    var mean = 0.0
    for index in 0..<48 {
      let share = (index < 24 ? 5.0 : 2.0) / 168
      kinds[index] = (Double(counts[index]) + Self.prior * share) / (whole * share)
      mean += kinds[index] * share
    }
    for index in 0..<48 { kinds[index] /= mean }
    dayMeans = (kinds[..<24].reduce(0, +) / 24, kinds[24...].reduce(0, +) / 24)
  }
}

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

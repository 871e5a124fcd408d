/// What all adaptive jobs share: the week of all together, what they ask for by hour, and the price
/// of a request: its least, or where that has them ask for more than the budget gives the price that
/// does not.
package struct AdaptiveShared: Equatable, Sendable {
  package var pool = PooledProfile()
  /// Requests a second that the budget gives; nil where it sets no limit.
  package var requestsPerSecond: Double?
  /// What a request costs at least, in seconds that an item waits: what it is to its source, however
  /// much the budget has left.
  package var priceMin = 0.0
  /// Requests a second at the price 1, by hour of weekdays and of weekends.
  var demand = [Double](repeating: 0, count: Self.hourCount)
  /// The controller's two terms, as logarithms of a factor of the price.
  var proportional = 0.0
  var integral = 0.0
  var settledAt: Double?
  /// What each hour of the day proved to be dearer than the demand foretold, as logarithms.
  var hourLogs = [Double](repeating: 0, count: 24)
  /// Requests in the hour that runs, and which that is.
  var taken = 0
  var hour: Int?

  static let hourCount = 48
  private static let proportionalGain = 0.3
  /// Of the third power of the error: an empty bucket cannot wait for the integral.
  private static let urgentGain = 0.2
  private static let integralGainPerHour = 0.05
  static let correctionMax = 2.0
  private static let hourGain = 0.1
  static let hourMax = 1.0
  /// The part of the bucket that should be full.
  private static let levelTarget = 0.5

  package init(requestsPerHour: Double?) { setBudget(requestsPerHour: requestsPerHour) }

  /// What the budget gives from here on; nil where it sets no limit.
  package mutating func setBudget(requestsPerHour: Double?) {
    requestsPerSecond = requestsPerHour.map { max($0, 1e-3) / 3600 }
  }

  /// Takes note of what a job asks for now instead of before.
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
    // A budget that nobody uses up is no sign that it asks too much.
    if step < 0, isLeast(hourOfWeek: place) { return }
    integral += step
    integral = min(max(integral, -Self.correctionMax), Self.correctionMax)
  }

  /// Counts a request, and after each hour makes it dearer if more than its share were made.
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

  /// The place of an hour of the week among those of weekdays and weekends.
  static func index(hourOfWeek hour: Int) -> Int { (hour >= 120 ? 24 : 0) + hour % 24 }

  private var correction: Double {
    Exponential.exp(
      min(max(proportional + integral, -Self.correctionMax), Self.correctionMax))
  }

  /// The prices of a request, in seconds that an item waits, by hour of weekdays and weekends.
  func prices() -> [Double] {
    let factor = correction
    return (0..<Self.hourCount).map { max(price($0, factor), priceMin) }
  }

  /// By the budget alone: nothing where it sets no limit.
  private func price(_ index: Int, _ factor: Double) -> Double {
    guard let requestsPerSecond else { return 0 }
    let kind = index / 24 * 24
    // Plans move to the cheaper hour next to a dear one, which evens the two out.
    let beside = demand[kind + (index + 1) % 24] + demand[kind + (index + 23) % 24]
    let ratio = max(demand[index] / 2 + beside / 4, Self.demandMin) / requestsPerSecond
    return ratio * ratio * factor * Exponential.exp(hourLogs[index % 24])
  }

  private static let demandMin = 1e-6
}

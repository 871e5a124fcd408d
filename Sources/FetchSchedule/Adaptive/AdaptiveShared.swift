package import FetchValues

/// The state that all adaptive jobs share: the weekly pattern of their sources, the demand for
/// requests, and the price of a request.
///
/// The price is `priceMin`, or a higher price at which the demand fits the budget.
package struct AdaptiveShared: Equatable, Sendable {
  package var pool = PooledProfile()
  /// The requests per second that the budget allows; nil if the budget has no limit.
  package var requestsPerSecond: Double?
  /// The minimum price of a request, in seconds of one item's wait. It represents the load that
  /// each request causes for the source, even if the budget has requests left.
  package var priceMin = 0.0
  /// The requests per second that all adaptive jobs together would make at price 1. There is one
  /// value for each hour of a weekday, then one for each hour of a weekend day.
  var demand = [Double](repeating: 0, count: Self.hourCount)
  /// The proportional term of the price controller, as the logarithm of a factor on the price.
  var proportional = 0.0
  /// The integral term of the price controller, as the logarithm of a factor on the price.
  var integral = 0.0
  var settledAt: Double?
  /// The learned factor on the price for each hour of the day, as a logarithm.
  var hourLogs = [Double](repeating: 0, count: 24)
  /// The number of requests counted so far in `hour`, which is an hour of the week.
  var taken = 0
  var hour: Int?

  static let hourCount = 48
  private static let proportionalGain = 0.3
  /// The controller's gain for the third power of the error. When the bucket is almost empty, the
  /// price must change faster than the integral term changes it.
  private static let urgentGain = 0.2
  private static let integralGainPerHour = 0.05
  static let correctionMax = 2.0
  private static let hourGain = 0.1
  static let hourMax = 1.0
  /// The level of the budget's bucket at which the controller aims, in 0...1.
  private static let levelTarget = 0.5

  package init(requestsPerHour: Double?) { setBudget(requestsPerHour: requestsPerHour) }

  /// Sets the budget that applies from now on; nil means no limit.
  package mutating func setBudget(requestsPerHour: Double?) {
    requestsPerSecond = requestsPerHour.map { max($0, 1e-3) / 3600 }
  }

  mutating func replace(_ old: DemandLevels, by new: DemandLevels) {
    for index in 0..<Self.hourCount {
      demand[index] = max(0, demand[index] - old[index] + new[index])
    }
  }

  /// Counts a request, and corrects the price by the level of the budget's bucket. `level` is
  /// limited to 0...1.
  package mutating func settle(level: Double, now: Double, clock: WeekClock) {
    let place = clock.hourOfWeek(now)
    note(place)
    let hours = min(max((now - (settledAt ?? now)) / 3600, 0), 1)
    settledAt = now
    let error = (Self.levelTarget - min(max(level, 0), 1)) * 2
    proportional = Self.proportionalGain * error + Self.urgentGain * error * error * error
    let step = Self.integralGainPerHour * error * hours
    // At the minimum price, an unused budget does not prove that the price is too high.
    if step < 0, isLeast(hourOfWeek: place) { return }
    integral += step
    integral = min(max(integral, -Self.correctionMax), Self.correctionMax)
  }

  /// Counts a request. The first request in another hour adjusts the price for the hour of the
  /// previous request. More requests than the budget allows raise this price, and fewer requests
  /// lower a price above `priceMin`.
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

  /// Returns the index of an hour of the week among the 24 hours of weekdays followed by the 24
  /// hours of weekends.
  static func index(hourOfWeek hour: Int) -> Int { (hour >= 120 ? 24 : 0) + hour % 24 }

  private var correction: Double {
    Exponential.exp(
      min(max(proportional + integral, -Self.correctionMax), Self.correctionMax))
  }

  /// Returns the price of a request for each hour of a weekday, then for each hour of a weekend
  /// day. The prices are in seconds of one item's wait.
  func prices() -> [Double] {
    let factor = correction
    return (0..<Self.hourCount).map { max(price($0, factor), priceMin) }
  }

  /// Returns one of the `prices`.
  func price(_ index: Int) -> Double { max(price(index, correction), priceMin) }

  /// Returns the price at which the demand fits the budget, even if this price is less than
  /// `priceMin`. Returns 0 if the budget has no limit.
  private func price(_ index: Int, _ factor: Double) -> Double {
    guard let requestsPerSecond else { return 0 }
    let kind = index / 24 * 24
    // Plans move requests from an expensive hour to a cheaper hour before or after it. The demand
    // is therefore smoothed over the three hours.
    let beside = demand[kind + (index + 1) % 24] + demand[kind + (index + 23) % 24]
    let ratio = max(demand[index] / 2 + beside / 4, Self.demandMin) / requestsPerSecond
    return ratio * ratio * factor * Exponential.exp(hourLogs[index % 24])
  }

  private static let demandMin = 1e-6
}

/// A job's demand: its requests per second at price 1, for each hour of a weekday and then of a
/// weekend day. The values are rounded to powers of 2^(1/8), so that a later subtraction uses
/// exactly the value that was added.
struct DemandLevels: Equatable, Sendable {
  private(set) var levels: [UInt8]

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

/// The weekly pattern of events in all jobs' sources together. The estimate for each source starts
/// from this pattern.
package struct PooledProfile: Equatable, Sendable {
  /// The weighted number of events for each hour of a weekday, then for each hour of a weekend day.
  /// An event of a source with many events counts less.
  private(set) var counts = [Float](repeating: 0, count: 48)
  /// The shape of the week: the rate in each hour of a weekday, then of a weekend day, relative to
  /// the mean rate. The mean of the shape over a week is 1.
  private(set) var kinds = [Double](repeating: 1, count: 48)

  /// The weight, in events, of the prior, in which all hours of the week have the same rate.
  private static let prior = 60.0
  /// The weighted number of events above which all counts are halved. New events can then still
  /// change the shape.
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

  /// Computes the shape from the counts. The caller must call this function after adding counts.
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

extension AdaptiveShared: StoredCoding {
  private static let version: Int64 = 1
  private static let fieldCount = 10

  /// Writes the state as one list with a fixed number of fields, without `priceMin`.
  package func encode(into writer: inout ValueWriter) {
    writer.beginArray(count: Self.fieldCount)
    writer.write(Self.version)
    writer.writeOptional(requestsPerSecond)
    writer.write(bytes: SparseCounts.encode(pool.counts))
    writer.write(numbers: demand)
    writer.write(proportional)
    writer.write(integral)
    writer.writeOptional(settledAt)
    writer.write(numbers: hourLogs)
    writer.write(taken)
    writer.writeOptional(hour.map(Int64.init))
  }

  package init(from reader: inout ValueReader) throws(ValueError) {
    try reader.readFields(count: Self.fieldCount, version: Self.version)
    let rate = try reader.readNull() ? nil : try reader.readNumber(in: 0...1e9)
    self.init(requestsPerHour: rate.map { 3600 * $0 })
    guard let pool = PooledProfile(counts: try reader.readCounts(Self.hourCount)) else {
      throw .unexpected("a number that is out of range", wanted: "profile")
    }
    self.pool = pool
    demand = try reader.readNumbers(count: Self.hourCount, in: 0...1e12)
    proportional = try reader.readNumber(in: -Self.correctionMax...Self.correctionMax)
    integral = try reader.readNumber(in: -Self.correctionMax...Self.correctionMax)
    settledAt = try reader.readInstant()
    hourLogs = try reader.readNumbers(count: 24, in: -Self.hourMax...Self.hourMax)
    taken = try reader.readInteger(in: 0...Int64(Int32.max))
    let hours = 0...Int64(WeekClock.weekHours - 1)
    hour = try reader.readNull() ? nil : try reader.readInteger(in: hours)
  }
}

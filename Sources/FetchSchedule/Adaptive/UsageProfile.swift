package import FetchValues

/// The times at which the user usually reads. The profile has smoothed counts of reads for each
/// quarter of an hour, for weekdays and for weekends. Older reads count less.
package struct UsageProfile: Equatable, Sendable {
  private(set) var counts = [Float](repeating: 0, count: Self.binCount)
  /// The weighted number of observed weekdays. Older days count less. `weekends` is the weighted
  /// number of observed weekend days.
  private(set) var weekdays = 0.0
  private(set) var weekends = 0.0
  /// The time until which reads were observed, in seconds; nil before the first read.
  package private(set) var watchedUntil: Double?
  private var densities = [Double](repeating: 1, count: Self.binCount)
  /// The integral of the density of reads up to each bin, for a weekday and then for a weekend day.
  private var sums = UsageProfile.sums([Double](repeating: 1, count: Self.binCount))

  static let binCount = 192
  private static let binSeconds = 900.0
  private static let halfLifeDays = 30.0
  /// The maximum value of `share`. `share` grows to this value over about `learningDays` days of
  /// observation.
  private static let weightMax = 0.2
  private static let learningDays = 2.0
  /// The weights that spread a read over the neighbouring bins, because reading times vary by about
  /// a quarter of an hour from day to day.
  private static let kernel: [(step: Int, weight: Float)] = [
    (94, 1 / 9), (95, 2 / 9), (0, 3 / 9), (1, 2 / 9), (2, 1 / 9),
  ]

  package init() {}

  init(counts: [Float], weekdays: Double, weekends: Double, watchedUntil: Double?) {
    self.counts = counts
    self.weekdays = weekdays
    self.weekends = weekends
    self.watchedUntil = watchedUntil
    refresh()
  }

  package static func == (left: UsageProfile, right: UsageProfile) -> Bool {
    left.counts == right.counts && left.weekdays == right.weekdays
      && left.weekends == right.weekends && left.watchedUntil == right.watchedUntil
  }

  /// Learns that the user read at `now`. `start` is the time since which reads have been recorded.
  package mutating func learn(readAt now: Double, since start: Double, clock: WeekClock) {
    watch(until: now, since: start, clock: clock)
    let second = clock.secondOfWeek(now)
    let kind = second >= 5 * WeekClock.daySeconds ? 96 : 0
    let bin = Int(second / Self.binSeconds) % 96
    for (step, weight) in Self.kernel { counts[kind + (bin + step) % 96] += weight }
    refresh()
  }

  private mutating func watch(until now: Double, since start: Double, clock: WeekClock) {
    var at = watchedUntil ?? start
    // The first read sets `watchedUntil` even if no time was observed before this read.
    watchedUntil = max(at, now)
    guard now > at else { return }
    at = max(at, now - 60 * WeekClock.daySeconds)
    while at < now {
      let second = clock.secondOfWeek(at)
      let next =
        at + WeekClock.daySeconds
        - (second - (second / WeekClock.daySeconds).rounded(.down) * WeekClock.daySeconds)
      let until = min(next, now)
      let days = (until - at) / WeekClock.daySeconds
      let kept = Exponential.exp(-0.693 * days / Self.halfLifeDays)
      for bin in counts.indices { counts[bin] *= Float(kept) }
      weekdays *= kept
      weekends *= kept
      if second >= 5 * WeekClock.daySeconds { weekends += days } else { weekdays += days }
      guard until > at else { break }
      at = until
    }
  }

  private mutating func refresh() {
    var mean = 0.0
    var rates = [Double](repeating: 0, count: Self.binCount)
    for bin in 0..<96 {
      let week = Double(counts[bin])
      let end = Double(counts[96 + bin])
      // Weekdays with little data are estimated mainly from the mean of all days, and so are
      // weekends.
      let all = (week + end) / max(weekdays + weekends, 1)
      rates[bin] = (week + 0.5 * all) / (weekdays + 0.5)
      rates[96 + bin] = (end + all) / (weekends + 1)
      mean += (5 * rates[bin] + 2 * rates[96 + bin]) / 7 / 96
    }
    for bin in rates.indices { densities[bin] = mean > 0 ? rates[bin] / mean : 1 }
    sums = Self.sums(densities)
  }

  private static func sums(_ densities: [Double]) -> [Double] {
    var sums: [Double] = []
    for kind in 0..<2 {
      var sum = 0.0
      for bin in 0..<96 {
        sums.append(sum)
        sum += densities[kind * 96 + bin] * binSeconds
      }
      sums.append(sum)
    }
    return sums
  }

  /// The share of the reading hours in the weight of waiting, at most `weightMax`.
  private var share: Double {
    Self.weightMax * min(1, (weekdays + weekends) / Self.learningDays)
  }

  /// Returns how much the waiting of an item counts at a second of the week. The mean over a week
  /// is 1.
  func weight(at second: Double) -> Double {
    let kind = second >= 5 * WeekClock.daySeconds ? 96 : 0
    let density = densities[kind + min(Int(second / Self.binSeconds) % 96, 95)]
    return 1 + share * (density - 1)
  }

  /// Returns the integral of the weight of waiting between two times.
  func integral(from start: Double, to end: Double, clock: WeekClock) -> Double {
    let first = clock.secondOfWeek(start)
    let last = clock.secondOfWeek(end)
    let weeks = ((end - start - (last - first)) / WeekClock.weekSeconds).rounded()
    let week = 5 * sums[96] + 2 * sums[193]
    let read = densitySum(until: last) - densitySum(until: first) + weeks * week
    return max(0, (1 - share) * (end - start) + share * read)
  }

  /// Returns the integral of the density of reads from Monday 00:00 to a second of the week.
  private func densitySum(until second: Double) -> Double {
    let day = min(Int(second / WeekClock.daySeconds), 6)
    let inDay = second - Double(day) * WeekClock.daySeconds
    let bin = min(Int(inDay / Self.binSeconds), 95)
    let kind = day < 5 ? 0 : 1
    let before = Double(min(day, 5)) * sums[96] + Double(max(day - 5, 0)) * sums[193]
    return before + sums[kind * 97 + bin]
      + densities[kind * 96 + bin] * (inDay - Double(bin) * Self.binSeconds)
  }
}

extension UsageProfile: StoredCoding {
  private static let version: Int64 = 1
  private static let fieldCount = 5

  package func encode(into writer: inout ValueWriter) {
    writer.beginArray(count: Self.fieldCount)
    writer.write(Self.version)
    writer.write(bytes: SparseCounts.encode(counts))
    writer.write(weekdays)
    writer.write(weekends)
    writer.writeOptional(watchedUntil)
  }

  package init(from reader: inout ValueReader) throws(ValueError) {
    try reader.readFields(count: Self.fieldCount, version: Self.version)
    self.init(
      counts: try reader.readCounts(Self.binCount), weekdays: try reader.readNumber(in: 0...1e6),
      weekends: try reader.readNumber(in: 0...1e6), watchedUntil: try reader.readInstant())
  }
}

package import FetchValues

/// The estimate of a rate of events: a Gamma distribution with shape `events` and rate parameter
/// `exposure`, in seconds.
package struct RateBelief: Equatable, Sendable {
  package private(set) var events: Double
  package private(set) var exposure: Double

  /// The weight of the prior, in events. With half this weight, waiting was 2 % longer in a test
  /// with real commit times. A few days of silence or a single item then changed a low rate too
  /// much.
  static let priorEvents = 1.0
  /// The maximum number of events that the estimate counts, so that later events can still change
  /// the estimate.
  static let eventsMax = 200.0

  /// Creates the first estimate for a source with the given number of expected events per day.
  package init(eventsPerDay: Double) {
    events = Self.priorEvents
    exposure = Self.priorEvents / eventsPerDay * WeekClock.daySeconds
  }

  init?(events: Double, exposure: Double) {
    guard events.isFinite, exposure.isFinite, events > 0, exposure > 0, events <= Self.eventsMax,
      exposure < 1e12
    else { return nil }
    self.events = events
    self.exposure = exposure
  }

  /// The estimated events per second.
  package var mean: Double { events / exposure }

  mutating func forget(_ share: Double, towards prior: RateBelief) {
    events = share * events + (1 - share) * prior.events
    exposure = share * exposure + (1 - share) * prior.exposure
  }

  /// Learns that `count` events happened. `time` is the observed time in seconds, weighted by the
  /// shape of the rate.
  mutating func learn(events count: Double, exposure time: Double) {
    events += count
    exposure += time
    limit()
  }

  /// Learns that at least one event happened, or no event if `changed` is false. `time` is the
  /// observed time in seconds, weighted by the shape of the rate.
  mutating func learn(changed: Bool, exposure time: Double) {
    guard changed else { return learn(events: 0, exposure: time) }
    guard time > 0 else { return }
    // The new Gamma distribution has the same first two moments as the old density × (1 - exp(-rate
    // × time)).
    let after = exposure + time
    let none = Exponential.exp(events * Exponential.log(exposure / after))
    let some = 1 - none
    guard some > 1e-9 else {
      // The observed time is so short that only one event is assumed.
      return learn(events: 1, exposure: time)
    }
    let first = (events / exposure - events / after * none) / some
    let second =
      events * (events + 1) * (1 / (exposure * exposure) - none / (after * after)) / some
    let variance = second - first * first
    guard variance > 0, first > 0 else { return learn(events: 1, exposure: time) }
    exposure = first / variance
    events = first * exposure
    limit()
  }

  private mutating func limit() {
    guard events > Self.eventsMax else { return }
    exposure *= Self.eventsMax / events
    events = Self.eventsMax
  }
}

/// The publication rate of a source. An encoded `AdaptiveState` begins with this rate, so that the
/// rate can be read without the rest of the state.
package struct AdaptiveRate: Sendable {
  /// Whether the source dates its items: see `AdaptiveState.datesItems`.
  package let datesItems: Bool
  let rate: RateBelief
  /// The weighted number of items: see `AdaptiveState.items` and `AdaptiveState.events`.
  let items: Double
  let events: Double

  /// The maximum rate, in items per second. No real source publishes at this rate for long.
  private static let itemsPerSecondMax = 10.0

  /// The mean number of items per second over a week.
  package var itemsPerSecond: Double { min(rate.mean * itemsPerEvent, Self.itemsPerSecondMax) }

  /// The number of items per second, computed without the prior's events; 0 if the estimate
  /// contains no other events.
  package var shownItemsPerSecond: Double {
    let events = max(0, rate.events - Self.prior(datesItems: datesItems).events)
    return min(events / rate.exposure * itemsPerEvent, Self.itemsPerSecondMax)
  }

  var itemsPerEvent: Double { max(items / events, 1) }

  /// Returns the estimate for a source before its first run.
  static func prior(datesItems: Bool) -> RateBelief {
    RateBelief(eventsPerDay: datesItems ? 2 : 8)
  }
}

extension AdaptiveRate {
  package init(from reader: inout ValueReader) throws(ValueError) {
    try reader.readFields(count: AdaptiveState.fieldCount, version: AdaptiveState.version)
    datesItems = try reader.readBool()
    guard
      let rate = RateBelief(
        events: try reader.readNumber(), exposure: try reader.readNumber())
    else { throw .unexpected("a number that is out of range", wanted: "rate") }
    self.rate = rate
    items = try reader.readNumber(in: 1...1e9)
    events = try reader.readNumber(in: 1...1e9)
  }
}

/// The `Last-Modified` date of a source with undated items. The source may set it to the time of
/// the items' last change, or to some other time.
///
/// Belief in the date ends if the date changes without the items, or the items change without the
/// date. For example, a page that is generated each hour gets a new date without new items.
package struct ModifiedBelief: Equatable, Sendable {
  /// The last known date; nil if there is none. An answer with changed items and without a date
  /// resets it to nil.
  package private(set) var lastAt: Double?
  /// The number of changes with a new date that the source must still show before the date is
  /// believed again.
  private(set) var doubts = 0

  static let doubtsMax = 3
  /// The maximum time, in seconds, by which the date of a change may precede the end of the
  /// previous run. The source may have changed during that run.
  private static let runSecondsMax = 60.0

  init() {}

  init?(lastAt: Double?, doubts: Int) {
    guard (0...Self.doubtsMax).contains(doubts) else { return nil }
    (self.lastAt, self.doubts) = (lastAt, doubts)
  }

  /// Whether the date is believed to be the time of the items' last change.
  package var isBelieved: Bool { lastAt != nil && doubts == 0 }

  /// Updates the belief in the date after a successful run at `now`.
  ///
  /// Returns `time` if it changed together with the items, is believed, and is later than `past`;
  /// otherwise nil.
  ///
  /// - Parameters:
  ///   - time: the date that the run found; nil if the source gave none.
  ///   - changed: whether the run found changed items.
  ///   - past: the time of the previous successful run; nil if there was none.
  mutating func learn(
    _ time: Double?, changed: Bool, since past: Double?, at now: Double
  ) -> Double? {
    guard let time, AdaptiveState.instants.contains(time) else {
      // Without a change, the old date stays, because a 304 answer may omit it.
      if changed { lastAt = nil }
      return nil
    }
    let before = lastAt
    lastAt = time
    guard let before, let past else { return nil }
    let hasMoved = changed ? time > before : time != before
    let isPast = time < now && time > past - Self.runSecondsMax
    if hasMoved != changed || changed && !isPast {
      doubts = Self.doubtsMax
      return nil
    }
    guard changed, time > past else { return nil }
    if doubts > 0 {
      doubts -= 1
      return nil
    }
    return time
  }
}

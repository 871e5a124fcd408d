package import FetchValues

/// The estimate of a rate: a Gamma distribution with shape `events` and `exposure` in seconds.
package struct RateBelief: Equatable, Sendable {
  package private(set) var events: Double
  package private(set) var exposure: Double

  /// The prior is worth one event. With half of one, a few days of silence or one item moved the
  /// rate of a rare publisher by a factor. On real commit times that cost 2 % of all waiting.
  static let priorEvents = 1.0
  /// The most evidence: later events must be able to move the estimate.
  static let eventsMax = 200.0

  /// Creates the prior of a source that is expected to have that many events a day.
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

  /// Events a second.
  package var mean: Double { events / exposure }

  mutating func forget(_ share: Double, towards prior: RateBelief) {
    events = share * events + (1 - share) * prior.events
    exposure = share * exposure + (1 - share) * prior.exposure
  }

  /// Learns that many events in that exposure.
  mutating func learn(events count: Double, exposure time: Double) {
    events += count
    exposure += time
    limit()
  }

  /// Learns that at least one event happened in that exposure, or none.
  mutating func learn(changed: Bool, exposure time: Double) {
    guard changed else { return learn(events: 0, exposure: time) }
    guard time > 0 else { return }
    // The Gamma with the first two moments of posterior × (1 - exp(-rate × time)).
    let after = exposure + time
    let none = Exponential.exp(events * Exponential.log(exposure / after))
    let some = 1 - none
    guard some > 1e-9 else {
      // A stretch this short contains only the one event.
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

/// The publication rate of a source: the head of an encoded `AdaptiveState`, readable without the
/// rest.
package struct AdaptiveRate: Sendable {
  /// See `AdaptiveState.datesItems`.
  package let datesItems: Bool
  let rate: RateBelief
  /// Items, and the events in which they came, both with forgetting.
  let items: Double
  let events: Double

  /// The highest rate; no source keeps it for long.
  private static let itemsPerSecondMax = 10.0

  /// Items a second; the mean over a week.
  package var itemsPerSecond: Double { min(rate.mean * itemsPerEvent, Self.itemsPerSecondMax) }

  /// Items a second as the source has shown them, without the prior; 0 if it has shown none.
  package var shownItemsPerSecond: Double {
    let events = max(0, rate.events - Self.prior(datesItems: datesItems).events)
    return min(events / rate.exposure * itemsPerEvent, Self.itemsPerSecondMax)
  }

  var itemsPerEvent: Double { max(items / events, 1) }

  /// Returns the prior of a source before its first run.
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
    else { throw .unexpected("a number out of range", wanted: "rate") }
    self.rate = rate
    items = try reader.readNumber(in: 1...1e9)
    events = try reader.readNumber(in: 1...1e9)
  }
}

/// The `Last-Modified` of a source with undated items, and whether it is the time of their last
/// change.
///
/// It is believed as long as it moves exactly when the items change. A page that is generated each
/// hour, or a file that is copied each night, moves it without a change.
package struct ModifiedBelief: Equatable, Sendable {
  /// The date of the last answer.
  package private(set) var lastAt: Double?
  /// The number of changes that it must move with before it is believed again.
  private(set) var doubts = 0

  static let doubtsMax = 3
  /// The most seconds before the end of a run that a change in it may be dated.
  private static let runSecondsMax = 60.0

  init() {}

  init?(lastAt: Double?, doubts: Int) {
    guard (0...Self.doubtsMax).contains(doubts) else { return nil }
    (self.lastAt, self.doubts) = (lastAt, doubts)
  }

  /// Whether the source sends a believable date.
  package var isBelieved: Bool { lastAt != nil && doubts == 0 }

  /// Learns whether a run at `now` found the items changed since `past`.
  ///
  /// Returns the time of the last change, if the date is believed.
  mutating func learn(
    _ time: Double?, changed: Bool, since past: Double?, at now: Double
  ) -> Double? {
    guard let time, AdaptiveState.instants.contains(time) else {
      // A 304 answer need not repeat the date.
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

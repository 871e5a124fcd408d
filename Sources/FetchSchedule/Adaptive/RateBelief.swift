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

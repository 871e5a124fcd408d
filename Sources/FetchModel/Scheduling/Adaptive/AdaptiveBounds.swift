/// What limits a job's intervals, in seconds.
package struct AdaptiveBounds: Equatable, Sendable {
  package var intervalMin: Double
  package var intervalMax: Double

  /// Five minutes and a day. The square-root law gives sources that publish rarely so little that
  /// a daily look costs nothing.
  package init(intervalMin: Double = 300, intervalMax: Double = 86_400) {
    self.intervalMin = min(max(intervalMin, 1), 366 * WeekClock.daySeconds)
    self.intervalMax = min(max(intervalMax, self.intervalMin), 366 * WeekClock.daySeconds)
  }
}

/// What the source asks for, in seconds; these lengthen an interval and never shorten one.
package struct AdaptiveHints: Equatable, Sendable {
  /// The feed's `ttl` or `sy:updatePeriod`.
  package var timeToLive: Double?
  /// What is left of the answer's cache lifetime.
  package var cacheLifetime: Double?

  /// Longer wishes are not honoured.
  static let wishMax = 86_400.0
  /// Items expected within a time to live, for it to be believed.
  static let believedItemsMax = 0.3
  /// Cache lifetimes of 16 years have been seen.
  static let cacheLifetimeMax = 5 * 3600.0

  package init(timeToLive: Double? = nil, cacheLifetime: Double? = nil) {
    self.timeToLive = timeToLive
    self.cacheLifetime = cacheLifetime
  }

  /// The interval that is asked for at least. A time to live in which the source is known to
  /// publish is a setting that somebody forgot, and is not believed.
  func intervalMin(itemsPerSecond: Double) -> Double {
    let cache = min(max(cacheLifetime ?? 0, 0), Self.cacheLifetimeMax)
    let life = min(max(timeToLive ?? 0, 0), Self.wishMax)
    return life * itemsPerSecond > Self.believedItemsMax ? cache : max(life, cache)
  }
}

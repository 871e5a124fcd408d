package import FetchModel
package import FetchValues

/// A source's hints about when to fetch it again. Hints only lengthen a job's wait, by at most a
/// day.
package struct SourceHints: Hashable, Sendable {
  /// The hints of its feeds, as far as they are remembered.
  package var feed = FeedHints()
  /// The remaining time of `Cache-Control: max-age` or `Expires`.
  package var cacheLifetime: Duration?

  package init() {}

  package static let delayMax: Duration = .seconds(86_400)
  /// Lifetimes of 16 years occur; NetNewsWire also caps them at five hours.
  package static let cacheLifetimeMax: Duration = .seconds(5 * 3600)
  /// The most items expected within a ttl that is believed.
  private static let believedItemsMax = 0.3

  /// Returns the hints of a source with that rate. A ttl or an update period in which items usually
  /// appear is a forgotten setting and is ignored.
  package func believed(itemsPerSecond: Double) -> SourceHints {
    func isBelieved(_ delay: Duration?) -> Bool {
      guard let delay else { return true }
      let seconds = min(delay, Self.delayMax).components.seconds
      return Double(seconds) * itemsPerSecond <= Self.believedItemsMax
    }
    var believed = self
    if !isBelieved(feed.ttl) { believed.feed.ttl = nil }
    if !isBelieved(feed.updatePeriod) { believed.feed.setUpdates(every: nil) }
    return believed
  }

  /// Returns the first time from `planned` on that no hint excludes, and the hint that moved it.
  /// Durations count from the last answer.
  package func later(
    than planned: Timestamp, answeredAt: Timestamp
  ) -> (at: Timestamp, hint: SourceHint?) {
    let latest = max(planned, answeredAt + Self.delayMax)
    let cache = cacheLifetime.map { min($0, Self.cacheLifetimeMax) }
    var at = planned
    var ruling: SourceHint?
    func consider(_ time: Timestamp?, _ hint: SourceHint) {
      guard let time, min(time, latest) > at else { return }
      (at, ruling) = (min(time, latest), hint)
    }
    consider(feed.ttl.map { answeredAt + $0 }, .ttl)
    consider(feed.nextUpdate(after: answeredAt), .updatePeriod)
    consider(cache.map { answeredAt + $0 }, .cacheLifetime)
    if let closed = closure(at: at, until: latest) { (at, ruling) = closed }
    return (at, ruling)
  }

  /// Returns the end of the skipped hours and days, at most `latest`; nil if the time is not
  /// skipped or cannot be moved.
  private func closure(
    at time: Timestamp, until latest: Timestamp
  ) -> (at: Timestamp, hint: SourceHint)? {
    guard feed.skipHours != 0 || feed.skipDays != 0 else { return nil }
    var hour = time.seconds.floorDivided(by: 3600)
    var ruling: SourceHint?
    while let skipping = feed.skipping(hour: hour), hour * 3600 < latest.seconds {
      ruling = skipping
      hour += 1
    }
    let end = min(Timestamp(seconds: hour * 3600), latest)
    guard let ruling, end > time else { return nil }
    return (end, ruling)
  }
}

extension FeedHints {
  /// Returns the hint that skips that hour, counted since 1970.
  fileprivate func skipping(hour: Int64) -> SourceHint? {
    let day = hour.floorDivided(by: 24)
    if skipDays >> UInt8(CivilDate(daysSinceEpoch: day).weekday) & 1 == 1 { return .skipDays }
    return skipHours >> UInt32(hour - day * 24) & 1 == 1 ? .skipHours : nil
  }
}

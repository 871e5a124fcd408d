package import FetchModel
package import FetchValues

/// What a source says of itself about when to ask again. Hints make a job wait longer, never less
/// long, and at most a day.
package struct SourceHints: Hashable, Sendable {
  /// What its feeds say, as far as is remembered.
  package var feed = FeedHints()
  /// What is left of `Cache-Control: max-age` or `Expires`.
  package var cacheLifetime: Duration?

  package init() {}

  package static let delayMax: Duration = .seconds(86_400)
  /// Lifetimes of 16 years have been seen; NetNewsWire caps them at five hours, too.
  package static let cacheLifetimeMax: Duration = .seconds(5 * 3600)
  /// Items expected within a ttl, for it to be believed.
  private static let believedItemsMax = 0.3

  /// The hints of a source that is known to publish so much. A ttl or a period of updates in which
  /// items are known to come is a setting that somebody forgot: it is left out.
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

  /// The time that is not before `planned` and that no hint rules out, and the hint that moved it.
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

  /// When the hours and days that are to be left out are over, at the latest at `latest`; nil where
  /// the time is in none of them or cannot be moved.
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
  /// Which hint leaves out that hour, counted since 1970.
  fileprivate func skipping(hour: Int64) -> SourceHint? {
    let day = hour.floorDivided(by: 24)
    if skipDays >> UInt8(CivilDate(daysSinceEpoch: day).weekday) & 1 == 1 { return .skipDays }
    return skipHours >> UInt32(hour - day * 24) & 1 == 1 ? .skipHours : nil
  }
}

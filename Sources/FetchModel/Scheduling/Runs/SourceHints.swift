/// What a source says of itself about when to ask again. Hints make a job wait longer, never less
/// long, and at most a day.
package struct SourceHints: Hashable, Sendable {
  /// RSS `ttl`.
  package var ttl: Duration?
  /// `sy:updatePeriod` over `sy:updateFrequency`.
  package var updatePeriod: Duration?
  /// What is left of `Cache-Control: max-age` or `Expires`.
  package var cacheLifetime: Duration?
  /// RSS `skipHours`: bit n for hour n of the day in UTC.
  package var skipHours: UInt32 = 0
  /// RSS `skipDays`: bit 0 for Sunday, in UTC.
  package var skipDays: UInt8 = 0

  package init() {}

  package static let delayMax: Duration = .seconds(86_400)
  /// Lifetimes of 16 years have been seen; NetNewsWire caps them at five hours, too.
  package static let cacheLifetimeMax: Duration = .seconds(5 * 3600)

  /// The time that is not before `planned` and that no hint rules out, and the hint that moved it.
  /// Durations count from the last answer.
  package func later(
    than planned: Timestamp, answeredAt: Timestamp
  ) -> (at: Timestamp, hint: SourceHint?) {
    let latest = max(planned, answeredAt + Self.delayMax)
    let cache = cacheLifetime.map { min($0, Self.cacheLifetimeMax) }
    var at = planned
    var ruling: SourceHint?
    for (delay, hint) in [
      (ttl, SourceHint.ttl), (updatePeriod, .updatePeriod), (cache, .cacheLifetime),
    ] {
      guard let delay, answeredAt + min(delay, Self.delayMax) > at else { continue }
      at = answeredAt + min(delay, Self.delayMax)
      ruling = hint
    }
    let open = opening(from: at)
    if open.at > at { (at, ruling) = (max(at, min(open.at, latest)), open.hint ?? ruling) }
    return (at, ruling)
  }

  /// The first full hour that is skipped by neither list, within two days.
  private func opening(from time: Timestamp) -> (at: Timestamp, hint: SourceHint?) {
    guard skipHours != 0 || skipDays != 0 else { return (time, nil) }
    var hour = time.seconds.floorDivided(by: 3600)
    var ruling: SourceHint?
    for _ in 0..<48 {
      let day = hour.floorDivided(by: 24)
      let weekday = CivilDate(daysSinceEpoch: day).weekday
      if skipDays >> UInt8(weekday) & 1 == 1 {
        ruling = .skipDays
      } else if skipHours >> UInt32(hour - day * 24) & 1 == 1 {
        ruling = .skipHours
      } else {
        return (max(time, Timestamp(seconds: hour * 3600)), ruling)
      }
      hour += 1
    }
    return (time, nil)
  }
}

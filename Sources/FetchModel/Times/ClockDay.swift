import FetchValues

/// One calendar day on a zone's clocks, with a clock change in it or near it.
struct ClockDay {
  /// The first instant of the new offset.
  struct Change {
    var at: Timestamp
    var secondsEastBefore: Int
    var secondsEastAfter: Int
  }

  /// Seconds since 1970-01-01 at midnight, as if in UTC.
  let clockStart: Int64
  let change: Change?
  /// Midnight of a day without a change.
  let plainStart: Timestamp

  /// Searches a day to both sides, because no zone is farther from UTC than that. Two changes
  /// within these three days count as one.
  init(_ date: CivilDate, in zone: ZoneOffsets) {
    clockStart = date.daysSinceEpoch &* 86_400
    let early = Timestamp(seconds: clockStart - 86_400)
    let late = Timestamp(seconds: clockStart + 2 * 86_400)
    let before = zone.secondsEast(early)
    let after = zone.secondsEast(late)
    plainStart = Timestamp(seconds: clockStart - Int64(before))
    change =
      before == after
      ? nil
      : Change(
        at: Self.end(of: before, from: early, to: late, in: zone), secondsEastBefore: before,
        secondsEastAfter: after)
  }

  /// Returns the first second with another offset, by bisection.
  private static func end(
    of offset: Int, from early: Timestamp, to late: Timestamp, in zone: ZoneOffsets
  ) -> Timestamp {
    var (low, high) = (early.seconds, late.seconds)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if zone.secondsEast(Timestamp(seconds: middle)) == offset {
        low = middle
      } else {
        high = middle
      }
    }
    return Timestamp(seconds: high)
  }

  /// Returns when the clocks show that minute of the day; 1440 is the next midnight.
  func moment(minute: Int) -> ClockMoment {
    let clock = clockStart + Int64(minute) * 60
    guard let change else { return .once(plainStart + .seconds(minute * 60)) }
    let old = Timestamp(seconds: clock - Int64(change.secondsEastBefore))
    let new = Timestamp(seconds: clock - Int64(change.secondsEastAfter))
    switch (old < change.at, new >= change.at) {
    case (true, true): return .twice(old, new)
    case (true, false): return .once(old)
    case (false, true): return .once(new)
    case (false, false): return .skipped(until: change.at)
    }
  }
}

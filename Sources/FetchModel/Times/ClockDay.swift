package import FetchValues

/// One calendar day on the clocks of a time zone, with the clock change on or near that day if
/// there is a change.
struct ClockDay {
  /// A change of the clocks, with the first instant of the new offset.
  struct Change {
    var at: Timestamp
    var secondsEastBefore: Int
    var secondsEastAfter: Int
  }

  /// The midnight that begins the day, in seconds since 1970-01-01 on the zone's clocks.
  let clockStart: Int64
  let change: Change?
  /// The midnight that begins the day, computed with the offset before the clock change.
  let plainStart: Timestamp

  /// Creates the day. The clock change is searched for between 24 hours before and 24 hours after
  /// the date in UTC. No zone is farther than 24 hours from UTC.
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

  /// Returns the first second at which the offset is no longer `offset`, found by bisection.
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

  /// Returns the instants at which the clocks show the given minute of the day. Minute 1440 is the
  /// next midnight.
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

/// The instants at which the clocks show a certain time of a certain day.
enum ClockMoment: Equatable {
  case once(Timestamp)
  /// The clocks show the time twice, because the clocks went back over this time.
  case twice(Timestamp, Timestamp)
  /// The clocks do not show the time on this day, because the clocks skip it at the given instant.
  case skipped(until: Timestamp)
}

/// A time zone: its name, and a function that returns the offset of its clocks.
package struct ZoneOffsets: Sendable {
  /// The name of the zone in the IANA time zone database: `Europe/Berlin`.
  package let name: String
  /// The function that returns the zone's offset at an instant, in seconds east of UTC.
  package let secondsEast: @Sendable (Timestamp) -> Int

  package init(name: String, secondsEast: @escaping @Sendable (Timestamp) -> Int) {
    self.name = name
    self.secondsEast = secondsEast
  }

  package static let utc = ZoneOffsets(name: "UTC") { _ in 0 }

  /// Returns the time on the zone's clocks, in seconds since 1970-01-01T00:00:00.
  package func clockSeconds(at time: Timestamp) -> Int64 {
    time.seconds + Int64(secondsEast(time))
  }

  /// Returns the calendar day on the zone's clocks.
  package func date(at time: Timestamp) -> CivilDate {
    CivilDate(daysSinceEpoch: clockSeconds(at: time).floorDivided(by: 86_400))
  }
}

extension ZoneOffsets: Hashable {
  /// Returns whether two zones have the same name. Their offsets are not compared.
  package static func == (left: ZoneOffsets, right: ZoneOffsets) -> Bool {
    left.name == right.name
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A clock that converts a time to the second of the week in one time zone. Times are seconds since
/// an arbitrary epoch.
package struct WeekClock: Equatable, Sendable {
  /// The seconds from a Monday 00:00 in the zone to the epoch. The offset changes with daylight
  /// saving time.
  package var offset: Double

  /// Creates a clock whose epoch is a Monday 00:00.
  package init() { offset = 0 }

  /// Creates a clock for seconds since 1970-01-01T00:00:00Z, which was a Thursday.
  package init(unixWithZoneOffset seconds: Double) {
    offset = 3 * Self.daySeconds + (seconds.isFinite ? seconds : 0)
  }

  package static let hourSeconds = 3600.0
  package static let daySeconds = 86_400.0
  package static let weekSeconds = 604_800.0
  package static let weekHours = 168

  /// Returns the second of the week for a time, in 0..<604800. Second 0 is Monday 00:00. The time
  /// must be finite.
  func secondOfWeek(_ time: Double) -> Double {
    let local = time + offset
    let second = local - (local / Self.weekSeconds).rounded(.down) * Self.weekSeconds
    return second >= 0 && second < Self.weekSeconds ? second : 0
  }

  func hourOfWeek(_ time: Double) -> Int { Int(secondOfWeek(time) / Self.hourSeconds) }
}

/// The division of a stretch of time at the points where the week's shapes may change.
enum WeekPieces {
  /// The maximum length of the time to divide, in hours. A longer time is divided only up to this
  /// length, because more time without events teaches nothing new.
  static let hoursMax = 24 * 7 * 10

  /// Calls `body` for each piece, with its start as a second of the week, its length in seconds,
  /// and whether the piece is a whole hour. A piece that is not a whole hour does not cross a
  /// multiple of five minutes on the clock.
  static func forEach(
    from start: Double, to end: Double, clock: WeekClock,
    _ body: (_ second: Double, _ length: Double, _ isWholeHour: Bool) -> Void
  ) {
    var left = min(end - start, Double(hoursMax) * 3600)
    var second = clock.secondOfWeek(start)
    while left > 0 {
      let isAtHour = second == (second / 3600).rounded(.down) * 3600
      if isAtHour, left >= 3600 {
        body(second, 3600, true)
        second += 3600
        left -= 3600
      } else {
        let next = ((second / 300).rounded(.down) + 1) * 300
        let length = min(next - second, left)
        body(second, length, false)
        // At a multiple of five minutes, the second is set instead of summed. The next piece then
        // begins exactly there.
        second = length < left ? next : second + length
        left -= length
      }
      if second >= WeekClock.weekSeconds { second -= WeekClock.weekSeconds }
    }
  }
}

/// A clock that converts a time to the second of the week in the zone whose hours count. Times are
/// seconds since any epoch.
package struct WeekClock: Equatable, Sendable {
  /// The seconds from a Monday 00:00 to the epoch. When the zone's clocks change, the offset
  /// changes.
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

  /// Returns the second of the week for a time, in 0..<604800; Monday 00:00 is 0. The time must be
  /// finite.
  func secondOfWeek(_ time: Double) -> Double {
    let local = time + offset
    let second = local - (local / Self.weekSeconds).rounded(.down) * Self.weekSeconds
    return second >= 0 && second < Self.weekSeconds ? second : 0
  }

  func hourOfWeek(_ time: Double) -> Int { Int(secondOfWeek(time) / Self.hourSeconds) }
}

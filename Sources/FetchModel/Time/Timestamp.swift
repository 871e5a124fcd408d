/// An instant: whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted (POSIX).
package struct Timestamp: Hashable, Comparable, Sendable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }
  package init(seconds: Int64) { milliseconds = seconds &* 1000 }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Seconds since 1970, rounded down to milliseconds; what is farther than a hundred thousand years
  /// is there, what is no number at 1970.
  package init(unixSeconds: Double) {
    milliseconds = unixSeconds.isNaN ? 0 : Int64(max(-3e15, min(unixSeconds * 1000, 3e15)))
  }

  package var unixSeconds: Double { Double(milliseconds) / 1000 }

  /// Whole seconds, rounded down.
  package var seconds: Int64 { milliseconds.floorDivided(by: 1000) }

  package static func + (time: Timestamp, duration: Duration) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds &+ duration.wholeMilliseconds)
  }

  package static func - (end: Timestamp, start: Timestamp) -> Duration {
    .milliseconds(end.milliseconds &- start.milliseconds)
  }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC with milliseconds: `2026-11-20T10:00:00.123Z`.
  package var description: String {
    "\(secondsPart).\(padded(Int(milliseconds - seconds * 1000), 3))Z"
  }

  /// RFC 3339 in UTC with whole seconds, rounded down: `2026-11-20T10:00:00Z`.
  package var descriptionInSeconds: String { secondsPart + "Z" }

  private var secondsPart: String {
    let day = seconds.floorDivided(by: 86_400)
    let second = Int(seconds - day * 86_400)
    let (year, month, dayOfMonth) = CivilDate(daysSinceEpoch: day).parts
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
      + "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Int64 {
  /// Quotient rounded towards minus infinity; the divisor is positive.
  package func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

extension Duration {
  /// Milliseconds, rounded towards zero.
  package var wholeMilliseconds: Int64 {
    components.seconds &* 1000 &+ components.attoseconds / 1_000_000_000_000_000
  }

  /// Microseconds, rounded towards zero.
  package var wholeMicroseconds: Int64 {
    components.seconds &* 1_000_000 &+ components.attoseconds / 1_000_000_000_000
  }
}

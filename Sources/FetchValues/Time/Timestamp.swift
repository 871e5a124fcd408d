/// An instant: whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds (POSIX).
package struct Timestamp: Hashable, Comparable, Sendable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }
  package init(seconds: Int64) { milliseconds = seconds &* 1000 }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Creates a time from seconds since 1970, rounded towards zero to milliseconds. The result is
  /// limited to about 95,000 years before and after 1970, and NaN becomes 1970.
  package init(unixSeconds: Double) {
    milliseconds = unixSeconds.isNaN ? 0 : Int64(max(-3e15, min(unixSeconds * 1000, 3e15)))
  }

  package var unixSeconds: Double { Double(milliseconds) / 1000 }

  /// The number of whole seconds since 1970, rounded down.
  package var seconds: Int64 { milliseconds.floorDivided(by: 1000) }

  package static func + (time: Timestamp, duration: Duration) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds &+ duration.wholeMilliseconds)
  }

  package static func - (end: Timestamp, start: Timestamp) -> Duration {
    .milliseconds(end.milliseconds &- start.milliseconds)
  }
}

extension Timestamp: CustomStringConvertible {
  /// The time as RFC 3339 in UTC with milliseconds: `2026-11-20T10:00:00.123Z`.
  package var description: String { text(withMilliseconds: true) }

  /// The time as RFC 3339 in UTC with whole seconds, rounded down: `2026-11-20T10:00:00Z`.
  package var descriptionInSeconds: String { text(withMilliseconds: false) }

  private func text(withMilliseconds: Bool) -> String {
    let day = seconds.floorDivided(by: 86_400)
    let second = Int(seconds - day * 86_400)
    let (year, month, dayOfMonth) = CivilDate(daysSinceEpoch: day).parts
    // A year outside 0...9999 is written with all its digits, and a negative year with its sign,
    // although RFC 3339 does not allow such years.
    let yearText = (0...9999).contains(year) ? "" : String(year)
    let capacity = 24 + yearText.utf8.count
    return String(unsafeUninitializedCapacity: capacity) { buffer in
      var digits = TimeDigits(buffer)
      if yearText.isEmpty { digits.append(year, width: 4) } else { digits.append(yearText) }
      digits.append(month, width: 2, after: "-")
      digits.append(dayOfMonth, width: 2, after: "-")
      digits.append(second / 3600, width: 2, after: "T")
      digits.append(second / 60 % 60, width: 2, after: ":")
      digits.append(second % 60, width: 2, after: ":")
      if withMilliseconds {
        digits.append(Int(milliseconds &- seconds &* 1000), width: 3, after: ".")
      }
      digits.append("Z")
      return digits.count
    }
  }
}

/// A fast buffer for the digits of a time, because some callers format thousands of timestamps.
private struct TimeDigits {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  mutating func append(_ text: String) {
    for byte in text.utf8 { append(byte) }
  }

  /// Appends the character `sign`, if there is one, and a number with leading zeros up to `width`
  /// digits. The number must have at most `width` digits.
  mutating func append(_ number: Int, width: Int, after sign: Unicode.Scalar? = nil) {
    if let sign { append(UInt8(ascii: sign)) }
    var divisor = 1
    for _ in 1..<width { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func append(_ byte: UInt8) {
    guard count < buffer.count else { return }
    buffer[count] = byte
    count += 1
  }
}

extension Int64 {
  /// Returns the quotient rounded towards minus infinity. The divisor must be positive.
  package func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

extension Duration {
  /// The duration in whole milliseconds, rounded towards zero.
  package var wholeMilliseconds: Int64 {
    Int64(truncatingIfNeeded: attoseconds / 1_000_000_000_000_000)
  }

  /// The duration in whole microseconds, rounded towards zero.
  package var wholeMicroseconds: Int64 {
    Int64(truncatingIfNeeded: attoseconds / 1_000_000_000_000)
  }
}

extension Timestamp {
  /// Parses an RFC 3339 date-time (section 5.6) with any offset. Digits beyond milliseconds are
  /// dropped. The result is nil for any other text, and for a day that the calendar does not have.
  package init?(rfc3339 text: String) {
    var text = text
    guard let time = text.withUTF8({ Timestamp(rfc3339: $0) }) else { return nil }
    self = time
  }

  private init?(rfc3339 text: UnsafeBufferPointer<UInt8>) {
    var digits = RFC3339Digits(text)
    guard let year = digits.number(4), digits.skip("-"), let month = digits.number(2),
      digits.skip("-"), let day = digits.number(2), digits.skip("T") || digits.skip(" "),
      let hour = digits.number(2), digits.skip(":"), let minute = digits.number(2),
      digits.skip(":"), let second = digits.number(2), (1...12).contains(month), day >= 1,
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let fraction = digits.skip(".") ? digits.milliseconds() : 0
    guard let fraction, let offset = digits.offsetMinutes(), digits.isAtEnd else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    guard date.parts.month == month else { return nil }
    let seconds = date.daysSinceEpoch * 86_400 + Int64((hour * 60 + minute - offset) * 60 + second)
    self.init(milliseconds: seconds * 1000 + Int64(fraction))
  }
}

/// A cursor over a short text of digits and signs.
private struct RFC3339Digits {
  private var rest: Slice<UnsafeBufferPointer<UInt8>>

  init(_ text: UnsafeBufferPointer<UInt8>) { rest = text[...] }

  var isAtEnd: Bool { rest.isEmpty }

  /// Skips the given character if it is next, and returns whether it was. A letter is given in
  /// upper case, and may be in either case in the text.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let byte = rest.first else { return false }
    let lower = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte & 0xDF : byte
    guard lower == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func digit() -> Int? {
    guard let byte = rest.first, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else {
      return nil
    }
    rest.removeFirst()
    return Int(byte - UInt8(ascii: "0"))
  }

  mutating func number(_ width: Int) -> Int? {
    var number = 0
    for _ in 0..<width {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Reads the digits of a fraction of a second as milliseconds; nil if there is no digit. Only the
  /// first three digits count.
  mutating func milliseconds() -> Int? {
    guard var number = digit() else { return nil }
    var width = 1
    while let digit = digit() {
      if width < 3 { number = number * 10 + digit }
      width = min(3, width) + (width < 3 ? 1 : 0)
    }
    return width == 1 ? number * 100 : width == 2 ? number * 10 : number
  }

  mutating func offsetMinutes() -> Int? {
    if skip("Z") { return 0 }
    let isNegative = skip("-")
    guard isNegative || skip("+"), let hours = number(2), skip(":"), let minutes = number(2),
      hours < 24, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isNegative ? -1 : 1)
  }
}

extension Timestamp {
  /// The time in the form of RFC 3339, in UTC, with milliseconds only if they are not zero:
  /// `2026-11-20T10:00:00Z`. The result is nil for years before 0 or after 9999, which this form
  /// cannot express.
  package var rfc3339: String? {
    guard Self.rfc3339Range.contains(milliseconds) else { return nil }
    return milliseconds % 1000 == 0 ? descriptionInSeconds : description
  }

  private static let rfc3339Range: Range<Int64> =
    -62_167_219_200_000..<253_402_300_800_000
}

extension CivilDate {
  /// The number of the weekday, from 0 for Sunday to 6 for Saturday.
  package var weekday: Int {
    let day = Int((daysSinceEpoch + 4) % 7)
    return day < 0 ? day + 7 : day
  }
}

extension Timestamp {
  /// Reads an RFC 3339 date-time (section 5.6), with any offset; digits beyond milliseconds are
  /// dropped. Nil for everything else, so also for a day the calendar does not have.
  package init?(rfc3339 text: String) {
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
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  /// That character, in either case.
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

  /// At least one digit; the first three count.
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

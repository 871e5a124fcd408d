/// A cursor over the bytes of a date, with scanners for the parts that several date forms share.
struct DateCursor {
  let text: UnsafeBufferPointer<UInt8>
  private(set) var offset = 0
  /// The index after the word GMT, UTC or UT that set the zone; -1 if no such word did. An offset
  /// directly after the word replaces the word's zone.
  private var universalEnd = -1

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  var isAtEnd: Bool { offset >= text.count }
  var current: UInt8? { byte(after: 0) }
  func byte(after count: Int) -> UInt8? {
    offset + count < text.count ? text[offset + count] : nil
  }

  var previous: UInt8? { offset > 0 && offset <= text.count ? text[offset - 1] : nil }

  /// Whether the byte before the cursor is a minus sign, not a hyphen between two parts.
  var isNegative: Bool {
    previous == UInt8(ascii: "-") && (offset < 2 || text[offset - 2] <= 0x20)
  }

  mutating func advance() { offset += 1 }

  mutating func skip(while wanted: (UInt8) -> Bool) {
    while offset < text.count, wanted(text[offset]) { offset += 1 }
  }

  mutating func skipBlanks() { skip { $0 <= 0x20 } }

  mutating func skipIf(_ letter: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: letter) else { return false }
    offset += 1
    return true
  }

  var digitCount: Int {
    var count = 0
    while let byte = byte(after: count), byte.isDigit { count += 1 }
    return count
  }

  /// Reads a number of at most `digits` digits, and never more than nine.
  mutating func number(digits: Int) -> Int {
    var value = 0
    for _ in 0..<min(digits, 9) {
      guard let byte = current, byte.isDigit else { break }
      value = value * 10 + Int(byte &- 0x30)
      offset += 1
    }
    return value
  }

  /// Reads a word, which consists of ASCII letters and bytes outside ASCII.
  mutating func word() -> String {
    let start = offset
    skip { $0.isLetter || $0 >= 0x80 }
    return String(decoding: text[start..<offset], as: UTF8.self)
  }

  /// Reads a time such as `08`, `08:05`, `8:05:09`, `0805` or `080509`, with an optional fraction.
  /// A Korean word for AM or PM may come first. Returns false if there is no such time, or if more
  /// digits follow.
  mutating func scanClock(_ parts: inout DateParts) -> Bool {
    let digits = digitCount
    guard digits > 0 else { return scanDayHalf(&parts) && digitCount > 0 && scanClock(&parts) }
    parts.hour = number(digits: digits <= 2 ? digits : 2)
    if digits >= 4 {
      parts.minute = number(digits: 2)
      if digits >= 6 { parts.second = number(digits: 2) }
    }
    if digits <= 2, skipColon() {
      parts.minute = number(digits: min(2, digitCount))
      if skipColon() { parts.second = number(digits: min(2, digitCount)) }
    }
    if current == UInt8(ascii: ".") || current == UInt8(ascii: ","),
      byte(after: 1)?.isDigit == true
    {
      offset += 1
      scanFraction(&parts)
    }
    return current?.isDigit != true
  }

  /// Whether a colon follows the next `count` bytes, with or without blanks before it (RFC 5322,
  /// obs-hour).
  func hasColon(after count: Int) -> Bool {
    var count = count
    while let byte = byte(after: count), byte <= 0x20 { count += 1 }
    return byte(after: count) == UInt8(ascii: ":")
  }

  private mutating func skipColon() -> Bool {
    guard hasColon(after: 0) else { return false }
    skipBlanks()
    advance()
    skipBlanks()
    return true
  }

  private mutating func scanFraction(_ parts: inout DateParts) {
    var weight = 100
    while let byte = current, byte.isDigit {
      parts.millisecond += Int(byte &- 0x30) * weight
      weight /= 10
      offset += 1
    }
  }

  /// Reads the Korean word for AM or PM, which is written before the clock. The word implies Korean
  /// time. Returns false for any other word.
  private mutating func scanDayHalf(_ parts: inout DateParts) -> Bool {
    switch word() {
    case "오전": parts.afternoon = false
    case "오후": parts.afternoon = true
    default: return false
    }
    parts.standardZone = 9 * 60
    skipBlanks()
    return true
  }

  /// Reads the rest of the text after a clock: AM or PM, and a zone as a name, an offset or both.
  /// Unknown words that begin with an ASCII letter are ignored. Returns false for any other text,
  /// for an invalid offset, and for two different zones.
  mutating func scanZone(_ parts: inout DateParts) -> Bool {
    while true {
      skipBlanks()
      guard let byte = current else { return true }
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
        guard scanOffset(&parts) else { return false }
      } else {
        guard byte.isLetter, readZoneWord(word(), into: &parts) else { return false }
      }
    }
  }

  /// Reads AM, PM or a zone's name; returns false if the text already has a different zone. Other
  /// words are ignored.
  mutating func readZoneWord(_ word: String, into parts: inout DateParts) -> Bool {
    switch word.uppercased() {
    case "AM": parts.afternoon = false
    case "PM": parts.afternoon = true
    case let name:
      guard let minutes = DateZone.offset(named: name) else { return true }
      if name == "GMT" || name == "UTC" || name == "UT" { return readUniversal(&parts) }
      return parts.setZone(minutes)
    }
    return true
  }

  /// Handles the word GMT, UTC or UT directly before the cursor. Returns false if the text already
  /// has a different zone.
  mutating func readUniversal(_ parts: inout DateParts) -> Bool {
    if parts.zone == nil { universalEnd = offset }
    return parts.setZone(0)
  }

  /// Reads `+01:00`, `-0500`, `+5` or `-930`. Skips a sign without digits. Returns false for more
  /// than four digits, and for an offset out of range. Also returns false if the text already has a
  /// different zone, except for the zone of a word GMT, UTC or UT directly before the offset.
  mutating func scanOffset(_ parts: inout DateParts) -> Bool {
    let sign = current == UInt8(ascii: "-") ? -1 : 1
    let isFromUniversal = universalEnd == offset
    offset += 1
    let digits = digitCount
    guard (1...4).contains(digits) else { return digits == 0 }
    let hours = number(digits: digits <= 2 ? digits : digits - 2)
    var minutes = digits > 2 ? number(digits: 2) : 0
    if digits <= 2, skipIf(":") { minutes = number(digits: min(2, digitCount)) }
    guard hours < 24, minutes < 60 else { return false }
    if isFromUniversal { parts.removeZone() }
    return parts.setZone(sign * (hours * 60 + minutes))
  }
}

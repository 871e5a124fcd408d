/// A lenient parser for the dates in real feeds.
///
/// It reads RFC 3339, W3CDTF, and the calendar, ordinal and week dates of ISO 8601. Calendar and
/// ordinal dates may have the basic form. Parts after the year may be missing, and blanks may
/// replace or surround the `T`. It reads RFC 822/2822 with missing parts, comments, two-digit
/// years, named zones, and military letters, which count as UTC. It reads asctime,
/// `2006/09/15 08:19:53 EDT`, and numeric dates such as `31.12.2004` and `12/31/2004`. It also
/// reads Unix seconds with ten digits, Unix milliseconds with thirteen digits, 24:00, and a second
/// of 60. It knows the month names in `MonthNames`, and date words in Korean, Japanese and Chinese.
///
/// Day and month are swapped if only the swapped order gives a date. A date without a zone is in
/// UTC, except in Korean forms, whose writers mean KST. `GMT+0100` is one zone. The result is nil
/// for a day that the calendar does not have, a part out of range, a negative year, or two
/// different zones after the clock. It is also nil for a text without a year, because the parser
/// has no clock. The running time is linear in the length of the text.
package enum FeedDate {
  /// The maximum length of a date in bytes, without white space at both ends. The longest real date
  /// that was seen, with comments, has 75 bytes.
  package static let dateBytesMax = 200

  package static func parse(_ text: String) -> Timestamp? {
    var text = text
    return text.withUTF8 { parse(utf8: $0) }
  }

  package static func parse(utf8 text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    let trimmed = trimmed(text)
    guard !trimmed.isEmpty, trimmed.count <= dateBytesMax else { return nil }
    guard trimmed.contains(UInt8(ascii: "(")) else { return date(trimmed) }
    return withoutComments(trimmed).withUnsafeBufferPointer { text in
      let rest = Self.trimmed(text)
      return rest.isEmpty ? nil : date(rest)
    }
  }

  /// Returns the text without white space at both ends, including no-break spaces (C2 A0).
  private static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var start = 0
    var end = text.count
    while start < end {
      if text[start] <= 0x20 {
        start += 1
      } else if end - start > 1, text[start] == 0xC2, text[start + 1] == 0xA0 {
        start += 2
      } else {
        break
      }
    }
    while end > start {
      if text[end - 1] <= 0x20 {
        end -= 1
      } else if end - start > 1, text[end - 1] == 0xA0, text[end - 2] == 0xC2 {
        end -= 2
      } else {
        break
      }
    }
    return UnsafeBufferPointer(rebasing: text[start..<end])
  }

  /// Replaces the bytes of each comment by blanks. Comments can be nested, contain characters
  /// escaped with `\`, and occur between any two parts (RFC 5322, 3.2.2). A comment without an end
  /// continues to the end of the text.
  private static func withoutComments(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var bytes = Array(text)
    var depth = 0
    var isQuoted = false
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == UInt8(ascii: "("), !isQuoted { depth += 1 }
      if depth > 0 { bytes[index] = UInt8(ascii: " ") }
      if byte == UInt8(ascii: ")"), !isQuoted { depth = max(0, depth - 1) }
      isQuoted = depth > 0 && byte == UInt8(ascii: "\\") && !isQuoted
    }
    return bytes
  }

  private static func date(_ trimmed: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    if let epoch = unixTime(trimmed) { return epoch }
    if trimmed[0].isDigit {
      var iso = ISODateScanner(trimmed)
      if let time = iso.scan() { return time }
    }
    return looseDate(trimmed)
  }

  /// Reads Unix seconds, which have ten digits, or Unix milliseconds, which have thirteen digits.
  /// Returns nil for any other text.
  private static func unixTime(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    guard text.count == 10 || text.count == 13, text.allSatisfy(\.isDigit) else { return nil }
    let number = text.reduce(Int64(0)) { $0 * 10 + Int64($1 &- 0x30) }
    return text.count == 10 ? Timestamp(seconds: number) : Timestamp(milliseconds: number)
  }

  private static func looseDate(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    if let time = RFC822Date.parse(text) { return time }
    var scanner = LooseDateScanner(text)
    return scanner.scan()
  }
}

extension UInt8 {
  var isDigit: Bool { self &- 0x30 < 10 }
  var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
}

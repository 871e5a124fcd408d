/// Reads the dates that feeds really carry, leniently, to an instant.
///
/// Understood: RFC 3339, W3CDTF and ISO 8601 with any part cut away, basic, ordinal and week forms,
/// blanks instead of or around the `T`; RFC 822/2822 with parts missing, comments, two-digit years,
/// named and military zones; asctime; `2006/09/15 08:19:53 EDT`; numeric day-month-year with dots or
/// slashes; month names of a dozen languages, Korean, Japanese and Chinese date words; Unix seconds
/// and milliseconds; 24:00, a second of 60 and June 31st, which run on into the next day, minute
/// and month. No zone means UTC, except in Korean forms, whose writers mean KST.
/// Anything else is nil. Pure: no clock, so that forms which leave out the year are not dates here.
/// Time is linear in the length, which is limited to `dateBytesMax`.
package enum FeedDate {
  /// Longer texts are not dates (the longest real one with comments seen has 75 bytes).
  package static let dateBytesMax = 200

  package static func parse(_ text: String) -> Timestamp? {
    var text = text
    return text.withUTF8 { parse(utf8: $0) }
  }

  package static func parse(utf8 text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    guard text.count <= dateBytesMax else { return nil }
    var start = 0
    var end = text.count
    while start < end, text[start] <= 0x20 { start += 1 }
    while end > start, text[end - 1] <= 0x20 { end -= 1 }
    guard start < end else { return nil }
    let trimmed = UnsafeBufferPointer(rebasing: text[start..<end])
    if let epoch = unixTime(trimmed) { return epoch }
    if trimmed[0].isDigit {
      var iso = ISODateScanner(trimmed)
      if let time = iso.scan() { return time }
    }
    return looseDate(trimmed)
  }

  /// Ten digits are Unix seconds, thirteen are milliseconds.
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

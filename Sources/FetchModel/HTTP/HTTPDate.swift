package import FetchValues

/// The parser and writer of dates in header fields. It reads the three forms of RFC 9110 section
/// 5.6.7. Other forms that servers send are read by the tolerant algorithm of RFC 6265 section
/// 5.1.1.
package enum HTTPDate {
  private static let bytesMax = 128

  /// Parses a date with a zone. A date without a zone is in GMT.
  ///
  /// The result is nil for an invalid date or an unknown zone, because a time that is wrong by
  /// hours is worse than none.
  package static func parse(_ text: String) -> Timestamp? {
    guard text.utf8.count <= bytesMax else { return nil }
    var text = text
    // This fast path is for the form that nearly all servers send.
    if let time = text.withUTF8(RFC822Date.parse) { return time }
    let bytes = Array(text.utf8)
    var date = Fields()
    var zone = HTTPDateZone()
    var place = 0
    while place < bytes.count {
      if date.time != nil, let end = zone.take(bytes, at: place) {
        place = end
        continue
      }
      let token = Array(bytes[place...].prefix { !isDelimiter($0) })
      if !token.isEmpty, !date.take(token), date.time != nil, !token.allSatisfy(isNumberByte) {
        zone.take(word: token)
      }
      place += max(1, token.count)
    }
    guard let offset = zone.secondsEastOfGMT else { return nil }
    return date.timestamp.map { $0 + .seconds(-offset) }
  }

  /// Parses the date of a cookie. A zone in the text is ignored (RFC 6265 section 5.1.1).
  package static func parseWithoutZone(_ text: String) -> Timestamp? {
    guard text.utf8.count <= bytesMax else { return nil }
    var date = Fields()
    for token in text.utf8.split(whereSeparator: isDelimiter) { _ = date.take(Array(token)) }
    return date.timestamp
  }

  /// Returns the time in the form for header fields: `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static func text(_ time: Timestamp) -> String {
    let day = CivilDate(daysSinceEpoch: time.seconds.floorDivided(by: 86_400))
    let second = Int(time.seconds - day.daysSinceEpoch * 86_400)
    let weekday = Int((day.daysSinceEpoch + 4) % 7 + 7) % 7
    let (year, month, dayOfMonth) = day.parts
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    return "\(weekdays[weekday]), \(two(dayOfMonth)) \(months[month - 1]) \(year) "
      + "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)) GMT"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  fileprivate static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  static func isWeekday(_ word: [UInt8]) -> Bool {
    let name = word.prefix(3).map(\.asciiLowercased)
    return weekdays.contains { $0.utf8.map(\.asciiLowercased) == name }
  }

  private static func isNumberByte(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || byte == UInt8(ascii: ":")
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    !(byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: ":") || byte > 0x7E)
  }
}

/// The parts of a date. Each part is read only once, from the first token that has its form.
private struct Fields {
  var time: (hour: Int, minute: Int, second: Int)?
  var day: Int?
  var month: Int?
  var year: Int?

  /// Reads a token into the first part that is still missing and has the token's form. Returns
  /// false if there is no such part.
  mutating func take(_ token: [UInt8]) -> Bool {
    if time == nil, let found = Self.time(token) {
      time = found
    } else if day == nil, let found = Self.number(token, digits: 1...2) {
      day = found
    } else if month == nil, let found = Self.month(token) {
      month = found
    } else if year == nil, let found = Self.number(token, digits: 2...4) {
      year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
    } else {
      return false
    }
    return true
  }

  var timestamp: Timestamp? {
    guard let time, let day, let month, let year, year >= 1601, (1...31).contains(day),
      time.hour < 24, time.minute < 60, time.second <= 60
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    guard date.parts.day == day else { return nil }
    let seconds = time.hour * 3600 + time.minute * 60 + time.second
    return Timestamp(seconds: date.daysSinceEpoch * 86_400 + Int64(seconds))
  }

  private static func time(_ token: [UInt8]) -> (hour: Int, minute: Int, second: Int)? {
    let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = number(Array(parts[0]), digits: 1...2),
      let minute = number(Array(parts[1]), digits: 1...2),
      let second = number(Array(parts[2]), digits: 1...2)
    else { return nil }
    return (hour, minute, second)
  }

  private static func month(_ token: [UInt8]) -> Int? {
    let name = token.prefix(3).map(\.asciiLowercased)
    return HTTPDate.months.firstIndex { $0.utf8.map(\.asciiLowercased) == name }.map { $0 + 1 }
  }

  private static func number(_ token: [UInt8], digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(token.count), token.allSatisfy(\.isASCIIDigit) else { return nil }
    return token.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}

/// The zone after the time in a header field's date. RFC 9110 section 5.6.7 allows only GMT, but
/// some programs use the zones of mail dates (RFC 5322 sections 3.3 and 4.3).
struct HTTPDateZone {
  private enum Reading {
    case none
    /// A name for GMT, which may be followed by an offset: `GMT+0200`.
    case greenwich
    case offset(Int)
    case unknown
  }

  private var reading = Reading.none

  /// The offset of the zone from GMT, in seconds; 0 without a zone. Nil for an unknown zone, and
  /// for several zones such as `EST PST`.
  var secondsEastOfGMT: Int? {
    switch reading {
    case .none, .greenwich: 0
    case .offset(let seconds): seconds
    case .unknown: nil
    }
  }

  /// Reads a comment or an offset that begins at `place`. Returns the index after it; nil if
  /// neither begins there.
  mutating func take(_ bytes: [UInt8], at place: Int) -> Int? {
    switch bytes[place] {
    case UInt8(ascii: "("):
      let end = bytes[place...].firstIndex(of: UInt8(ascii: ")"))
      return end.map { $0 + 1 } ?? bytes.count
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return takeOffset(bytes, at: place)
    default: return nil
    }
  }

  /// Reads an offset such as `+0200`, `+02:00` or `+02`, but not the `-94` of a date such as
  /// `06-Nov-94`.
  private mutating func takeOffset(_ bytes: [UInt8], at place: Int) -> Int? {
    guard place > 0, !bytes[place - 1].isASCIILetter || isAfterGreenwich(bytes, place) else {
      return nil
    }
    let rest = bytes[(place + 1)...].prefix { $0.isASCIIDigit || $0 == UInt8(ascii: ":") }
    let digits = rest.filter(\.isASCIIDigit).map { Int($0 - UInt8(ascii: "0")) }
    guard !digits.isEmpty else { return nil }
    let sign = bytes[place] == UInt8(ascii: "-") ? -1 : 1
    let offset = Self.seconds(digits).map { $0 * sign }
    take(offset.map { .offset($0) } ?? .unknown)
    return place + 1 + rest.count
  }

  private static func seconds(_ digits: [Int]) -> Int? {
    guard digits.count == 4 || digits.count == 2 else { return nil }
    let hours = digits[0] * 10 + digits[1]
    let minutes = digits.count == 4 ? digits[2] * 10 + digits[3] : 0
    return hours < 24 && minutes < 60 ? hours * 3600 + minutes * 60 : nil
  }

  private func isAfterGreenwich(_ bytes: [UInt8], _ place: Int) -> Bool {
    let word = bytes[..<place].reversed().prefix(while: \.isASCIILetter).reversed()
    return Self.hours(word) == 0
  }

  /// Reads a word after the time: a zone, or a weekday. A weekday is ignored.
  mutating func take(word: [UInt8]) {
    if HTTPDate.isWeekday(word) { return }
    take(Self.hours(word).map { $0 == 0 ? .greenwich : .offset($0 * 3600) } ?? .unknown)
  }

  private mutating func take(_ found: Reading) {
    switch (reading, found) {
    case (.none, _), (.greenwich, .offset): reading = found
    case (.greenwich, .greenwich): break
    default: reading = .unknown
    }
  }

  /// The most common zone names of RFC 5322 section 4.3, and `UTC`, with their offsets in hours.
  private static let names = [
    "gmt": 0, "utc": 0, "ut": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7,
    "mdt": -6, "pst": -8, "pdt": -7,
  ]

  private static func hours(_ word: some Sequence<UInt8>) -> Int? {
    names[String(decoding: word.map(\.asciiLowercased), as: UTF8.self)]
  }
}

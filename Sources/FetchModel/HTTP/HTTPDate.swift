package import FetchValues

/// Dates in header fields: all three forms of RFC 9110 section 5.6.7, and what servers send in
/// their place, by the tolerant algorithm of RFC 6265 section 5.1.1.
package enum HTTPDate {
  private static let bytesMax = 128

  /// Reads a date with its zone, which is GMT where there is none.
  ///
  /// nil when there is no date in the text, or a zone that is not known: hours too early or too late
  /// are worse than no date.
  package static func parse(_ text: String) -> Timestamp? {
    guard text.utf8.count <= bytesMax else { return nil }
    var text = text
    // The form of nearly all servers. Each answer has two or three dates.
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

  /// Reads the date of a cookie, whose zone does not count (RFC 6265 section 5.1.1).
  package static func parseWithoutZone(_ text: String) -> Timestamp? {
    guard text.utf8.count <= bytesMax else { return nil }
    var date = Fields()
    for token in text.utf8.split(whereSeparator: isDelimiter) { _ = date.take(Array(token)) }
    return date.timestamp
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`: the form to send.
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

/// The parts of a date as they are found, each taken once.
private struct Fields {
  var time: (hour: Int, minute: Int, second: Int)?
  var day: Int?
  var month: Int?
  var year: Int?

  /// False for what is no part of the date: a word, or a second one of a kind.
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

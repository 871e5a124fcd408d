import FetchValues

/// The zone of a date in a header field, from what follows its time. RFC 9110 section 5.6.7 knows
/// GMT alone; mail's zones (RFC 5322 sections 3.3 and 4.3) come from programs that write all dates
/// alike.
struct HTTPDateZone {
  private enum Reading {
    case none
    /// A name for GMT, that an offset may follow: `GMT+0200`.
    case greenwich
    case offset(Int)
    case unknown
  }

  private var reading = Reading.none

  /// nil where there is a zone that cannot be read, or more than one.
  var secondsEastOfGMT: Int? {
    switch reading {
    case .none, .greenwich: 0
    case .offset(let seconds): seconds
    case .unknown: nil
    }
  }

  /// Takes a comment or an offset that begins there; where it ends, nil where there is none.
  mutating func take(_ bytes: [UInt8], at place: Int) -> Int? {
    switch bytes[place] {
    case UInt8(ascii: "("):
      let end = bytes[place...].firstIndex(of: UInt8(ascii: ")"))
      return end.map { $0 + 1 } ?? bytes.count
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return takeOffset(bytes, at: place)
    default: return nil
    }
  }

  /// `+0200`, `+02:00` or `+02`, not in the middle of a date such as `06-Nov-94`.
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

  /// Takes a word that is no part of the date: a zone, or a day of the week.
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

  /// RFC 5322 section 4.3.
  private static let names = [
    "gmt": 0, "utc": 0, "ut": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7,
    "mdt": -6, "pst": -8, "pdt": -7,
  ]

  private static func hours(_ word: some Sequence<UInt8>) -> Int? {
    names[String(decoding: word.map(\.asciiLowercased), as: UTF8.self)]
  }
}

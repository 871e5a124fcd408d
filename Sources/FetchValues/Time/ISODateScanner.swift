/// A scanner for dates that begin with the year: ISO 8601 and its variations in feeds.
struct ISODateScanner {
  private var cursor: DateCursor
  private var parts = DateParts()

  init(_ text: UnsafeBufferPointer<UInt8>) { cursor = DateCursor(text) }

  /// Returns the time of the date; nil for an unknown form or an invalid date.
  mutating func scan() -> Timestamp? {
    guard scanDate() else { return nil }
    cursor.skip { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
    if cursor.skipIf("T") || cursor.skipIf("t") { cursor.skipBlanks() }
    if !cursor.isAtEnd {
      guard cursor.scanClock(&parts), cursor.scanZone(&parts) else { return nil }
    }
    return parts.timestamp
  }

  private mutating func scanDate() -> Bool {
    let digits = cursor.digitCount
    switch digits {
    case 4:
      parts.year = cursor.number(digits: 4)
      return scanSeparatedMonth()
    case 2 where cursor.byte(after: 2) == UInt8(ascii: "-"):
      parts.year = DateParts.fullYear(cursor.number(digits: 2), digits: 2)
      return scanSeparatedMonth() && parts.day != nil && cursor.digitCount == 0
    case 6, 7, 8, 12, 14: return scanBasicDate(digits)
    default: return false
    }
  }

  /// Scans a date of the form `YYYYMM`, `YYYYDDD` or `YYYYMMDD`. The digits of a clock may follow
  /// directly after `YYYYMMDD`.
  private mutating func scanBasicDate(_ digits: Int) -> Bool {
    parts.year = cursor.number(digits: 4)
    if digits == 7 { return setOrdinal(cursor.number(digits: 3)) }
    parts.month = cursor.number(digits: 2)
    if digits >= 8 { parts.day = cursor.number(digits: 2) }
    return true
  }

  private mutating func scanSeparatedMonth() -> Bool {
    let separator = cursor.current
    switch separator {
    case UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "."): cursor.advance()
    case nil: return true
    default: return separator == UInt8(ascii: "T") || separator == UInt8(ascii: "t")
    }
    if cursor.skipIf("W") { return scanWeek() }
    switch cursor.digitCount {
    case 1, 2: parts.month = cursor.number(digits: cursor.digitCount)
    case 3: return setOrdinal(cursor.number(digits: 3))
    case 4 where separator == UInt8(ascii: "-"):
      parts.month = cursor.number(digits: 2)
      parts.day = cursor.number(digits: 2)
      return true
    default:
      guard let month = MonthNames.month(cursor.word().lowercased()) else { return false }
      parts.month = month
    }
    guard cursor.current == separator else { return true }
    cursor.advance()
    guard (1...2).contains(cursor.digitCount) else { return false }
    parts.day = cursor.number(digits: cursor.digitCount)
    return true
  }

  private mutating func setOrdinal(_ dayOfYear: Int) -> Bool {
    guard let year = parts.year, (1...366).contains(dayOfYear) else { return false }
    let first = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
    let date = CivilDate(daysSinceEpoch: first + Int64(dayOfYear - 1))
    guard date.parts.year == year else { return false }
    setDate(date)
    return true
  }

  /// Scans a week date such as `2004-W53-6` or `2004-W536`. ISO 8601 weeks begin on Monday, and
  /// week 1 contains January 4th.
  private mutating func scanWeek() -> Bool {
    guard let year = parts.year, cursor.digitCount >= 2 else { return false }
    let week = cursor.number(digits: 2)
    _ = cursor.skipIf("-")
    let weekday = cursor.digitCount > 0 ? cursor.number(digits: 1) : 1
    guard (1...53).contains(week), (1...7).contains(weekday) else { return false }
    let fourth = CivilDate(year: year, month: 1, day: 4).daysSinceEpoch
    let monday = fourth - (fourth + 3 - 7 * (fourth + 3).floorDivided(by: 7))
    let thursday = CivilDate(daysSinceEpoch: monday + Int64((week - 1) * 7 + 3))
    // A week belongs to the year of its Thursday; not every year has a week 53.
    guard thursday.parts.year == year else { return false }
    setDate(CivilDate(daysSinceEpoch: monday + Int64((week - 1) * 7 + weekday - 1)))
    return true
  }

  private mutating func setDate(_ date: CivilDate) {
    (parts.year, parts.month, parts.day) = (date.parts.year, date.parts.month, date.parts.day)
  }
}

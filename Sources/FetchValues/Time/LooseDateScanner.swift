/// A scanner for RFC 822, asctime and similar forms. It recognises words at any place in the text,
/// but zones and the English words AM and PM only after the clock.
struct LooseDateScanner {
  private var cursor: DateCursor
  private var parts = DateParts()
  private var hasClock = false
  /// The numbers that are not part of a clock or a zone, in order.
  private var numbers: [(value: Int, digits: Int)] = []
  private var separator: UInt8 = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { cursor = DateCursor(text) }

  mutating func scan() -> Timestamp? {
    while let byte = cursor.current {
      if byte.isDigit {
        guard scanNumber() else { return nil }
      } else if byte.isLetter || byte >= 0x80 {
        guard scanWord() else { return nil }
      } else if hasClock, byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
        guard cursor.scanOffset(&parts) else { return nil }
      } else {
        cursor.advance()
      }
    }
    return placeNumbers() ? parts.timestamp : nil
  }

  private mutating func scanNumber() -> Bool {
    let digits = cursor.digitCount
    let isClock = digits <= 2 && cursor.hasColon(after: digits)
    if !hasClock, isClock || digits == 4 && isBehindDate {
      hasClock = true
      return cursor.scanClock(&parts)
    }
    guard digits <= 4, numbers.count < 3, digits < 4 || !cursor.isNegative else { return false }
    if numbers.count == 1, let before = cursor.previous { separator = before }
    numbers.append((cursor.number(digits: digits), digits))
    return true
  }

  /// Whether a month name and two numbers have been read. If so, and if no clock has been read, a
  /// number with four digits is a clock, for example `1500` in `03 Apr 02 1500 GMT`.
  private var isBehindDate: Bool { parts.month != nil && numbers.count == 2 }

  /// Reads a word. Returns false if the word is a zone, and the text before it has a different
  /// zone.
  private mutating func scanWord() -> Bool {
    switch cursor.englishWord() {
    case .month(let month):
      parts.month = month
      return true
    case .weekday: return true
    case .universal: return !hasClock || cursor.readUniversal(&parts)
    default: break
    }
    let word = cursor.word()
    switch word {
    case "오전", "上午", "午前": parts.afternoon = false
    case "오후", "下午", "午後": parts.afternoon = true
    case "년", "월", "일": parts.standardZone = 9 * 60
    default: return scanName(word)
    }
    return true
  }

  /// Reads the name of a month or, after a clock, the name of a zone, AM or PM. Other words are
  /// ignored. If there are several month names, the last one is used. For example, `mar. 05 mai`
  /// begins with the French abbreviation for Tuesday. Returns false if the word is a zone, and the
  /// text before it has a different zone.
  private mutating func scanName(_ word: String) -> Bool {
    if let month = MonthNames.month(word.lowercased()), !hasClock || !isZone(word) {
      parts.month = month
      return true
    }
    return !hasClock || cursor.readZoneWord(word, into: &parts)
  }

  private func isZone(_ word: String) -> Bool { DateZone.offset(named: word.uppercased()) != nil }

  /// Decides which numbers are the year, the month and the day. If there is a month name and no
  /// clock, a third number is the hour. Returns false if the numbers do not fit any known order.
  private mutating func placeNumbers() -> Bool {
    if parts.month != nil { return placeAroundMonthName() }
    guard numbers.count >= 2 else { return false }
    if numbers[0].digits == 4 {
      parts.year = numbers[0].value
      parts.month = numbers[1].value
      if numbers.count == 3 { parts.day = numbers[2].value }
      return true
    }
    guard numbers.count == 3 else { return false }
    parts.year = DateParts.fullYear(numbers[2].value, digits: numbers[2].digits)
    // 31/12/2004 can only begin with the day. 1/2/2004 counts as the American form, which begins
    // with the month. With dots or dashes the day is first.
    let dayFirst = numbers[0].value > 12 || separator != UInt8(ascii: "/")
    parts.day = numbers[dayFirst ? 0 : 1].value
    parts.month = numbers[dayFirst ? 1 : 0].value
    return true
  }

  private mutating func placeAroundMonthName() -> Bool {
    switch numbers.count {
    case 1 where numbers[0].digits == 4: parts.year = numbers[0].value
    case 2, 3:
      let yearFirst = numbers[0].digits == 4
      let year = numbers[yearFirst ? 0 : 1]
      parts.year = DateParts.fullYear(year.value, digits: year.digits)
      parts.day = numbers[yearFirst ? 1 : 0].value
      if numbers.count == 3, !hasClock { parts.hour = numbers[2].value }
    default: return false
    }
    return true
  }
}

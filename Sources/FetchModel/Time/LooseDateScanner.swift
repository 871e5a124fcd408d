/// Dates by the kind of each word, wherever it stands: RFC 822, asctime and all their relatives.
struct LooseDateScanner {
  private var cursor: DateCursor
  private var parts = DateParts()
  private var hasClock = false
  /// The numbers that are neither clock nor zone, in order.
  private var numbers: [(value: Int, digits: Int)] = []
  private var separator: UInt8 = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { cursor = DateCursor(text) }

  mutating func scan() -> Timestamp? {
    while let byte = cursor.current {
      if byte.isDigit {
        guard scanNumber() else { return nil }
      } else if byte.isLetter || byte >= 0x80 {
        scanWord()
      } else if byte == UInt8(ascii: "(") {
        skipComment()
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
    if !hasClock, digits <= 2, cursor.byte(after: digits) == UInt8(ascii: ":") {
      hasClock = true
      return cursor.scanClock(&parts)
    }
    guard digits <= 4, numbers.count < 3 else { return false }
    if numbers.count == 1, let before = cursor.previous { separator = before }
    numbers.append((cursor.number(digits: digits), digits))
    return true
  }

  private mutating func scanWord() {
    switch cursor.englishWord() {
    case .month(let month): return parts.month = month
    case .weekday: return
    case .universal where hasClock: return parts.offset = 0
    default: break
    }
    let word = cursor.word()
    switch word {
    case "오전", "上午", "午前": parts.afternoon = false
    case "오후", "下午", "午後": parts.afternoon = true
    case "년", "월", "일": parts.offset = 9 * 60
    default: scanName(word)
    }
  }

  /// The last month name wins: `mar. 05 mars` begins with the French Tuesday.
  private mutating func scanName(_ word: String) {
    let upper = word.uppercased()
    if hasClock {
      if upper == "AM" || upper == "PM" { return parts.afternoon = upper == "PM" }
      if let offset = DateZone.offset(named: upper) { return parts.offset = offset }
    }
    if let month = MonthNames.month(word.lowercased()) { parts.month = month }
  }

  /// Nested comments with `\` as in RFC 822; without an end, up to the end.
  private mutating func skipComment() {
    var depth = 0
    while let byte = cursor.current {
      cursor.advance()
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "\\"): cursor.advance()
      default: break
      }
      if depth == 0 { return }
    }
  }

  /// Says which number is the year, the month and the day.
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
    // 31/12/2004 can only be a day first; 1/2/2004 is American; dots and dashes put the day first.
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

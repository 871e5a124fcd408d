import FetchValues

/// The rule for a time zone's offsets, which repeats each year. Its text has the form of the
/// variable `TZ`, such as `CET-1CEST,M3.5.0,M10.5.0/3`. See POSIX, Base Definitions 8.3. Hours may
/// be up to 167 (RFC 9636).
struct ZoneRule: Sendable {
  /// The limit for the offsets and times in a rule's text, in seconds. Each of them is smaller,
  /// since RFC 9636 allows at most 167 hours with minutes and seconds.
  static let secondsMax = 168 * 3600

  /// The offset outside the period of `summer`, in seconds east of UTC.
  private let standard: Int
  private let summer: Summer?

  private struct Summer {
    /// The offset from `begin` to `end`, in seconds east of UTC. In a rule with negative summer
    /// time, such as that of Ireland, this period is the winter.
    var offset: Int
    var begin, end: Day
  }

  /// A day of a year, and a time in seconds after the beginning of that day. The time may be
  /// negative or longer than a day.
  private struct Day {
    enum Form {
      /// The given weekday of a month: the first to the fourth such day, or the last if `week` is
      /// 5. Sunday is weekday 0.
      case weekday(month: Int, week: Int, weekday: Int)
      /// The day of the year, counted from 1. 29 February is never counted.
      case julian(Int)
      /// The day of the year, counted from 0. In leap years, 29 February is counted.
      case zeroBased(Int)
    }

    var form: Form
    var seconds: Int
  }

  init?(posix text: [UInt8]) {
    var reader = Reader(rest: text[...])
    guard reader.name(), let west = reader.time() else { return nil }
    standard = -west
    if reader.rest.isEmpty {
      summer = nil
      return
    }
    guard reader.name() else { return nil }
    var offset = standard + 3600
    if reader.rest.first != UInt8(ascii: ",") {
      guard let west = reader.time() else { return nil }
      offset = -west
    }
    guard let begin = reader.day(), let end = reader.day(), reader.rest.isEmpty else { return nil }
    summer = Summer(offset: offset, begin: begin, end: end)
  }

  /// Returns the offset in seconds east of UTC. `seconds` is a time in seconds since 1970.
  func secondsEast(at seconds: Int64) -> Int {
    // Beyond about 200,000 years from 1970, summer time is ignored, so that no sum overflows.
    guard let summer, abs(seconds / 86_400) < 73_000_000 else { return standard }
    let local = seconds + Int64(standard)
    let year = CivilDate(daysSinceEpoch: local.floorDivided(by: 86_400)).parts.year
    // The rule gives each change of the offset in the local time that is valid before the change.
    let begin = instant(summer.begin, year) - Int64(standard)
    let end = instant(summer.end, year) - Int64(summer.offset)
    let isSummer =
      begin < end ? begin <= seconds && seconds < end : !(end <= seconds && seconds < begin)
    return isSummer ? summer.offset : standard
  }

  private func instant(_ day: Day, _ year: Int) -> Int64 {
    let days: Int64
    switch day.form {
    case .zeroBased(let number):
      days = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch + Int64(number)
    case .julian(let number):
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      days =
        CivilDate(year: year, month: 1, day: 1).daysSinceEpoch + Int64(number) - 1
        + (isLeap && number >= 60 ? 1 : 0)
    case .weekday(let month, let week, let weekday):
      let first = CivilDate(year: year, month: month, day: 1).daysSinceEpoch
      let next = CivilDate(
        year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1
      ).daysSinceEpoch
      // 1970-01-01 was a Thursday (4).
      let firstWeekday = (first + 4) - 7 * (first + 4).floorDivided(by: 7)
      var found = first + (Int64(weekday) - firstWeekday + 7) % 7 + Int64(week - 1) * 7
      while found >= next { found -= 7 }
      days = found
    }
    return days * 86_400 + Int64(day.seconds)
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    private static func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest = rest.dropFirst()
      return true
    }

    /// Reads the abbreviation of a zone: at least three letters, or anything between `<` and `>`.
    mutating func name() -> Bool {
      if take("<") {
        rest = rest.drop { $0 != UInt8(ascii: ">") }
        return take(">")
      }
      let letters = rest.prefix(while: Self.isLetter)
      rest = rest.dropFirst(letters.count)
      return letters.count >= 3
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix(while: Self.isDigit)
      rest = rest.dropFirst(digits.count)
      guard (1...3).contains(digits.count) else { return nil }
      let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      return range.contains(number) ? number : nil
    }

    /// Reads a time of the form `[+-]hh[:mm[:ss]]` and returns it in seconds.
    mutating func time() -> Int? {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      guard let hours = number(0...167) else { return nil }
      var seconds = hours * 3600
      for unit in [60, 1] {
        guard take(":") else { break }
        guard let part = number(0...59) else { return nil }
        seconds += part * unit
      }
      return isNegative ? -seconds : seconds
    }

    /// Reads a comma, a day (`M10.5.0`, `J60` or `59`) and the time on that day. If the time is
    /// missing, it is 2:00.
    mutating func day() -> Day? {
      guard take(","), let form = form() else { return nil }
      guard take("/") else { return Day(form: form, seconds: 7200) }
      return time().map { Day(form: form, seconds: $0) }
    }

    private mutating func form() -> Day.Form? {
      if take("J") { return number(1...365).map(Day.Form.julian) }
      guard take("M") else { return number(0...365).map(Day.Form.zeroBased) }
      guard let month = number(1...12), take("."), let week = number(1...5), take("."),
        let weekday = number(0...6)
      else { return nil }
      return .weekday(month: month, week: week, weekday: weekday)
    }
  }
}

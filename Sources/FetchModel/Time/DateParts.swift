/// The parts of a date as far as they were found, and the instant they mean together.
struct DateParts {
  var year: Int?
  var month: Int?
  var day: Int?
  var hour = 0
  var minute = 0
  var second = 0
  var millisecond = 0
  /// Minutes east of UTC.
  var offset = 0
  /// True after PM, false after AM, nil where the clock has 24 hours.
  var afternoon: Bool?

  /// nil where the year is missing. What is beyond the end of its month, day, hour or minute runs on
  /// into the next, as C's `mktime` does.
  var timestamp: Timestamp? {
    guard let year, (0...9999).contains(year) else { return nil }
    let month = month ?? 1
    let day = day ?? 1
    guard (1...99).contains(month), (1...99).contains(day), minute < 100, second < 100,
      let hour = hourOfDay
    else { return nil }
    let first = CivilDate(year: year + (month - 1) / 12, month: (month - 1) % 12 + 1, day: 1)
    let days = first.daysSinceEpoch + Int64(day - 1)
    let seconds = ((days * 24 + Int64(hour)) * 60 + Int64(minute - offset)) * 60 + Int64(second)
    return Timestamp(milliseconds: seconds * 1000 + Int64(millisecond))
  }

  private var hourOfDay: Int? {
    guard hour < 100 else { return nil }
    guard let afternoon, (1...12).contains(hour) else { return hour }
    return hour % 12 + (afternoon ? 12 : 0)
  }

  /// RFC 2822 section 4.3: 00-49 are 2000-2049, 50-99 and three digits count from 1900.
  static func fullYear(_ number: Int, digits: Int) -> Int {
    switch digits {
    case 1, 2: number < 50 ? 2000 + number : 1900 + number
    case 3: 1900 + number
    default: number
    }
  }
}

/// The date and the time of day of an instant, in UTC.
package struct CalendarTime: Equatable, Sendable {
  package var year = 1970
  package var month = 1
  package var day = 1
  package var hour = 0
  package var minute = 0
  package var second = 0
  package var millisecond = 0

  package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Creates the date and time of an instant; nil outside the years 0 to 9999.
  package init?(_ time: Timestamp) {
    guard time.rfc3339 != nil else { return nil }
    let days = time.seconds.floorDivided(by: 86_400)
    let secondOfDay = Int(time.seconds - days * 86_400)
    (year, month, day) = CivilDate(daysSinceEpoch: days).parts
    (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
    millisecond = Int(time.milliseconds - time.seconds * 1000)
  }

  /// The number of the weekday; Sunday is 0.
  package var weekday: Int { date.weekday }

  /// The number of the day in the year; the first of January is 1.
  package var dayOfYear: Int {
    let newYear = CivilDate(year: year, month: 1, day: 1)
    return Int(date.daysSinceEpoch - newYear.daysSinceEpoch) + 1
  }

  private var date: CivilDate { CivilDate(year: year, month: month, day: day) }

  /// The instant of this date and time. A part beyond its range carries over into the next larger
  /// part, as in C's `mktime`. The result is nil if the year is outside -9999...99999, even after
  /// months were carried over. It is also nil for extreme values of the parts from month to second.
  package var timestamp: Timestamp? {
    let all = [month, day, hour, minute, second]
    guard (-9999...99_999).contains(year), all.allSatisfy((-1 << 40...1 << 40).contains) else {
      return nil
    }
    let monthsSinceYearZero = Int64(year) * 12 + Int64(month - 1)
    let normalYear = monthsSinceYearZero.floorDivided(by: 12)
    guard (-9999...99_999).contains(normalYear) else { return nil }
    let normalMonth = Int(monthsSinceYearZero - normalYear * 12) + 1
    let first = CivilDate(year: Int(normalYear), month: normalMonth, day: 1)
    let days = first.daysSinceEpoch + Int64(day) - 1
    let seconds = days * 86_400 + Int64(hour) * 3600 + Int64(minute) * 60 + Int64(second)
    let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? nil : Timestamp(milliseconds: milliseconds &+ Int64(millisecond))
  }
}

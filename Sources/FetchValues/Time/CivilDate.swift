/// A day of the proleptic Gregorian calendar, counted from 1970-01-01.
///
/// Source: Howard Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days` and
/// `days_from_civil`.
package struct CivilDate: Hashable, Sendable {
  package var daysSinceEpoch: Int64

  package init(daysSinceEpoch: Int64) { self.daysSinceEpoch = daysSinceEpoch }

  /// Creates a date from a year, a month of 1...12 and a day. A day beyond the end of the month
  /// carries over into the next month. The year's absolute value must be below a million.
  package init(year: Int, month: Int, day: Int) {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    daysSinceEpoch = Int64(era * 146_097 + dayOfEra - 719_468)
  }

  package var parts: (year: Int, month: Int, day: Int) {
    let shifted = daysSinceEpoch + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = Int(shifted - era * 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
    return (year, month, day)
  }
}

/// The parts of a date that were found so far, and the time that they represent together.
struct DateParts {
  var year: Int?
  var month: Int?
  var day: Int?
  var hour = 0
  var minute = 0
  var second = 0
  var millisecond = 0
  /// The offset of the zone that the text names, in minutes east of UTC; nil if the text names
  /// none.
  private(set) var zone: Int?
  /// The offset of the default zone, in minutes east of UTC, for a text that names no zone.
  var standardZone = 0
  /// Whether the time is after noon on a clock with 12 hours; nil for a clock with 24 hours.
  var afternoon: Bool?

  /// Sets the zone. Returns false if the text already has a different zone.
  mutating func setZone(_ minutes: Int) -> Bool {
    if let zone, zone != minutes { return false }
    zone = minutes
    return true
  }

  mutating func removeZone() { zone = nil }

  /// The time that the parts represent; nil if the year is missing, a part is out of range, or the
  /// month has no such day. Day and month are swapped if only the swapped order gives a date.
  /// `24:00` is the end of the day (ISO 8601). A second of 60 is accepted as a leap second.
  var timestamp: Timestamp? {
    guard let year, (0...9999).contains(year), let hour = hourOfDay,
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    guard let date = date(year, month ?? 1, day ?? 1) ?? day.flatMap({ date(year, $0, month ?? 1) })
    else { return nil }
    let minutes = Int64(hour * 60 + minute - (zone ?? standardZone))
    let seconds = date.daysSinceEpoch * 86_400 + minutes * 60 + Int64(second)
    return Timestamp(milliseconds: seconds * 1000 + Int64(millisecond))
  }

  /// Returns the date; nil if the calendar has no such day.
  private func date(_ year: Int, _ month: Int, _ day: Int) -> CivilDate? {
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    return date.parts.month == month ? date : nil
  }

  private var hourOfDay: Int? {
    switch (hour, afternoon) {
    case (0...12, let afternoon?): hour % 12 + (afternoon ? 12 : 0)
    case (0...23, nil), (13...23, true): hour
    case (24, nil) where minute == 0 && second == 0 && millisecond == 0: hour
    default: nil
    }
  }

  /// Returns the full year according to RFC 2822 section 4.3. The numbers 00-49 mean 2000-2049. The
  /// numbers 50-99 and all numbers with three digits are counted from 1900.
  static func fullYear(_ number: Int, digits: Int) -> Int {
    switch digits {
    case 1, 2: number < 50 ? 2000 + number : 1900 + number
    case 3: 1900 + number
    default: number
    }
  }
}

/// The names of time zones in dates.
enum DateZone {
  /// Returns the offset of a zone in minutes east of UTC; nil for an unknown name.
  static func offset(named name: String) -> Int? {
    // RFC 822 defined the military letters other than Z with wrong signs, so these letters are not
    // in the table (RFC 2822, 4.3).
    hours[name].map { Int($0 * 60) }
  }

  private static let hours: [String: Double] = [
    "Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "WET": 0,
    "ET": -5, "EST": -5, "EDT": -4, "CT": -6, "CST": -6, "CDT": -5,
    "MT": -7, "MST": -7, "MDT": -6, "PT": -8, "PST": -8, "PDT": -7,
    "AT": -4, "AST": -4, "ADT": -3, "NST": -3.5, "NDT": -2.5, "BRT": -3, "ART": -3,
    "AKST": -9, "AKDT": -8, "HST": -10, "HAST": -10, "HADT": -9,
    "BST": 1, "CET": 1, "MET": 1, "MEZ": 1, "WEST": 1, "CEST": 2, "MEST": 2, "MESZ": 2,
    "EET": 2, "SAST": 2, "EEST": 3, "MSK": 3, "MSD": 4, "IST": 5.5, "ICT": 7, "WIB": 7,
    "SGT": 8, "HKT": 8, "AWST": 8, "JST": 9, "KST": 9,
    "ACST": 9.5, "ACDT": 10.5, "AEST": 10, "AEDT": 11, "NZST": 12, "NZT": 12, "NZDT": 13,
  ]
}

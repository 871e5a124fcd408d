/// The names of time zones in dates.
enum DateZone {
  /// Returns the offset of a zone in minutes east of UTC; nil for an unknown name.
  static func offset(named name: String) -> Int? {
    // RFC 822 had the signs of the military letters except Z wrong, so they are ignored (RFC 2822,
    // 4.3).
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

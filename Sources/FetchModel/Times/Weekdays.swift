import FetchValues

/// A set of weekdays, as `mon-fri` or `sat, sun`.
package struct Weekdays: Hashable, Sendable {
  /// The days of the set, one bit for each day; bit 0 is Sunday.
  private var bits: UInt8

  static let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

  package static let all = Weekdays(bits: 0x7F)

  /// Creates a set from one bit for each day; bit 0 is Sunday.
  init(bits: UInt8) { self.bits = bits }

  /// Returns the number of the weekday with a name such as `mon` or `Monday`. Sunday is 0; the
  /// result is nil for an unknown name.
  package static func number(named name: some StringProtocol) -> Int? {
    let word = name.lowercased()
    return names.firstIndex(of: word) ?? longNames.firstIndex(of: word)
  }

  /// Whether the set contains the weekday with the given number; 0 is Sunday.
  package func contains(_ weekday: Int) -> Bool { bits >> UInt8(weekday) & 1 == 1 }

  package func union(_ other: Weekdays) -> Weekdays { Weekdays(bits: bits | other.bits) }

  /// Parses a list of weekdays, separated by commas. An entry is a name (`mon`, `Monday`), a range
  /// (`fri-mon` spans the week's end), `weekdays`, `weekend` or `daily`.
  package init(parsing text: String) throws(ScheduleTextError) {
    bits = 0
    for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
      bits |= try Self.part(part.drop { $0 == " " }, of: text)
    }
  }

  private static func part(
    _ part: Substring, of text: String
  ) throws(ScheduleTextError) -> UInt8 {
    var word = part
    while word.last == " " { word.removeLast() }
    switch word {
    case "weekdays": return 0b011_1110
    case "weekend": return 0b100_0001
    case "daily": return 0x7F
    default: break
    }
    let ends = word.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    var day = try number(ends[0])
    let last = try ends.count == 2 ? number(ends[1]) : day
    var bits: UInt8 = 1 << UInt8(day)
    while day != last {
      day = (day + 1) % 7
      bits |= 1 << UInt8(day)
    }
    return bits
  }

  private static let longNames = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]

  private static func number(_ word: Substring) throws(ScheduleTextError) -> Int {
    if let number = number(named: word) { return number }
    let known = names + longNames + ["weekdays", "weekend", "daily"]
    throw ScheduleTextError(
      "\(ScheduleTextError.quoted(word)) is not a day\(NearestName.hint(String(word), among: known));"
        + " write for example mon-fri or sat,sun")
  }
}

extension Weekdays: CustomStringConvertible {
  /// The days as text, beginning with Monday: `mon,tue`.
  package var description: String {
    [1, 2, 3, 4, 5, 6, 0].filter(contains).map { Self.names[$0] }.joined(separator: ",")
  }
}

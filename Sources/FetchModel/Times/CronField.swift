import FetchValues

/// One of the five fields of a cron line: a set of numbers.
struct CronField: Hashable, Sendable {
  /// The set of numbers. Bit n is set if n is in the set.
  var bits: UInt64
  /// Whether the field begins with `*`. In the two day fields, this decides how they are combined.
  var isWild: Bool

  func has(_ number: Int) -> Bool { bits >> UInt64(number) & 1 == 1 }

  /// The rules for one kind of field, such as the allowed numbers and names.
  struct Kind: Sendable {
    var name: String
    var range: ClosedRange<Int>
    /// The names of the numbers. The first name means the number `firstNamed`.
    var names: [String] = []
    var firstNamed = 0
    var example: String
  }

  static let minute = Kind(name: "minute", range: 0...59, example: "0, 0,30 or */15")
  static let hour = Kind(name: "hour", range: 0...23, example: "7, 7-22 or */2")
  static let dayOfMonth = Kind(name: "day of the month", range: 1...31, example: "1 or 1,15")
  static let month = Kind(
    name: "month", range: 1...12,
    names: [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ], firstNamed: 1, example: "1 or jan-mar")
  /// The day of the week. Both 7 and 0 are Sunday.
  static let weekday = Kind(
    name: "day of the week", range: 0...7, names: Weekdays.names, example: "mon-fri or 6,0")
}

extension CronField {
  init(parsing text: Substring, as kind: Kind) throws(ScheduleTextError) {
    bits = 0
    isWild = text.hasPrefix("*")
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      bits |= try Self.part(part, kind)
    }
    if kind.range.upperBound == 7, has(7) { bits = (bits & ~(1 << 7)) | 1 }
  }

  /// Parses one part of a field: `*`, a number or name, or a range such as `mon-fri`. `*` and a
  /// range may be followed by `/step`.
  private static func part(_ part: Substring, _ kind: Kind) throws(ScheduleTextError) -> UInt64 {
    let pieces = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let range = try range(pieces[0], kind)
    guard pieces.count == 2 else { return bits(of: range, step: 1) }
    guard let step = Self.digits(pieces[1]), step > 0, step <= kind.range.upperBound else {
      throw problem(pieces[1], "is not a step", kind)
    }
    guard pieces[0].contains("-") || pieces[0] == "*" else {
      throw ScheduleTextError(
        "the step in \(ScheduleTextError.quoted(part)) needs a range; write"
          + " \(pieces[0])-\(kind.range.upperBound)/\(step)")
    }
    return bits(of: range, step: step)
  }

  private static func bits(of range: ClosedRange<Int>, step: Int) -> UInt64 {
    stride(from: range.lowerBound, through: range.upperBound, by: step)
      .reduce(0) { $0 | 1 << UInt64($1) }
  }

  private static func range(
    _ text: Substring, _ kind: Kind
  ) throws(ScheduleTextError) -> ClosedRange<Int> {
    // `*` contains Sunday only as 0, not as 7.
    if text == "*" { return kind.range.lowerBound...min(kind.range.upperBound, kind.starMax) }
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let first = try number(ends[0], kind)
    guard ends.count == 2 else { return first...first }
    var last = try number(ends[1], kind)
    // In `fri-sun`, Sunday is the last day of the week.
    if kind.range.upperBound == 7, last == 0, first > 0 { last = 7 }
    guard first <= last else {
      throw problem(text, "is a range that goes backwards", kind)
    }
    return first...last
  }

  private static func number(_ text: Substring, _ kind: Kind) throws(ScheduleTextError) -> Int {
    let word = text.lowercased()
    if let index = kind.names.firstIndex(of: word) { return index + kind.firstNamed }
    guard let number = digits(text) else {
      throw problem(text, "is unknown\(NearestName.hint(word, among: kind.names))", kind)
    }
    guard kind.range.contains(number) else {
      let range = "\(kind.range.lowerBound) to \(kind.range.upperBound)"
      throw problem(text, "is not from \(range)", kind)
    }
    return number
  }

  /// Returns the number in a text of digits; nil for any other text. `Int` would also accept `+5`.
  private static func digits(_ text: Substring) -> Int? {
    text.utf8.allSatisfy(ByteSet.digits.contains) ? Int(text) : nil
  }

  private static func problem(
    _ text: Substring, _ problem: String, _ kind: Kind
  ) -> ScheduleTextError {
    ScheduleTextError(
      "\(ScheduleTextError.quoted(text)) \(problem) in the \(kind.name) field of a cron line;"
        + " use a value such as \(kind.example)")
  }
}

extension CronField.Kind {
  fileprivate var starMax: Int { range.upperBound == 7 ? 6 : range.upperBound }
}

/// The error for an invalid value of a schedule, such as an interval, a rate or a condition.
package struct ScheduleTextError: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }

  static func quoted(_ text: some StringProtocol) -> String { "'\(text.prefix(60))'" }
}

package import FetchValues

/// A schedule in local time, in the form of crontab(5): minute, hour, day of the month, month and
/// day of the week. The caller of `next(after:zone:)` gives the time zone.
///
/// If neither day field begins with `*`, a day that matches one of the two fields is enough.
/// Otherwise a day must match both fields.
package struct CronLine: Hashable, Sendable {
  /// The line as the user wrote it.
  package let text: String
  let minutes: CronField
  let hours: CronField
  let daysOfMonth: CronField
  let months: CronField
  let weekdays: CronField

  private static let names = [
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
  ]

  package init(parsing text: String) throws(ScheduleTextError) {
    self.text = text
    let line = try Self.written(text)
    let fields = line.split(separator: " ")
    guard fields.count == 5 else {
      throw ScheduleTextError(
        "a cron line has 5 fields (minute, hour, day, month, weekday),"
          + " but \(ScheduleTextError.quoted(text)) has \(fields.count)")
    }
    minutes = try CronField(parsing: fields[0], as: CronField.minute)
    hours = try CronField(parsing: fields[1], as: CronField.hour)
    daysOfMonth = try CronField(parsing: fields[2], as: CronField.dayOfMonth)
    months = try CronField(parsing: fields[3], as: CronField.month)
    weekdays = try CronField(parsing: fields[4], as: CronField.weekday)
    guard hasADay else {
      throw ScheduleTextError(
        "the cron line \(ScheduleTextError.quoted(text)) is never due: none of its months has such"
          + " a day")
    }
  }

  /// Returns the five fields that a name such as `@daily` represents. Throws an error for an
  /// unknown name. If the text does not begin with `@`, returns the text with spaces instead of
  /// tabs.
  private static func written(_ text: String) throws(ScheduleTextError) -> String {
    guard text.hasPrefix("@") else { return text.replacing("\t", with: " ") }
    if let line = names[text] { return line }
    let known = names.keys.sorted()
    let hint = NearestName.hint(text, among: known)
    throw ScheduleTextError(
      "\(ScheduleTextError.quoted(text)) is unknown\(hint); use one of"
        + " \(known.joined(separator: ", "))")
  }

  /// Whether a day that matches the line exists in any year. The result is false for the 30th of
  /// February.
  private var hasADay: Bool {
    if !weekdays.isWild { return true }
    return (1...12).contains { month in
      guard months.has(month) else { return false }
      let last = month == 2 ? 29 : [4, 6, 9, 11].contains(month) ? 30 : 31
      return (1...last).contains { daysOfMonth.has($0) }
    }
  }

  func isWanted(_ date: CivilDate) -> Bool {
    let (_, month, day) = date.parts
    guard months.has(month) else { return false }
    let fitsDay = daysOfMonth.has(day)
    let fitsWeekday = weekdays.has(date.weekday)
    return daysOfMonth.isWild || weekdays.isWild
      ? fitsDay && fitsWeekday : fitsDay || fitsWeekday
  }

  /// Whether the line follows real time through a clock change. This is true if the minute or the
  /// hour begins with `*`, or if all hours are listed. The rule for `*` is that of vixie-cron's
  /// `MIN_STAR` and `HR_STAR` (ISC cron 4.1, cron.c, find_jobs).
  var keepsItsPace: Bool { minutes.isWild || hours.isWild || hours.bits == 0xFF_FFFF }

  /// Returns the first matching minute of the day at or after the given minute; nil if there is
  /// none.
  func firstMinute(from minute: Int) -> Int? {
    var hour = minute / 60
    var rest = minutes.bits & (~0 << UInt64(minute % 60))
    while hour < 24 {
      if hours.has(hour), rest != 0 { return hour * 60 + rest.trailingZeroBitCount }
      hour += 1
      rest = minutes.bits
    }
    return nil
  }
}

extension CronLine {
  /// The maximum number of days to search, which is enough for every line. The 29th of February has
  /// the same day of the week again after at most 28 years, or 40 years around 2100.
  private static let daysMax = 41 * 366

  /// Returns the first due time after `time`; nil if there is none within 41 years.
  ///
  /// At a clock change, the function follows vixie-cron. If `keepsItsPace` is true, the line
  /// follows real time. Otherwise, the line is due once for all times that the clocks skip,
  /// directly after the gap. A time that the clocks show twice is due only the first time.
  package func next(after time: Timestamp, zone: ZoneOffsets) -> Timestamp? {
    let today = zone.date(at: time)
    // If the clocks go back over midnight, the clocks show yesterday's date again after today has
    // begun.
    var day = CivilDate(daysSinceEpoch: today.daysSinceEpoch - 1)
    for _ in 0..<Self.daysMax {
      defer { day.daysSinceEpoch += 1 }
      guard isWanted(day) else { continue }
      let clock = ClockDay(day, in: zone)
      guard let found = first(after: time, on: clock) else { continue }
      guard clock.change != nil else { return found }
      let following = CivilDate(daysSinceEpoch: day.daysSinceEpoch + 1)
      guard isWanted(following),
        let other = first(after: time, on: ClockDay(following, in: zone))
      else { return found }
      return min(found, other)
    }
    return nil
  }

  private func first(after time: Timestamp, on day: ClockDay) -> Timestamp? {
    guard day.change != nil else { return firstOfPlainDay(after: time, day) }
    var best: Timestamp?
    var minute = firstMinute(from: 0)
    while let current = minute {
      for instant in instants(of: day.moment(minute: current)) where instant > time {
        best = min(best ?? instant, instant)
      }
      minute = firstMinute(from: current + 1)
    }
    return best
  }

  private func firstOfPlainDay(after time: Timestamp, _ day: ClockDay) -> Timestamp? {
    let passed = time.seconds - day.plainStart.seconds
    guard passed < 86_400 else { return nil }
    let from = passed < 0 ? 0 : Int(passed / 60) + 1
    return firstMinute(from: from).map {
      Timestamp(seconds: day.plainStart.seconds + Int64($0) * 60)
    }
  }

  private func instants(of moment: ClockMoment) -> [Timestamp] {
    switch moment {
    case .once(let instant): [instant]
    case .skipped(let end): keepsItsPace ? [] : [end]
    case .twice(let first, let second): keepsItsPace ? [first, second] : [first]
    }
  }
}

extension CronLine {
  /// The syntax of a line's five fields as a regular expression (ECMA 262). The expression matches
  /// every line that the parser accepts, except names such as `@daily`. It also matches two kinds
  /// of lines that the parser rejects: backward ranges, and nonexistent dates such as February 30.
  package static let pattern: String = {
    let kinds = [
      CronField.minute, CronField.hour, CronField.dayOfMonth, CronField.month, CronField.weekday,
    ]
    let space = "[ \\t]"
    return "\(space)*" + kinds.map(\.pattern).joined(separator: "\(space)+") + "\(space)*"
  }()
}

extension CronField.Kind {
  /// The regular expression for one field: `*` or a range with an optional step, a number, or a
  /// list of these.
  fileprivate var pattern: String {
    let number =
      "(" + (names.map(\.inAnyCase) + [Self.pattern(of: range)]).joined(separator: "|") + ")"
    let step = "(/\(Self.pattern(of: 1...range.upperBound)))?"
    let part = "(\\*\(step)|\(number)(-\(number)\(step))?)"
    return "(\(part)(,(?![ \\t]|$)|(?=[ \\t]|$)))+"
  }

  /// Returns the regular expression for the numbers in a range within 0...99. Leading zeros are
  /// allowed.
  private static func pattern(of range: ClosedRange<Int>) -> String {
    let tens = Dictionary(grouping: range) { $0 / 10 }.sorted { $0.key < $1.key }
    let parts = tens.map { ten, numbers in
      let (first, last) = (numbers.min() ?? 0, numbers.max() ?? 0)
      let units = first == last ? "\(first % 10)" : "[\(first % 10)-\(last % 10)]"
      return (ten, units)
    }
    var (texts, tensOf): ([String], [String: [Int]]) = ([], [:])
    for (ten, units) in parts {
      if ten == 0 { texts.append(units) } else { tensOf[units, default: []].append(ten) }
    }
    for (units, list) in tensOf.sorted(by: { $0.value[0] < $1.value[0] }) {
      let digits = list.map(String.init).joined()
      texts.append((list.count == 1 ? digits : "[\(digits)]") + units)
    }
    return "0*(" + texts.joined(separator: "|") + ")"
  }
}

extension String {
  /// A regular expression that matches this string in any mix of upper and lower case. The string
  /// must consist of lower-case ASCII letters.
  package var inAnyCase: String { map { "[\($0)\($0.uppercased())]" }.joined() }
}

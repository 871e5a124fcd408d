package import FetchValues

/// A schedule by the clock of a zone, in the form of crontab(5): minute, hour, day of the month,
/// month and day of the week.
///
/// If neither day field begins with `*`, a day that matches one of them is enough.
package struct CronLine: Hashable, Sendable {
  /// The text as written.
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
          + " \(ScheduleTextError.quoted(text)) has \(fields.count)")
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

  /// Returns the line for names such as `@daily`, and white space as single spaces.
  private static func written(_ text: String) throws(ScheduleTextError) -> String {
    guard text.hasPrefix("@") else { return text.replacing("\t", with: " ") }
    if let line = names[text] { return line }
    let known = names.keys.sorted()
    let hint = NearestName.hint(text, among: known)
    throw ScheduleTextError(
      "\(ScheduleTextError.quoted(text)) is unknown\(hint); use one of"
        + " \(known.joined(separator: ", "))")
  }

  /// Whether such a day exists; false for the 30th of February.
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

  /// Whether the line follows real time through a clock change: vixie-cron's `MIN_STAR` and
  /// `HR_STAR` (ISC cron 4.1, cron.c, find_jobs), and a list of all hours.
  var keepsItsPace: Bool { minutes.isWild || hours.isWild || hours.bits == 0xFF_FFFF }

  /// Returns the first matching minute of the day from that one on.
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
  /// 29 February is missing for eight years around 2100; a line without a match by then never has
  /// one.
  private static let daysMax = 9 * 366

  /// Returns the first due instant after `time`; nil if there is none in nine years.
  ///
  /// At a clock change it follows vixie-cron. A line for certain times is due once, right after the
  /// gap, for all skipped times. In an hour that comes twice it is due only the first time. A line
  /// whose minute or hour begins with `*` follows real time.
  package func next(after time: Timestamp, zone: ZoneOffsets) -> Timestamp? {
    let today = zone.date(at: time)
    // If the clocks go back over midnight, yesterday comes again after today has begun.
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

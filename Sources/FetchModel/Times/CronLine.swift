package import FetchValues

/// When a job runs by the clock of its zone, as crontab(5) has it: minute, hour, day of the month,
/// month and day of the week.
///
/// Where neither day field begins with `*`, a day that fits one of them is enough.
package struct CronLine: Hashable, Sendable {
  /// As it was written.
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
        "the cron line \(ScheduleTextError.quoted(text)) never comes: none of its months has such"
          + " a day")
    }
  }

  /// Names such as `@daily` as the line they stand for; white space as single spaces.
  private static func written(_ text: String) throws(ScheduleTextError) -> String {
    guard text.hasPrefix("@") else { return text.replacing("\t", with: " ") }
    if let line = names[text] { return line }
    let known = names.keys.sorted()
    let hint = NearestName.hint(text, among: known)
    throw ScheduleTextError(
      "\(ScheduleTextError.quoted(text)) is unknown\(hint); there are"
        + " \(known.joined(separator: ", "))")
  }

  /// False for the 30th of February.
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

  /// Whether the line follows real time through a change of the clock: vixie-cron's `MIN_STAR` and
  /// `HR_STAR` (ISC cron 4.1, cron.c, find_jobs), and a list of all hours.
  var keepsItsPace: Bool { minutes.isWild || hours.isWild || hours.bits == 0xFF_FFFF }

  /// The first wanted minute of the day at or after that one.
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
  /// 29 February is missing for eight years around 2100; a line that is not met by then never is.
  private static let daysMax = 9 * 366

  /// The first instant after that one at which the line is due; nil if there is none in nine years.
  ///
  /// Where the zone's clock is changed, as users of vixie-cron expect: a line for certain times is
  /// due once, right after the gap, for all that was skipped, and only the first time in an hour
  /// that comes twice; one whose minute or hour begins with `*` keeps its pace in real time.
  package func next(after time: Timestamp, zone: ZoneOffsets) -> Timestamp? {
    let today = zone.date(at: time)
    // Where clocks go back over midnight, yesterday comes again after today has begun.
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

package import FetchValues

/// The times when a job may run, on the clocks of its time zone. A window that spans midnight
/// counts for the day on which the window begins.
package struct RunTimes: Hashable, Sendable {
  /// The parts of the day when the job may run; an empty list means the whole day.
  package var windows: [DayWindow] = []
  package var days: Weekdays = .all
  package var zone: ZoneOffsets

  package init(windows: [DayWindow] = [], days: Weekdays = .all, zone: ZoneOffsets) {
    self.windows = windows
    self.days = days
    self.zone = zone
  }

  package var isAlways: Bool { windows.isEmpty && days == .all }

  package func contains(_ time: Timestamp) -> Bool {
    if isAlways { return true }
    let clock = zone.clockSeconds(at: time)
    let day = clock.floorDivided(by: 86_400)
    let minute = Int((clock - day * 86_400) / 60)
    let isToday = isWanted(day)
    let isYesterday = isWanted(day - 1)
    return shownWindows.contains { window in
      if !window.crossesMidnight {
        return isToday && window.start <= minute && minute < window.end
      }
      return isToday && minute >= window.start || isYesterday && minute < window.end
    }
  }

  /// Returns `time` itself if the job may run at this time; otherwise the next time at which the
  /// job may run. Returns nil if there is no such time within three weeks. This can happen only if
  /// clock changes skip every window.
  package func next(from time: Timestamp) -> Timestamp? {
    if contains(time) { return time }
    let today = zone.date(at: time).daysSinceEpoch
    var first: Timestamp?
    var day = today - 1
    var last = today + Self.daysMax
    while day <= last {
      let clock = ClockDay(CivilDate(daysSinceEpoch: day), in: zone)
      let openings = openings(of: clock, isWanted: isWanted(day))
      if let found = openings.filter({ $0 >= time && contains($0) }).min() {
        first = min(first ?? found, found)
        // The `change` of a day may be up to two days later than the day itself.
        last = min(last, day + 2)
      }
      day += 1
    }
    return first
  }

  /// The number of days to search. A weekday recurs after seven days, and a clock change may remove
  /// its window once.
  private static let daysMax: Int64 = 21

  /// Returns the times at which a window may begin: at the window's start, and at clock changes.
  private func openings(of day: ClockDay, isWanted: Bool) -> [Timestamp] {
    var instants = day.change.map { [$0.at] } ?? []
    guard isWanted else { return instants }
    for window in shownWindows {
      switch day.moment(minute: window.start) {
      case .once(let instant), .skipped(let instant): instants.append(instant)
      case .twice(let first, let second): instants += [first, second]
      }
    }
    return instants
  }

  private var shownWindows: [DayWindow] { windows.isEmpty ? [.wholeDay] : windows }

  private func isWanted(_ daysSinceEpoch: Int64) -> Bool {
    days.contains(CivilDate(daysSinceEpoch: daysSinceEpoch).weekday)
  }
}

extension RunTimes: CustomStringConvertible {
  /// The run times as text for messages: `mon,tue 07:00-22:00 Europe/Berlin`.
  package var description: String {
    guard !isAlways else { return "always" }
    var parts: [String] = []
    if days != .all { parts.append(days.description) }
    if !windows.isEmpty { parts.append(windows.map(\.description).joined(separator: ", ")) }
    return (parts + [zone.name]).joined(separator: " ")
  }
}

/// The rule for due times that a job missed, for example because fetchrun was not running.
package enum CatchUp: String, Sendable, CaseIterable {
  /// The job does not run for missed times and waits for its next due time.
  case none
  /// The job runs once for all missed times.
  case one
  /// The job runs for each missed time, one after the other, with up to `runsMax` runs in a row. A
  /// failed run, for example, ends this series early.
  case all
  /// The job runs once, at a random moment within 15 minutes after fetchrun detects the missed
  /// times.
  case staggered

  /// The maximum number of runs in a row for `all`. Without this limit, a job could run 100,000
  /// times after a year without fetchrun.
  package static let runsMax = 100
}

/// A part of the day, such as `07:00-22:00`. A window such as `22:00-06:00` spans midnight.
package struct DayWindow: Hashable, Sendable {
  /// The first minute of the window, in minutes after midnight: 0...1439.
  package let start: Int
  /// The first minute after the window, in minutes after midnight: 1...1440.
  package let end: Int

  package static let wholeDay = DayWindow(start: 0, end: 1440)

  private init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  package init(parsing text: String) throws(ScheduleTextError) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = Self.minute(ends[0]), let end = Self.minute(ends[1]),
      start < 1440
    else {
      throw ScheduleTextError(
        "\(ScheduleTextError.quoted(text)) is not a valid range of times; use a range such as"
          + " \"07:00-22:00\"")
    }
    guard start != end else {
      throw ScheduleTextError(
        "\(ScheduleTextError.quoted(text)) is an empty range; for the whole day, use"
          + " \"00:00-24:00\"")
    }
    self.start = start
    self.end = end == 0 ? 1440 : end
  }

  /// Returns the minute of the day for a time such as `7:00` or `07:00`, up to `24:00`; nil for any
  /// other text. Spaces before and after the time are allowed.
  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let hour = parts[0].drop { $0 == " " }
    let minute = parts[1].prefix { $0 != " " }
    guard parts[1].dropFirst(minute.count).allSatisfy({ $0 == " " }), minute.utf8.count == 2,
      (1...2).contains(hour.utf8.count),
      hour.utf8.allSatisfy(ByteSet.digits.contains),
      minute.utf8.allSatisfy(ByteSet.digits.contains),
      let hours = Int(hour), let minutes = Int(minute), minutes < 60,
      hours * 60 + minutes <= 1440
    else { return nil }
    return hours * 60 + minutes
  }

  var crossesMidnight: Bool { end <= start }
}

extension DayWindow: CustomStringConvertible {
  package var description: String {
    func clock(_ minute: Int) -> String {
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return two(minute / 60) + ":" + two(minute % 60)
    }
    return clock(start) + "-" + clock(end)
  }
}

/// A set of weekdays, such as `mon-fri` or `sat, sun`.
package struct Weekdays: Hashable, Sendable {
  /// The days of the set, one bit for each day. Bit 0 is Sunday.
  private var bits: UInt8

  static let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

  package static let all = Weekdays(bits: 0x7F)

  init(bits: UInt8) { self.bits = bits }

  /// Returns the number of the weekday with a name such as `mon` or `Monday`. Sunday is 0. The
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
    let known = names + longNames + (ends.count == 2 ? [] : ["weekdays", "weekend", "daily"])
    var day = try number(ends[0], among: known)
    let last = try ends.count == 2 ? number(ends[1], among: known) : day
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

  /// Returns the number of a weekday. The message for an unknown name may suggest one of `known`.
  private static func number(
    _ word: Substring, among known: [String]
  ) throws(ScheduleTextError) -> Int {
    if let number = number(named: word) { return number }
    throw ScheduleTextError(
      "\(ScheduleTextError.quoted(word)) is not a day\(NearestName.hint(String(word), among: known));"
        + " use days such as mon-fri or sat,sun")
  }
}

extension Weekdays: CustomStringConvertible {
  /// The days as text, beginning with Monday: `mon,tue`.
  package var description: String {
    [1, 2, 3, 4, 5, 6, 0].filter(contains).map { Self.names[$0] }.joined(separator: ",")
  }
}

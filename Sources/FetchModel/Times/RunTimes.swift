package import FetchValues

/// The times when a job may run, on the clocks of its time zone. A window that spans midnight
/// counts for the day on which the window begins.
package struct RunTimes: Hashable, Sendable {
  /// The windows of the day; an empty list means the whole day.
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

  /// Returns `time` itself if the job may run then, otherwise the next time at which the job may
  /// run. The result is nil if there is no such time within three weeks, which only a clock change
  /// over every window could cause.
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
        // A day's clock change may be as late as on the second day after it.
        last = min(last, day + 2)
      }
      day += 1
    }
    return first
  }

  /// A weekday returns after seven days, and a clock change may remove its window once.
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

/// The rule for the due times that a job missed while fetchrun was not running.
package enum CatchUp: String, Sendable, CaseIterable {
  /// The job does not run for missed times and waits for its next due time.
  case none
  /// The job runs once for all missed times.
  case one
  /// The job runs once for each missed time, up to `runsMax` runs in a row.
  case all
  /// The job runs once, at a moment between now and its next due time.
  case staggered

  /// The maximum number of runs in a row for `all`, so that a job that was off for a year does not
  /// run 100,000 times.
  package static let runsMax = 100
}

package import FetchValues

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

/// The learned facts about a job's source. `AdaptiveSchedule` plans the next fetch with these
/// facts.
package struct AdaptiveState: Equatable, Sendable {
  /// Whether the source dates its items. If not, the state learns from the changes of the source.
  package let datesItems: Bool
  package internal(set) var rate: RateBelief
  var prior: RateBelief
  var profile = WeekProfile()
  var bursts = BurstBelief()
  var timetable = TimetableBelief()
  package internal(set) var modified = ModifiedBelief()
  /// The weighted number of items, plus 1. Older items count less. `events` is the weighted number
  /// of the events in which these items were published, plus 1.
  var items = 1.0
  var events = 1.0
  /// The number of observed runs. The random part of the back-off is derived from this number.
  package internal(set) var runs = 0
  package internal(set) var failures = 0
  /// The time of the first of the consecutive failures, in seconds; nil if the last run did not
  /// fail.
  package internal(set) var failingSince: Double?
  package internal(set) var retryAt: Double?
  /// The time of the last run that did not fail.
  package internal(set) var lastGoodAt: Double?
  var lastEventAt: Double?
  /// The largest number of items that the source has shown at once; 0 if unknown.
  package internal(set) var window = 0
  var demand = DemandLevels()

  static let halfLife = 20 * WeekClock.daySeconds
  /// The maximum length, in seconds, of the time that one run can teach about. This time ends with
  /// the run.
  static let replayMax = 60 * WeekClock.daySeconds
  static let windowMax = 100_000
  /// The time in seconds within which several items count as one event.
  static let eventApart = 60.0

  package init(datesItems: Bool) {
    self.datesItems = datesItems
    prior = AdaptiveRate.prior(datesItems: datesItems)
    rate = prior
  }

  /// Whether any run has shown when the source published something.
  package var hasSeenNews: Bool { lastEventAt != nil }

  /// Whether the rate is learned from at least one event, and not only from the prior and from times
  /// without events.
  package var hasSeenEvents: Bool { hasSeenNews || rate.events > prior.events + 1e-6 }

  /// The mean number of items per second over a week.
  package var itemsPerSecond: Double { publication.itemsPerSecond }

  /// The source's publication rate.
  package var publication: AdaptiveRate {
    AdaptiveRate(datesItems: datesItems, rate: rate, items: items, events: events)
  }

  var itemsPerEvent: Double { publication.itemsPerEvent }

  /// Learns from a run that ended at `now`. If `now` is before the last successful run because the
  /// clock was set back, the rate does not change.
  package mutating func learn(
    from observation: AdaptiveObservation, at now: Double, shared: inout AdaptiveShared,
    clock: WeekClock
  ) {
    guard Self.instants.contains(now) else { return }
    runs = runs < Int.max ? runs + 1 : 0
    // The clock may have been set back.
    lastGoodAt = lastGoodAt.map { min($0, now) }
    lastEventAt = lastEventAt.map { min($0, now) }
    switch observation {
    case .failed(let retryAfter):
      failures = min(failures + 1, 1000)
      failingSince = failingSince ?? now
      retryAt = retryAfter.flatMap { wait in
        wait.isFinite ? now + min(max(wait, 0), 30 * WeekClock.daySeconds) : nil
      }
      return
    case .items(let seen): learn(from: seen, at: now, shared: &shared, clock: clock)
    case .changed(let changed, let modifiedAt):
      let changedAt = modified.learn(modifiedAt, changed: changed, since: lastGoodAt, at: now)
      if let changedAt, changedAt > now - Self.replayMax {
        learn(changedAt: changedAt, at: now, &shared, clock)
      } else {
        learn(changed: changed, at: now, shared: &shared, clock: clock)
      }
    }
    failures = 0
    failingSince = nil
    retryAt = nil
    lastGoodAt = max(now, lastGoodAt ?? now)
  }

  private mutating func learn(
    from seen: ItemsSeen, at now: Double, shared: inout AdaptiveShared, clock: WeekClock
  ) {
    window = max(window, min(seen.shownCount, Self.windowMax))
    let past = max(lastGoodAt ?? -.infinity, now - Self.replayMax)
    guard now > past else { return }
    let dated = seen.newTimes.filter { $0 > past && $0 <= now }.sorted()
    var times = dated
    var start = past
    if lastGoodAt == nil {
      guard let oldest = times.first else { return }
      start = oldest
    } else {
      // If most new items have dates outside the observed time, the run shows only that there were
      // new items.
      if dated.count * 2 < seen.newTimes.count {
        return learn(changed: true, at: now, shared: &shared, clock: clock)
      }
      times = seen.newTimes.map { $0 > past ? min($0, now) : past }.sorted()
      if times.count >= seen.shownCount, let oldest = times.first, oldest > past {
        // Every shown item is new, so older items may have left the feed before this run saw them.
        // Only the time since the oldest shown item is known.
        start = oldest
      }
    }
    let isOpen = start != past
    // The oldest item only marks the start of the observed time, so it is not counted as an event
    // of this time.
    replay(isOpen ? Array(times.dropFirst()) : times, from: start, to: now, &shared, clock)
  }

  /// Learns from the events day by day, because learning a day uses the shapes and weights learned
  /// from the previous days.
  private mutating func replay(
    _ times: [Double], from start: Double, to end: Double, _ shared: inout AdaptiveShared,
    _ clock: WeekClock
  ) {
    var at = start
    var next = 0
    while at < end {
      let until = end - at > 1.5 * WeekClock.daySeconds ? at + WeekClock.daySeconds : end
      let first = next
      while next < times.count, times[next] <= until { next += 1 }
      learn(times[first..<next], from: at, to: until, &shared, clock)
      at = until
    }
  }

  private mutating func learn(
    _ times: ArraySlice<Double>, from start: Double, to end: Double,
    _ shared: inout AdaptiveShared, _ clock: WeekClock
  ) {
    let (known, previous) = (events, lastEventAt)
    var marks: [Double] = []
    for time in times {
      if let last = lastEventAt, time - last < Self.eventApart { continue }
      marks.append(time)
      lastEventAt = time
    }
    forget(over: end - start)
    items += Double(times.count)
    events += Double(marks.count)
    let shapes = WeekShapes(profile.counts, pool: shared.pool)
    let integral = shapes.integral(from: start, to: end, clock: clock)
    let mean = rate.mean
    var logs = ShapeVector()
    for index in 0..<WeekShapes.count { logs[index] = -mean * integral[index] }
    var base: [Double] = []
    base.reserveCapacity(marks.count)
    for mark in marks {
      let values = shapes.values(at: clock.secondOfWeek(mark))
      base.append(profile.trust.dot(values))
      for index in 0..<WeekShapes.count { logs[index] += Exponential.log(max(values[index], 1e-3)) }
    }
    let offset = clock.offset
    let timed = timetable.learn(
      events: marks.map { $0 + offset }, shapes: base, after: previous.map { $0 + offset },
      from: start + offset, to: end + offset, exposure: profile.trust.dot(integral), mean: mean,
      known: known)
    let exposure = timed.exposure
    bursts.learn(
      events: marks, base: timed.shapes.map { mean * $0 }, from: start, to: end,
      expected: mean * exposure)
    profile.judge(logs)
    rate.learn(events: Double(marks.count), exposure: exposure)
    watch(from: start, to: end, clock)
    for mark in marks { count(mark, weight: 1, &shared, clock) }
    if !marks.isEmpty { shared.pool.refresh() }
  }

  private mutating func learn(
    changed: Bool, at now: Double, shared: inout AdaptiveShared, clock: WeekClock
  ) {
    guard let lastGoodAt, now > lastGoodAt else { return }
    let past = max(lastGoodAt, now - Self.replayMax)
    forget(over: now - past)
    let shapes = WeekShapes(profile.counts, pool: shared.pool)
    let integral = shapes.integral(from: past, to: now, clock: clock)
    let exposure = profile.trust.dot(integral)
    let mean = rate.mean
    var logs = ShapeVector()
    for index in 0..<WeekShapes.count {
      let expected = mean * integral[index]
      logs[index] =
        changed ? Exponential.log(max(1 - Exponential.exp(-expected), 1e-6)) : -expected
    }
    profile.judge(logs)
    rate.learn(changed: changed, exposure: exposure)
    bursts.skip(now - past)
    watch(from: past, to: now, clock)
    guard changed, exposure > 0 else { return }
    // The change happened at an unknown time between `past` and `now`, so its weight is spread over
    // this time according to the shape.
    let expected = mean * exposure
    let count = min(max(expected / max(1 - Exponential.exp(-expected), 1e-6), 1), 50)
    let trust = profile.trust
    WeekPieces.forEach(from: past, to: now, clock: clock) { second, length, _ in
      let share = length * trust.dot(shapes.values(at: second)) / exposure
      profile.counts.count(second: second, weight: Float(count * share))
    }
  }

  /// Learns from a source that gives the date of its last change. The source has not changed since
  /// this date. The number of changes between the previous successful run and this date is unknown.
  private mutating func learn(
    changedAt time: Double, at now: Double, _ shared: inout AdaptiveShared, _ clock: WeekClock
  ) {
    let unknown = max(0, time - max(lastGoodAt ?? time, now - Self.replayMax))
    forget(over: unknown)
    bursts.skip(unknown)
    replay([time], from: time, to: now, &shared, clock)
  }

  private mutating func forget(over time: Double) {
    let kept = Exponential.exp(-0.693_147_180_559_945_3 * time / Self.halfLife)
    rate.forget(kept, towards: prior)
    items = 1 + (items - 1) * kept
    events = 1 + (events - 1) * kept
    profile.counts.forget(Float(kept))
    timetable.forget(kept)
  }

  private mutating func watch(from start: Double, to end: Double, _ clock: WeekClock) {
    WeekPieces.forEach(from: start, to: end, clock: clock) { second, length, _ in
      profile.counts.watched[min(Int(second / 3600), 167)] += Float(length / 3600)
    }
  }

  private mutating func count(
    _ mark: Double, weight: Float, _ shared: inout AdaptiveShared, _ clock: WeekClock
  ) {
    let second = clock.secondOfWeek(mark)
    profile.counts.count(second: second, weight: weight)
    shared.pool.count(second: second, weight: Float(1 / (4 + events)))
  }

  /// Whether the times of the source's events are known. Without these times, no bursts are
  /// forecast.
  private var timesEvents: Bool { datesItems || modified.isBelieved && lastEventAt != nil }

  package func forecast(pool: PooledProfile, clock: WeekClock) -> RateForecast {
    RateForecast(
      itemsPerSecond: itemsPerSecond, itemsPerEvent: itemsPerEvent,
      shapes: WeekShapes(profile.counts, pool: pool), trust: profile.trust,
      bursts: timesEvents ? bursts : nil,
      timetable: TimetableForecast(timetable, events: events, clock: clock),
      from: lastGoodAt ?? 0, clock: clock)
  }
}

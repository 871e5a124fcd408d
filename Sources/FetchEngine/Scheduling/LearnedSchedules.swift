import FetchHost
package import FetchModel
package import FetchSchedule
import FetchValues

/// The shared data of jobs with `interval: adaptive`, and the planning of a job's next due time
/// after a run.
package struct LearnedSchedules: Sendable {
  package var shared: AdaptiveShared
  var habits = ReaderHabits()
  /// The share of each job's news that pushes report in time, for jobs with an active subscription.
  var pushedShares: [JobName: Double] = [:]
  /// The intervals of the config key `push.poll`.
  var pushPolls: [JobName: Duration] = [:]
  /// The time zone that determines the hours of the day.
  package var zone: ZoneOffsets
  /// Whether the next due times are planned. If not, they follow from the learned rate or the
  /// back-off alone. False for a command that runs jobs even if they are not due.
  package var plansAhead = true

  /// The minimum price of a request, as a waiting time of items in seconds. At this price, a source
  /// is checked again when the expected items have waited five minutes in total. A source with a
  /// hundred items a day is checked about every twelve minutes. A source with four items a day is
  /// checked about every hour. A source with one item a week is checked about every five hours. The
  /// minimum does not depend on the budget, since it limits the load on the source.
  package static let priceMin = 300.0

  private var bounds: AdaptiveBounds {
    shared.requestsPerSecond == nil ? .withoutBudget : .withBudget
  }

  /// - Parameter requestsPerHour: the number of requests per hour that the budget allows; nil
  ///   without a limit.
  package init(requestsPerHour: Double? = nil, zone: ZoneOffsets = .utc) {
    shared = AdaptiveShared(requestsPerHour: requestsPerHour)
    shared.priceMin = Self.priceMin
    self.zone = zone
  }

  /// Restores the learned data from the memory. The budget is not restored, since the present
  /// config sets it.
  mutating func resume(_ remembered: AdaptiveShared) {
    let (requestsPerSecond, priceMin) = (shared.requestsPerSecond, shared.priceMin)
    shared = remembered
    (shared.requestsPerSecond, shared.priceMin) = (requestsPerSecond, priceMin)
  }

  /// Learns from a run of a job with `interval: adaptive` and returns the job's next due time.
  /// Changes only `shared`, and uses neither a clock nor the store. Returns nil, and learns
  /// nothing, if the run failed with a code for which `tellsOfSource` is false. If `plansAhead` is
  /// false, may also learn nothing from a run without news.
  ///
  /// The caller stores the `state` of the result. An unreadable state is replaced by a new one.
  mutating func plan(
    _ job: ScheduledJob, _ schedule: JobSchedule, _ record: RunRecord, _ facts: RunFacts,
    _ hints: SourceHints, bucket: Double?, jitter: Jitter, now: Timestamp
  ) -> PlannedTime? {
    if case .failed(let failure) = record.outcome, !failure.code.tellsOfSource { return nil }
    let clock = WeekClock(unixWithZoneOffset: Double(zone.secondsEast(now)))
    let seconds = now.unixSeconds
    var planner = planner(of: job, clock)
    planner.hints = hints
    planner.jitter = jitter
    if !plansAhead, schedule.failureCount == 0, case .noData = record.outcome,
      let known = rate(schedule), known.datesItems
    {
      // Nothing is learned from this run. A later run also learns about the time before this run,
      // because `lastGoodAt` stays unchanged.
      return byRate(planner, known, state: schedule.adaptive, seconds)
    }
    var state = remembered(schedule) ?? AdaptiveState(datesItems: facts.datesItems)
    // Only a run with new items shows whether the source dates its items.
    if !state.hasSeenNews, facts.newCount > 0, state.datesItems != facts.datesItems {
      state = AdaptiveState(datesItems: facts.datesItems)
    }
    state.learn(
      from: facts.observation(record, datesItems: state.datesItems, now: now), at: seconds,
      shared: &shared, clock: clock)
    shared.settle(level: bucket ?? 0.5, now: seconds, clock: clock)
    guard plansAhead else {
      if let due = planner.nextTry(state, shared: shared, now: seconds) {
        return PlannedTime(dueAt: Timestamp(unixSeconds: due), hint: nil, state: state.encoded)
      }
      return byRate(planner, state.publication, state: state.encoded, seconds)
    }
    let next = planner.next(&state, shared: &shared, now: seconds)
    return PlannedTime(
      dueAt: Timestamp(unixSeconds: max(next.dueAt, seconds)), hint: next.hint,
      chosenAt: next.chosenAt.map { Timestamp(unixSeconds: $0) }, bound: next.bound,
      state: state.encoded)
  }

  /// Returns the interval for polling a source whose updates a hub pushes. Nil if the config sets
  /// no such interval, or if `pushedShares` has no share above 0 for the job.
  func pollWithPushes(of job: JobName) -> Duration? {
    guard let poll = pushPolls[job], (pushedShares[job] ?? 0) > 0 else { return nil }
    return poll
  }

  private func planner(of job: ScheduledJob, _ clock: WeekClock) -> AdaptiveSchedule {
    // Only the news that no push reports waits for a poll, so pushes lower the job's priority.
    let pushed = pushedShares.isEmpty ? nil : pushedShares[job.name]
    return AdaptiveSchedule(
      job: job.name, bounds: (pushed ?? 0) > 0 ? .withBudget : bounds,
      priority: Double(job.priority.value) / 50 * (1 - (pushed ?? 0)),
      usage: habits.profile(of: job.name),
      clock: clock)
  }

  private func byRate(
    _ planner: AdaptiveSchedule, _ known: AdaptiveRate, state: [UInt8], _ now: Double
  ) -> PlannedTime {
    let next = planner.nextByRate(known, shared: shared, now: now)
    return PlannedTime(
      dueAt: Timestamp(unixSeconds: max(next.dueAt, now)), hint: next.hint, state: state)
  }

  /// Returns the interval at which an adaptive job's source is checked, including the believed
  /// `ttl` and update period of its feed. Returns nil for other jobs, and before the first success.
  func pace(_ scheduler: Scheduler, _ number: JobNumber, now: Timestamp) -> Duration? {
    let schedule = scheduler.schedule(of: number)
    guard scheduler[number].interval == .adaptive, !schedule.adaptive.isEmpty,
      let state = remembered(schedule), state.lastGoodAt != nil
    else { return nil }
    let clock = WeekClock(unixWithZoneOffset: Double(zone.secondsEast(now)))
    let interval = planner(of: scheduler[number], clock)
      .pace(state.publication, shared: shared, now: now.unixSeconds).interval
    let wanted = feedInterval(state, schedule).seconds
    return .milliseconds(Int64(max(1, min(max(interval, wanted), 1e9)) * 1000))
  }

  /// Returns the interval that the believed `ttl` and update period of the feed ask for, at most
  /// `SourceHints.delayMax`; 0 seconds without such hints. Also returns whether all of the feed's
  /// hints are believed.
  private func feedInterval(
    _ state: AdaptiveState, _ schedule: JobSchedule
  ) -> (seconds: Double, isBelieved: Bool) {
    var hints = SourceHints()
    hints.feed = schedule.feedHints
    let believed = hints.believed(itemsPerSecond: state.publication.shownItemsPerSecond)
    let longest = [believed.feed.ttl, believed.feed.updatePeriod].compactMap(\.self).max()
    return (min(longest ?? .zero, SourceHints.delayMax) / .seconds(1), believed == hints)
  }

  /// Returns sentences about an adaptive job's source and about how often it is checked. Returns no
  /// sentences for other jobs, or before the first run.
  func sentences(_ scheduler: Scheduler, _ number: JobNumber, now: Timestamp) -> [String] {
    let schedule = scheduler.schedule(of: number)
    guard scheduler[number].interval == .adaptive, !schedule.adaptive.isEmpty,
      let state = remembered(schedule)
    else { return [] }
    let job = scheduler[number]
    return [
      pace(of: job, state, schedule, now), dates(state), retries(of: job, state, schedule, now),
    ].compactMap(\.self)
  }

  /// Returns a sentence which says whether the header Last-Modified is used as the date of the
  /// source's items. Returns nil if the items have dates, or if `ModifiedBelief.lastAt` is nil.
  private func dates(_ state: AdaptiveState) -> String? {
    guard !state.datesItems, state.modified.lastAt != nil else { return nil }
    return state.modified.isBelieved
      ? "Fewer than half of its new items had a readable date; the header Last-Modified is used as"
        + " the time of the items' last change."
      : "Fewer than half of its new items had a readable date. The header Last-Modified does not"
        + " fit the changes of the items, so it is ignored."
  }

  /// Returns a sentence with the longest delay before the next retry. Returns nil if the job is not
  /// in its back-off, or if the state has no failure of the source.
  private func retries(
    of job: ScheduledJob, _ state: AdaptiveState, _ schedule: JobSchedule, _ now: Timestamp
  ) -> String? {
    guard case .backOff = schedule.dueReason else { return nil }
    let clock = WeekClock(unixWithZoneOffset: Double(zone.secondsEast(now)))
    guard
      let retry = planner(of: job, clock)
        .retry(state, shared: shared, now: now.unixSeconds)
    else { return nil }
    let longest = Self.text(retry.delayMax)
    let age = retry.isYoung ? "less" : "more"
    return "Its runs have been failing for \(age) than a day: the delay before the next retry is"
      + " at most \(longest), unless the server asks for more."
  }

  /// Returns a sentence which says how often the source is checked and why; nil before the first
  /// successful run.
  private func pace(
    of job: ScheduledJob, _ state: AdaptiveState, _ schedule: JobSchedule, _ now: Timestamp
  ) -> String? {
    guard state.lastGoodAt != nil else { return nil }
    let clock = WeekClock(unixWithZoneOffset: Double(zone.secondsEast(now)))
    let (interval, price) = planner(of: job, clock)
      .pace(state.publication, shared: shared, now: now.unixSeconds)
    let bound =
      switch interval {
      case bounds.intervalMin: ", the shortest interval"
      case bounds.intervalMax:
        shared.requestsPerSecond == nil
          ? ", the longest interval without a budget" : ", the longest interval"
      default: ""
      }
    let feed = feedInterval(state, schedule)
    let isFeedTheLimit = feed.seconds > interval
    var sentence = "It is checked about every "
    if isFeedTheLimit {
      sentence +=
        "\(Self.words(feed.seconds)), as its feed asks. Without the hints of its feed, it would be"
        + " checked about every "
    }
    sentence +=
      "\(Self.words(interval))\(bound), because \(Self.reason(state))."
    if shared.requestsPerSecond != nil, !isFeedTheLimit {
      sentence +=
        price > shared.priceMin
        ? " The budget does not allow more checks." : " The budget is not the limit."
    }
    return sentence
      + (feed.isBelieved ? "" : " Hints of its feed that ask for far fewer checks are ignored.")
  }

  /// Returns a clause about the rate of a source. Without any event, the rate is only assumed. The
  /// number of runs includes failed ones.
  private static func reason(_ state: AdaptiveState) -> String {
    let rate = rate(state.itemsPerSecond)
    return state.hasSeenEvents
      ? "its source publishes \(rate) (learned after \(counted(state.runs, "run")))"
      : "a rate of \(rate) is assumed: no run has shown yet how often its source publishes"
  }

  /// Returns a rate such as `about 6 items a day`.
  private static func rate(_ itemsPerSecond: Double) -> String {
    for (seconds, period) in [(86_400.0, "day"), (7 * 86_400, "week"), (30 * 86_400, "month")] {
      let count = Int(min(max(itemsPerSecond * seconds, 0), 1e6).rounded())
      if count >= 1 { return "about \(counted(count, "item")) a \(period)" }
    }
    return "less than one item a month"
  }

  /// Returns a duration in the unit that suits its length, such as `48 minutes`, `5 hours` or `3
  /// days`.
  private static func words(_ seconds: Double) -> String {
    let seconds = min(max(seconds, 0), 1e9)
    if seconds < 120 { return counted(Int(seconds.rounded()), "second") }
    if seconds < 2 * 3600 { return counted(Int((seconds / 60).rounded()), "minute") }
    if seconds < 2 * 86_400 { return counted(Int((seconds / 3600).rounded()), "hour") }
    return counted(Int((seconds / 86_400).rounded()), "day")
  }

  /// Returns a duration as short text. A duration of two minutes or more is rounded to minutes.
  private static func text(_ seconds: Double) -> String {
    let step = seconds < 120 ? 1.0 : 60
    return Duration.seconds(Int64((min(seconds, 1e9) / step).rounded() * step)).shortText
  }

  private func rate(_ schedule: JobSchedule) -> AdaptiveRate? {
    try? ValueReader.read(schedule.adaptive, AdaptiveRate.init(from:))
  }

  private func remembered(_ schedule: JobSchedule) -> AdaptiveState? {
    try? AdaptiveState(encoded: schedule.adaptive)
  }
}

extension FailureCode {
  /// Whether an adaptive schedule counts the failure as a failure of the source.
  fileprivate var tellsOfSource: Bool {
    switch self {
    case .cancelled, .abandoned, .offline, .storeUnavailable, .internalError, .workerUnavailable:
      false
    default: true
    }
  }
}

extension RunFacts {
  /// Whether at least half of the new items have a readable date. Also true if there are no new
  /// items.
  fileprivate var datesItems: Bool { newTimes.count * 2 >= newCount }

  fileprivate func observation(
    _ record: RunRecord, datesItems: Bool, now: Timestamp
  ) -> AdaptiveObservation {
    if record.outcome.failure != nil {
      let until = retryAfters.map(\.until).max()
      return .failed(retryAfter: until.map { Double(($0 - now).wholeMilliseconds) / 1000 })
    }
    guard datesItems else {
      return .changed(
        record.outcome.counts.total > 0, modifiedAt: modifiedAt.map(\.unixSeconds))
    }
    let times = newTimes.map { Double($0.milliseconds) / 1000 }
    return .items(ItemsSeen(newTimes: times, shownCount: shownCount))
  }
}

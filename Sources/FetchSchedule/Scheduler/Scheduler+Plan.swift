import FetchModel
package import FetchValues

/// A time at which a job is expected to run.
package struct ExpectedRun: Hashable, Sendable {
  package var at: Timestamp
  /// Whether the time is the job's present due time. Later times are computed from the interval, as
  /// if each run succeeded and took no time.
  package var isExact: Bool

  package init(at: Timestamp, isExact: Bool) {
    self.at = at
    self.isExact = isExact
  }
}

extension Scheduler {
  /// Returns the times up to `end` at which a job is expected to run, earliest first. The list is
  /// empty for a job that is paused or disabled, or that runs only when triggered.
  ///
  /// - Parameters:
  ///   - pace: the interval of an adaptive job; nil if the interval is unknown.
  ///   - max: the maximum number of times.
  package func expectedRuns(
    of job: JobNumber, until end: Timestamp, pace: Duration?, max: Int, now: Timestamp
  ) -> [ExpectedRun] {
    let slot = job.slot
    let schedule = cells[slot].schedule
    guard jobs[slot].isEnabled, schedule.pausedAt == nil, allPausedAt == nil else { return [] }
    var runs: [ExpectedRun] = []
    var last = schedule.lastStartAt ?? now
    if cells[slot].place != .running {
      guard let dueAt = schedule.dueAt else { return [] }
      last = Swift.max(dueAt, now)
      if last < end { runs.append(ExpectedRun(at: last, isExact: true)) }
    }
    while runs.count < max, let next = expectedRun(slot, after: last, pace: pace), next > last,
      next < end
    {
      // A job that has run for longer than its interval runs again when it ends.
      last = Swift.max(next, now)
      runs.append(ExpectedRun(at: last, isExact: false))
    }
    return Array(runs.prefix(Swift.max(0, max)))
  }

  private func expectedRun(_ slot: Int, after time: Timestamp, pace: Duration?) -> Timestamp? {
    let next =
      jobs[slot].interval.isAdaptive
      ? time + (pace ?? Self.unplannedInterval) : natural(slot, after: time, now: time)?.at
    guard let next, let runTimes = jobs[slot].runTimes else { return next }
    return runTimes.next(from: next)
  }
}

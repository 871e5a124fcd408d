import FetchModel
package import FetchValues

extension Scheduler {
  typealias Planned = (at: Timestamp, reason: DueReason)

  /// Notes a new due time, for one reason; the job's place does not change.
  mutating func plan(_ slot: Int, _ planned: Planned?) {
    cells[slot].schedule.dueAt = planned?.at
    if let planned { cells[slot].schedule.dueReason = planned.reason }
    cells[slot].schedule.earlierReasons = []
  }

  /// When a job's interval has it run next, not before `now`; nil for `never`.
  func natural(_ slot: Int, after reference: Timestamp, now: Timestamp) -> Planned? {
    let next: Planned
    switch jobs[slot].interval {
    case .never: return nil
    case .every(let duration): next = (reference + duration, .interval)
    case .adaptive: next = (reference + Self.unplannedInterval, .adaptive)
    case .cron(let line):
      guard let time = line.next(after: reference, zone: jobs[slot].zone) else { return nil }
      next = (time, .cron)
    }
    return (max(next.at + jitter(slot), now), next.reason)
  }

  /// By how much the next time of a job's interval is moved.
  func jitter(_ slot: Int) -> Duration {
    guard jobs[slot].jitter > .zero, !jobs[slot].interval.isAdaptive else { return .zero }
    return jitter.delay(
      job: jobs[slot].name, count: cells[slot].schedule.runCount, max: jobs[slot].jitter)
  }

  /// Moves a job's next time, for who knows better: the learned schedule, a person. Nothing
  /// happens to a job that runs or has no time of its own.
  package mutating func reschedule(
    _ job: JobNumber, at time: Timestamp, reason: DueReason, now: Timestamp
  ) {
    see(now)
    guard cells[job.slot].place == .scheduled else { return }
    plan(job.slot, (time, reason))
    dueTimes.move(job.index, to: time.milliseconds, &positions)
  }

  /// A job that has failed is due: there is reason to believe that it goes well now.
  package mutating func retry(_ job: JobNumber, now: Timestamp) {
    switch cells[job.slot].schedule.dueReason {
    case .backOff, .probe: reschedule(job, at: now, reason: .sourceChanged, now: now)
    default: return
    }
  }
}

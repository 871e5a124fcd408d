import FetchSchedule
import FetchValues

extension ScheduledJobs {
  /// The names of the jobs that have failed last, and whose plugins load.
  func backingOff() -> [String] {
    withState { state in
      state.scheduler.numbers.compactMap { number in
        guard state.scheduler.schedule(of: number).failureCount > 0,
          let job = state.jobs[number], job.plugin.loadFailure == nil
        else { return nil }
        return job.name
      }
    }
  }

  func retry(_ name: String, now: Timestamp) {
    withState { state in
      guard let number = state.scheduler.number(of: name) else { return }
      state.scheduler.retry(number, now: now)
      state.changed.insert(number)
    }
  }
}

extension ScheduledJobs.State {
  /// Takes a job in, or what has changed of it.
  mutating func take(
    _ prepared: PreparedJob, _ scheduled: ScheduledJob, remembered: JobSchedule = JobSchedule(),
    now: Timestamp
  ) -> JobNumber {
    let number = scheduler.add(scheduled, remembered, now: now)
    let before = jobs.updateValue(prepared.job, forKey: number)
    if prepared.job.plugin.loadFailure == nil { resumeIfChanged(number, now: now) }
    retryIfChanged(number, from: before, now: now)
    failIfUnloaded(number, now: now)
    return number
  }

  /// A job whose plugin does not load fails at once, instead of at a time that may be days away:
  /// whoever looks at it then sees why.
  private mutating func failIfUnloaded(_ number: JobNumber, now: Timestamp) {
    guard jobs[number]?.plugin.loadFailure != nil,
      scheduler.schedule(of: number).failureCount == 0
    else { return }
    let isNew = scheduler.schedule(of: number).dueReason == .firstRun
    scheduler.reschedule(number, at: now, reason: isNew ? .firstRun : .sourceChanged, now: now)
  }

  mutating func notePlanned(_ number: JobNumber, now: Timestamp) {
    guard let dueAt = scheduler.schedule(of: number).dueAt, dueAt > now else { return }
    planned.append(number)
  }

  /// A job that has failed and asks something else now, or was given what it had not, need not wait
  /// for its next try.
  mutating func retryIfChanged(_ number: JobNumber, from before: Job?, now: Timestamp) {
    guard let before, scheduler.schedule(of: number).failureCount > 0, let job = jobs[number],
      before.source != job.source || before.claim != job.claim
        || before.secretSources != job.secretSources
        || before.plugin.loadFailure != job.plugin.loadFailure
    else { return }
    scheduler.retry(number, now: now)
    changed.insert(number)
  }

  /// Resumes a job that was paused by 410 Gone where it asks another source now; its due time.
  @discardableResult
  mutating func resumeIfChanged(_ number: JobNumber, now: Timestamp) -> Timestamp? {
    guard scheduler.holds(number), scheduler.isGone(number), let job = jobs[number],
      let notice = scheduler.asks(job.source, number, now: now)
    else { return nil }
    changed.insert(number)
    notices.append(JobNotice(job: job.name, notice: notice))
    return scheduler.schedule(of: number).dueAt
  }
}

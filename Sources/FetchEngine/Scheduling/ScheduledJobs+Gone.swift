import FetchSchedule
import FetchValues

extension ScheduledJobs {
  /// Returns the names of the jobs whose last run failed and whose plugins load.
  func backingOff() -> [JobName] {
    withState { state in
      state.scheduler.numbers.compactMap { number in
        guard state.scheduler.schedule(of: number).failureCount > 0,
          let job = state.jobs[number], job.plugin.loadFailure == nil
        else { return nil }
        return job.name
      }
    }
  }

  func retry(_ name: JobName, now: Timestamp) {
    withState { state in
      guard let number = state.scheduler.number(of: name) else { return }
      state.scheduler.retry(number, now: now)
      state.changed.insert(number)
    }
  }
}

extension ScheduledJobs.State {
  /// Adds a job, or applies the changes of an existing job.
  mutating func take(
    _ job: Job, _ scheduled: ScheduledJob, remembered: JobSchedule = JobSchedule(),
    now: Timestamp
  ) -> JobNumber {
    let number = scheduler.add(scheduled, remembered, now: now)
    // The config is not needed again, and a daemon may have 10,000 jobs.
    var served = job
    served.config = nil
    let before = jobs.updateValue(served, forKey: number)
    if job.plugin.loadFailure == nil { resumeIfChanged(number, now: now) }
    retryIfChanged(number, from: before, now: now)
    failIfUnloaded(number, now: now)
    return number
  }

  /// Makes a job whose plugin does not load due now. Its run then fails, and its status shows the
  /// reason. Otherwise its due time could be days away.
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

  /// Makes a failed job due now if its source, grant, secrets or plugin have changed.
  mutating func retryIfChanged(_ number: JobNumber, from before: Job?, now: Timestamp) {
    guard let before, scheduler.schedule(of: number).failureCount > 0, let job = jobs[number],
      before.source != job.source || before.claim != job.claim
        || before.secretSources != job.secretSources
        || before.plugin.loadFailure != job.plugin.loadFailure
    else { return }
    scheduler.retry(number, now: now)
    changed.insert(number)
  }

  /// Resumes a job that was paused by 410 Gone if the job's source has changed. Returns the job's
  /// due time.
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

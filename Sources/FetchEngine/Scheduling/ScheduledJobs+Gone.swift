import FetchModel

extension ScheduledJobs.State {
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

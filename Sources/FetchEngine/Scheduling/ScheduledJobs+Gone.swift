import FetchModel

extension ScheduledJobs.State {
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

import FetchModel
package import FetchValues

extension Scheduler {
  /// Pauses a job for a person; returns whether that changed anything. A current run continues, and
  /// none starts after it. A job that is paused because its source is gone stays so until it is
  /// resumed.
  @discardableResult
  package mutating func pause(_ job: JobNumber, now: Timestamp) -> Bool {
    see(now)
    let slot = job.slot
    guard cells[slot].schedule.pausedAt == nil || cells[slot].schedule.pauseCause != .person else {
      return false
    }
    leave(slot)
    cells[slot].schedule.pausedAt = now
    cells[slot].schedule.pauseCause = .person
    cells[slot].schedule.goneSource = []
    return true
  }

  /// Resumes a job: due at its earlier time, or immediately if that has passed.
  package mutating func resume(_ job: JobNumber, now: Timestamp) {
    resume(job, .resumed, now: now)
  }

  /// Whether a job is paused because its source answered 410 Gone.
  package func isGone(_ job: JobNumber) -> Bool {
    let schedule = cells[job.slot].schedule
    return schedule.pausedAt != nil && schedule.pauseCause == .gone
  }

  /// Sets the source that a job fetches: see `RunSummary.source`. If a different source answered
  /// 410 Gone, the job is resumed, and the notice for a person is returned; otherwise nil.
  package mutating func asks(_ source: [UInt8], _ job: JobNumber, now: Timestamp) -> Notice? {
    let gone = cells[job.slot].schedule.goneSource
    guard isGone(job), !gone.isEmpty, gone != source else { return nil }
    resume(job, .sourceChanged, now: now)
    return .sourceChanged
  }

  private mutating func resume(_ job: JobNumber, _ reason: DueReason, now: Timestamp) {
    see(now)
    let slot = job.slot
    guard cells[slot].schedule.pausedAt != nil else { return }
    cells[slot].schedule.pausedAt = nil
    cells[slot].schedule.pauseCause = .person
    cells[slot].schedule.goneSource = []
    guard cells[slot].place != .running else { return }
    if let due = cells[slot].schedule.dueAt {
      if due < now { cells[slot].schedule.moveDue(to: now, reason) }
    } else if jobs[slot].interval != .never {
      plan(slot, (now, reason))
    }
    settle(slot)
  }

  package mutating func pauseAll(now: Timestamp) {
    see(now)
    pauseAll(since: now)
  }

  /// Pauses all jobs as before a restart.
  package mutating func pauseAll(since: Timestamp) {
    allPausedAt = allPausedAt ?? min(since, seenAt)
  }

  /// Resumes all jobs. Times that passed meanwhile were missed: each job catches up as configured.
  package mutating func resumeAll(now: Timestamp) {
    see(now)
    allPausedAt = nil
  }
}

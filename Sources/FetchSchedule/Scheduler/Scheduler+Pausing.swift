import FetchModel
package import FetchValues

extension Scheduler {
  /// Pauses a job for a person, and returns false if a person had already paused it. A current run
  /// continues, and no further run starts until the job is resumed. If the job was already paused
  /// because its source is gone, it now stays paused until a person resumes it.
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

  /// Resumes a paused job. If the job is not running, a missing or past due time becomes now. With
  /// the interval `never`, a missing due time stays missing.
  package mutating func resume(_ job: JobNumber, now: Timestamp) {
    resume(job, .resumed, now: now)
  }

  /// Whether a job is paused because its source answered 410 Gone.
  package func isGone(_ job: JobNumber) -> Bool {
    let schedule = cells[job.slot].schedule
    return schedule.pausedAt != nil && schedule.pauseCause == .gone
  }

  /// Compares the source that a job fetches now (see `RunSummary.source`) with the source that
  /// answered 410 Gone. If the sources differ, resumes the job and returns the notice for a person.
  /// Returns nil if they are equal, or if the source that answered is unknown.
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

  /// Pauses all jobs. The pause counts from `since`, or from now if `since` is in the future. Does
  /// nothing if all jobs are already paused.
  package mutating func pauseAll(since: Timestamp) {
    allPausedAt = allPausedAt ?? min(since, seenAt)
  }

  /// Resumes all jobs. Due times that passed during the pause can count as missed: see
  /// `missedAfter`.
  package mutating func resumeAll(now: Timestamp) {
    see(now)
    allPausedAt = nil
  }
}

import FetchModel
package import FetchValues

extension Scheduler {
  /// By a person. A run under way goes on; nothing starts after it. Whether that changed anything:
  /// one that was paused since its source is gone stays so until it is resumed.
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

  /// Due where it was, or at once where that has passed.
  package mutating func resume(_ job: JobNumber, now: Timestamp) {
    resume(job, .resumed, now: now)
  }

  /// Whether a job is paused because its source answered 410 Gone.
  package func isGone(_ job: JobNumber) -> Bool {
    let schedule = cells[job.slot].schedule
    return schedule.pausedAt != nil && schedule.pauseCause == .gone
  }

  /// Whom a job asks now: see `RunSummary.source`. Where another one answered 410 Gone the job is
  /// resumed, and a person is to be told of that; nil where nothing changes.
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

  /// As it was before a restart.
  package mutating func pauseAll(since: Timestamp) {
    allPausedAt = allPausedAt ?? min(since, seenAt)
  }

  /// Times that have passed meanwhile were missed: each job catches up as it is configured to.
  package mutating func resumeAll(now: Timestamp) {
    see(now)
    allPausedAt = nil
  }
}

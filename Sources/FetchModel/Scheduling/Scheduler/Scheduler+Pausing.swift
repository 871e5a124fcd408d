extension Scheduler {
  /// A run under way goes on; nothing starts after it.
  package mutating func pause(_ job: JobNumber, now: Timestamp) {
    seenAt = max(seenAt, now)
    guard cells[job.slot].schedule.pausedAt == nil else { return }
    leave(job.slot)
    cells[job.slot].schedule.pausedAt = now
    cells[job.slot].schedule.pauseCause = .person
  }

  /// Due where it was, or at once where that has passed.
  package mutating func resume(_ job: JobNumber, now: Timestamp) {
    seenAt = max(seenAt, now)
    let slot = job.slot
    guard cells[slot].schedule.pausedAt != nil else { return }
    cells[slot].schedule.pausedAt = nil
    guard cells[slot].place != .running else { return }
    if let due = cells[slot].schedule.dueAt {
      if due < now { plan(slot, (now, .resumed)) }
    } else if jobs[slot].interval != .never {
      plan(slot, (now, .resumed))
    }
    settle(slot)
  }

  package mutating func pauseAll(now: Timestamp) {
    seenAt = max(seenAt, now)
    allPausedAt = allPausedAt ?? now
  }

  /// Times that have passed meanwhile were missed: each job catches up as it is configured to.
  package mutating func resumeAll(now: Timestamp) {
    seenAt = max(seenAt, now)
    allPausedAt = nil
  }
}

import FetchModel
package import FetchValues

extension Scheduler {
  /// Requests a run on behalf of a person or an event. The run uses the same lanes and budget as
  /// any other run. `skipsInterval` means that the due time is ignored. For a person's request, it
  /// also means that back-off and run times are ignored.
  package mutating func trigger(
    _ job: JobNumber, _ kind: TriggerKind, skipsInterval: Bool = true, now: Timestamp
  ) -> TriggerAnswer {
    see(now)
    let now = seenAt
    let slot = job.slot
    let schedule = cells[slot].schedule
    guard jobs[slot].isEnabled || kind == .manual && jobs[slot].isReady else {
      return skip(job, .disabled)
    }
    if let since = schedule.pausedAt { return skip(job, .paused(since: since)) }
    if let since = allPausedAt { return skip(job, .allPaused(since: since)) }
    switch cells[slot].place {
    case .running: return triggerRunning(job, kind)
    case .waiting, .held, .limited:
      skips.append(Skip(job: job, at: now, reason: .ridesAlong(kind)))
      return .waits(waitReason(job, now: now))
    case .idle, .scheduled: break
    }
    if let due = schedule.dueAt, due <= now, kind != .manual { return .due }
    if let obstacle = obstacle(to: kind, slot, skipsInterval, now) {
      switch obstacle {
      case .outsideRunTimes(let opening): keep(kind, of: job, until: opening)
      case .backOff(_, let until):
        skips.append(Skip(job: job, at: now, reason: .backsOff(kind, until: until)))
      default: break
      }
      return .waits(obstacle)
    }
    let pushAt = kind == .push ? nextPush(slot, now) : now
    if pushAt > now { return deferPush(job, until: pushAt) }
    makeDue(slot, kind, at: now)
    return .due
  }

  private mutating func skip(_ job: JobNumber, _ reason: SkipReason) -> TriggerAnswer {
    skips.append(Skip(job: job, at: seenAt, reason: reason))
    return .skipped(reason)
  }

  /// Handles a trigger during a run. A person's request is skipped. An event may have come too late
  /// for the current run. One more run therefore follows for all such events, if the current run
  /// succeeds.
  private mutating func triggerRunning(_ job: JobNumber, _ kind: TriggerKind) -> TriggerAnswer {
    let since = cells[job.slot].schedule.lastStartAt ?? seenAt
    guard kind != .manual else { return skip(job, .running(since: since)) }
    if cells[job.slot].runsAgain != nil {
      skips.append(Skip(job: job, at: seenAt, reason: .ridesAlong(kind)))
    } else {
      cells[job.slot].runsAgain = kind
    }
    return .waits(.running(since: since))
  }

  private func obstacle(
    to kind: TriggerKind, _ slot: Int, _ skipsInterval: Bool, _ now: Timestamp
  ) -> WaitReason? {
    let schedule = cells[slot].schedule
    let isPerson = kind == .manual && skipsInterval
    if let due = schedule.dueAt, due > now, !isPerson {
      if schedule.failureCount > 0 {
        return .backOff(failures: schedule.failureCount, until: due)
      }
      if !skipsInterval { return .notDue(until: due, schedule.dueReason) }
    }
    if let runTimes = jobs[slot].runTimes, !isPerson, !runTimes.contains(now),
      let opening = runTimes.next(from: now)
    {
      return .outsideRunTimes(until: opening)
    }
    return nil
  }

  /// Postpones an event outside a job's run times until the run times begin. If the job is due at
  /// that time or earlier, the event is recorded as skipped. A person's request is not postponed.
  private mutating func keep(_ kind: TriggerKind, of job: JobNumber, until opening: Timestamp) {
    guard kind != .manual else { return }
    if let due = cells[job.slot].schedule.dueAt, due <= opening {
      skips.append(Skip(job: job, at: seenAt, reason: .ridesAlong(kind)))
    } else {
      makeDue(job.slot, kind, at: opening)
    }
  }

  /// Returns the earliest time at which a push may start a run.
  func nextPush(_ slot: Int, _ now: Timestamp) -> Timestamp {
    guard let last = cells[slot].schedule.lastPushAt else { return now }
    // A clock that was set back must not delay pushes for long.
    return min(max(now, last + TriggerKind.pushGap), now + TriggerKind.pushGap)
  }

  private mutating func deferPush(_ job: JobNumber, until: Timestamp) -> TriggerAnswer {
    if let due = cells[job.slot].schedule.dueAt, due <= until {
      skips.append(Skip(job: job, at: seenAt, reason: .ridesAlong(.push)))
      return .waits(.notDue(until: due, cells[job.slot].schedule.dueReason))
    }
    makeDue(job.slot, .push, at: until)
    return .waits(.pushLimited(until: until))
  }

  private mutating func makeDue(_ slot: Int, _ kind: TriggerKind, at time: Timestamp) {
    leave(slot)
    // A run in a series for missed times keeps its missed time, from which the series continues.
    if !cells[slot].catchesUp {
      cells[slot].dueBefore = cells[slot].schedule.dueAt
      cells[slot].reasonBefore = cells[slot].schedule.dueReason.code
      cells[slot].earlierReasonsBefore = cells[slot].schedule.earlierReasons
    }
    plan(slot, (time, .triggered(kind)))
    if kind == .push { cells[slot].schedule.lastPushAt = time }
    settle(slot)
  }
}

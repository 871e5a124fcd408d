import FetchModel
package import FetchValues

extension Scheduler {
  /// Records the end of a run and sets the job's next due time. `planned` is the due time that the
  /// learned schedule chose for a job with `interval: adaptive`.
  @discardableResult
  package mutating func ended(
    _ job: JobNumber, _ summary: RunSummary, planned: PlannedTime? = nil, now: Timestamp
  ) -> RunVerdict {
    see(now)
    let now = seenAt
    let slot = job.slot
    guard cells[slot].place == .running else { return verdict(slot) }
    giveBack(slot, summary, now)
    guard !cells[slot].isRemoved else {
      let last = verdict(slot)
      forget(slot)
      return last
    }
    changeLane(slot)
    // Nothing is learned about the source from a failure that the network caused.
    if let planned, !isBlamedOnNetwork(slot, summary) {
      cells[slot].schedule.adaptive = planned.state
    }
    let natural = naturalAfterRun(slot, summary, planned, now)
    var notices: [Notice] = []
    switch summary.ending {
    case .newData, .noData:
      succeeded(slot, summary, natural?.time, &notices, now)
      if let before = natural?.beforeHint {
        cells[slot].schedule.earlierReasons = [DueTime.Link(at: before.at, reason: before.reason)]
      }
    case .failed(.cancelled): cancelled(slot, natural?.time, now)
    case .failed(.abandoned): abandoned(slot, natural?.time, &notices, now)
    case .failed: failed(slot, summary, natural?.time, planned, &notices, now)
    }
    if summary.httpStatus == 410 { retire(slot, summary.source, &notices, now) }
    if cells[slot].place == .running { finish(slot, summary, now) }
    cells[slot].dueBefore = nil
    cells[slot].catchesUp = false
    cells[slot].earlierReasonsBefore = []
    noteNetwork(slot, summary, now)
    var verdict = verdict(slot)
    verdict.notices = notices
    return verdict
  }

  /// Moves the job to the lane of its new hostname if the config changed the hostname during the
  /// job's run.
  mutating func changeLane(_ slot: Int) {
    guard cells[slot].changesLane else { return }
    cells[slot].changesLane = false
    cells[slot].lane = lane(of: jobs[slot])
  }

  private func verdict(_ slot: Int) -> RunVerdict {
    RunVerdict(
      dueAt: jobs[slot].isEnabled ? cells[slot].schedule.dueAt : nil,
      dueReason: cells[slot].schedule.dueReason)
  }

  /// Frees the run's place in its lane, and replaces the run's reserved cost with its actual cost.
  mutating func giveBack(_ slot: Int, _ summary: RunSummary, _ now: Timestamp) {
    // The estimate is still the amount that was reserved when the run started.
    let reserved = cells[slot].schedule.estimate
    budget.settle(reserved, actual: summary.cost, now: now)
    settleQuota(slot, reserved, actual: summary.cost, now)
    blocked = nil
    cells[slot].finishTag +=
      (summary.cost.turns - reserved.turns) * jobs[slot].priority.turnWeight
    cells[slot].schedule.estimate = cells[slot].schedule.estimate.moved(towards: summary.cost)
    let lane = Int(cells[slot].lane)
    if lane == 0 {
      lanes[0].runningCount = max(0, lanes[0].runningCount - 1)
    } else {
      change(lane: lane) { $0.end(summary, now: now) }
    }
    refresh(lane: lane)
  }

  /// Returns the due time by the interval and the hints; nil if the interval gives none.
  /// `beforeHint` is the due time before a hint moved it. While a further run for a missed time may
  /// follow in a series, hints are ignored.
  private func naturalAfterRun(
    _ slot: Int, _ summary: RunSummary, _ planned: PlannedTime?, _ now: Timestamp
  ) -> (time: Planned, beforeHint: Planned?)? {
    if let missed = caughtUp(slot) {
      return natural(slot, after: missed, now: missed).map { ($0, nil) }
    }
    if let planned, jobs[slot].interval.isAdaptive {
      // The learned schedule has already applied the believed hints.
      let at = max(planned.dueAt, now)
      let chosen: DueReason = planned.bound.map { .learned($0) } ?? .adaptive
      guard let hint = planned.hint else { return ((at, chosen), nil) }
      return ((at, .hint(hint)), planned.chosenAt.map { (max($0, now), chosen) })
    }
    let reference = cells[slot].schedule.lastStartAt ?? now
    guard let next = natural(slot, after: reference, now: now) else { return nil }
    let hinted = summary.hints.later(than: next.at, answeredAt: now)
    guard let hint = hinted.hint else { return (next, nil) }
    return ((hinted.at, .hint(hint)), next)
  }

  private mutating func succeeded(
    _ slot: Int, _ summary: RunSummary, _ natural: Planned?, _ notices: inout [Notice],
    _ now: Timestamp
  ) {
    let failures = cells[slot].schedule.failureCount
    if failures >= Self.brokenAfter { notices.append(.healed(failures: failures)) }
    cells[slot].schedule.failureCount = 0
    cells[slot].schedule.failingSince = nil
    cells[slot].schedule.lastSuccessAt = now
    if summary.ending == .newData { cells[slot].schedule.lastNewDataAt = now }
    cells[slot].schedule.feedHints = summary.hints.feed
    plan(slot, natural)
  }

  private mutating func failed(
    _ slot: Int, _ summary: RunSummary, _ natural: Planned?, _ planned: PlannedTime?,
    _ notices: inout [Notice], _ now: Timestamp
  ) {
    if isBlamedOnNetwork(slot, summary) {
      // The job stays due and waits until the network is back.
      plan(slot, (now, .conditions))
      return
    }
    // The learned schedule has its own back-off.
    let retryAt = jobs[slot].interval.isAdaptive ? planned?.dueAt : nil
    countFailure(slot, natural, retryAt: retryAt, &notices, now)
  }

  /// Records a failure of the job and sets its next due time. If `natural` is nil, the job gets no
  /// due time.
  ///
  /// - Parameter retryAt: the time of the retry; nil to use the usual back-off. It is ignored for a
  ///   job that is only probed once a week.
  private mutating func countFailure(
    _ slot: Int, _ natural: Planned?, retryAt: Timestamp? = nil, _ notices: inout [Notice],
    _ now: Timestamp
  ) {
    let since = cells[slot].schedule.failingSince ?? now
    let failures = cells[slot].schedule.failureCount + 1
    // The clock may have been set back since the first failure.
    let failingFor = max(.zero, now - since)
    cells[slot].schedule.failingSince = since
    cells[slot].schedule.failureCount = failures
    if failures == Self.brokenAfter { notices.append(.broken(failures: failures)) }
    let delay = Backoff.jobDelay(
      failures: failures, failingFor: failingFor, pace: natural.map { $0.at - now },
      chance: jitter.fraction(job: jobs[slot].name, count: cells[slot].schedule.runCount))
    guard natural != nil else { return plan(slot, nil) }
    let isProbe = Backoff.isLongDead(failures: failures, failingFor: failingFor)
    if isProbe, !cells[slot].schedule.dueReason.isProbe {
      notices.append(.longDead(since: since))
    }
    if isProbe { return plan(slot, (now + delay, .probe(failures))) }
    plan(slot, (retryAt.map { max($0, now) } ?? now + delay, .backOff(failures)))
  }

  /// Handles an abandoned run. If the job's `failureCount` was 0, the job is due now, because the
  /// job may not be the cause.
  private mutating func abandoned(
    _ slot: Int, _ natural: Planned?, _ notices: inout [Notice], _ now: Timestamp
  ) {
    let isFirst = cells[slot].schedule.failureCount == 0
    countFailure(slot, natural, &notices, now)
    if isFirst { plan(slot, (now, .abandoned)) }
  }

  /// Handles a cancelled run. Restores the due time that a trigger replaced, with its reasons, if
  /// this time is in the future. Otherwise the job is due in a minute, or has no due time if its
  /// interval gives none.
  private mutating func cancelled(_ slot: Int, _ natural: Planned?, _ now: Timestamp) {
    if let before = cells[slot].dueBefore, before > now {
      let failures = cells[slot].schedule.failureCount
      plan(slot, (before, DueReason(cells[slot].reasonBefore, failures: failures)))
      cells[slot].schedule.earlierReasons = cells[slot].earlierReasonsBefore
    } else if natural != nil {
      cells[slot].schedule.moveDue(to: now + .seconds(60), .cancelled)
    } else {
      plan(slot, nil)
    }
  }

  /// Handles a 410 Gone by pausing the job and removing its due time. If a person has paused the
  /// job during the run, this pause remains, so that a change of the source does not end it.
  private mutating func retire(
    _ slot: Int, _ source: [UInt8], _ notices: inout [Notice], _ now: Timestamp
  ) {
    plan(slot, nil)
    notices.append(.gone)
    guard cells[slot].schedule.pausedAt == nil else { return }
    cells[slot].schedule.pausedAt = now
    cells[slot].schedule.pauseCause = .gone
    cells[slot].schedule.goneSource = source
  }

  /// Applies the rules that hold for every next due time, such as Retry-After and run times. Then
  /// puts the job into the queue of due times, if it is to run again.
  private mutating func finish(_ slot: Int, _ summary: RunSummary, _ now: Timestamp) {
    if let kind = cells[slot].runsAgain { runAgain(slot, kind, after: summary, now) }
    cells[slot].runsAgain = nil
    let asked = [summary.retryAfter, summary.notBefore].compactMap(\.self).max()
    if let due = cells[slot].schedule.dueAt, let until = asked, until > due {
      cells[slot].schedule.moveDue(to: until, .retryAfter)
    }
    if let due = cells[slot].schedule.dueAt, let runTimes = jobs[slot].runTimes,
      !runTimes.contains(due)
    {
      if let opening = runTimes.next(from: due) {
        cells[slot].schedule.moveDue(to: opening, .runTimes)
      } else {
        plan(slot, nil)
      }
    }
    countRow(slot, summary, now)
    cells[slot].isProbe = false
    settle(slot)
  }

  /// Makes one more run due for all events that triggered the job during a run. If the run failed,
  /// this function only records that the first of these events was skipped.
  private mutating func runAgain(
    _ slot: Int, _ kind: TriggerKind, after summary: RunSummary, _ now: Timestamp
  ) {
    guard summary.isSuccess else {
      let job = JobNumber(Int32(truncatingIfNeeded: slot))
      skips.append(Skip(job: job, at: now, reason: .failed(kind)))
      return
    }
    let time = kind == .push ? nextPush(slot, now) : now
    plan(slot, (time, .triggered(kind)))
    if kind == .push { cells[slot].schedule.lastPushAt = time }
  }

  /// Records that a run was abandoned because its process ended, and sets the job's next due time.
  /// The amounts reserved for the run are not given back, because the run's actual cost is unknown.
  /// Returns the notices for a person.
  @discardableResult
  package mutating func rescue(_ job: JobNumber, now: Timestamp) -> [Notice] {
    see(now)
    let slot = job.slot
    guard cells[slot].place != .running else { return [] }
    leave(slot)
    cells[slot].schedule.runCount += 1
    var notices: [Notice] = []
    abandoned(slot, natural(slot, after: now, now: now), &notices, now)
    settle(slot)
    return notices
  }
}

extension DueReason {
  var isProbe: Bool { if case .probe = self { true } else { false } }
}

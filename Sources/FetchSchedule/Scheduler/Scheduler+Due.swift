import FetchModel
package import FetchValues

extension Scheduler {
  /// Returns the runs to start now, in the order in which they start. Each run counts as under way
  /// until the caller reports its end.
  package mutating func due(now: Timestamp) -> [RunStart] {
    var starts: [RunStart] = []
    while let start = nextStart(now: now) { starts.append(start) }
    return starts
  }

  /// Returns the next run to start now, and counts it as under way. Returns nil if no run can
  /// start.
  package mutating func nextStart(now: Timestamp) -> RunStart? {
    see(now)
    guard allPausedAt == nil else { return nil }
    let now = seenAt
    probeNetwork(now: now)
    probeStore(now: now)
    while let first = dueTimes.first, first.key <= now.milliseconds {
      readAhead()
      admit(Int(first.number), now)
    }
    while let first = limited.first, first.key <= now.milliseconds {
      let slot = Int(first.number)
      leave(slot)
      if mayRun(slot, now) { enqueue(slot) }
    }
    while let first = timed.first, first.key <= now.milliseconds {
      refresh(lane: Int(first.number))
    }
    while let first = ready.first {
      let lane = Int(first.number)
      guard let waiting = lanes[lane].waiting.first else {
        refresh(lane: lane)
        continue
      }
      let slot = Int(waiting.number)
      guard mayRun(slot, now) else { continue }
      // If the budget does not allow the first job, no later job may start either. Otherwise
      // cheaper runs could always use up the budget before an expensive run could start.
      blocked = budget.obstacle(to: cells[slot].schedule.estimate, now: now)
      if blocked != nil { return nil }
      return start(slot, lane, waiting.key, now)
    }
    return nil
  }

  /// Preloads the rows of the jobs with the next due times, and the rows of their lanes. With a
  /// million jobs, this saves a third of the time for a decision.
  private mutating func readAhead() {
    for number in dueTimes.takeUpcoming() {
      let slot = Int(number)
      let lane = Int(cells[slot].lane)
      rowsRead &+= cells.readAhead(slot) &+ jobs.readAhead(slot)
      rowsRead &+= lanes.readAhead(lane) &+ lanePositions.readAhead(lane)
    }
  }

  private mutating func start(
    _ slot: Int, _ lane: Int, _ turn: Turn, _ now: Timestamp
  ) -> RunStart {
    let index = Int32(truncatingIfNeeded: slot)
    lanes[lane].waiting.remove(index, &positions)
    lanes[lane].start(now: now)
    refresh(lane: lane)
    let reserved = cells[slot].schedule.estimate
    budget.reserve(reserved, now: now)
    reserveQuota(slot, reserved, now)
    virtualTime = max(virtualTime, turn.tag)
    let dueAt = cells[slot].schedule.dueAt ?? now
    let reason = cells[slot].schedule.dueReason
    cells[slot].finishTag = turn.tag + reserved.turns * jobs[slot].priority.turnWeight
    cells[slot].place = .running
    cells[slot].schedule.lastStartAt = now
    cells[slot].schedule.runCount += 1
    return RunStart(
      job: JobNumber(index), name: jobs[slot].name, number: cells[slot].schedule.runCount,
      trigger: reason.trigger, reason: reason,
      dueAt: dueAt, reserved: reserved)
  }

  /// Removes a due job from the queue of due times and puts it into its lane. If the job may not
  /// run now, makes it wait, or changes or removes its due time.
  private mutating func admit(_ slot: Int, _ now: Timestamp) {
    leave(slot)
    let dueAt = cells[slot].schedule.dueAt ?? now
    guard isWanted(slot, dueAt: dueAt, now) else { return }
    if mayRun(slot, now) { enqueue(slot) }
  }

  /// Whether run times, conditions and the job's own budget allow a run now. If not, this function
  /// changes or removes the due time, or makes the job wait.
  private mutating func mayRun(_ slot: Int, _ now: Timestamp) -> Bool {
    if let runTimes = jobs[slot].runTimes, !runTimes.contains(now),
      cells[slot].schedule.dueReason != .triggered(.manual)
    {
      leave(slot)
      if let opening = runTimes.next(from: now) {
        cells[slot].schedule.moveDue(to: max(opening, now + .milliseconds(1)), .runTimes)
      } else {
        plan(slot, nil)
      }
      settle(slot)
      return false
    }
    if unmet(slot) != nil {
      leave(slot)
      hold(slot)
      return false
    }
    if let until = quotaObstacle(slot, now)?.until {
      leave(slot)
      limit(slot, until: until)
      return false
    }
    return true
  }

  mutating func enqueue(_ slot: Int) {
    let isAsked = cells[slot].schedule.dueReason == .triggered(.manual)
    let tag = max(virtualTime - (isAsked ? Self.headStart : 0), cells[slot].finishTag)
    let last = cells[slot].schedule.lastStartAt?.milliseconds ?? .min
    let lane = Int(cells[slot].lane)
    cells[slot].place = .waiting
    lanes[lane].waiting.push(
      Int32(truncatingIfNeeded: slot), key: Turn(tag: tag, lastStart: last), &positions)
    refresh(lane: lane)
  }
}

/// The handling of missed due times: see `missedAfter`. With `catch_up: all`, the runs for missed
/// times form a series. The series ends after `CatchUp.runsMax` runs, or when the next due time is
/// in the future. It also ends when a run does not succeed. A trigger of the next run can end the
/// series too.
extension Scheduler {
  /// Whether a job should still run for a due time that has passed. If not, this function changes
  /// or removes the due time.
  mutating func isWanted(_ slot: Int, dueAt: Timestamp, _ now: Timestamp) -> Bool {
    if isInRow(slot), dueAt <= now, cells[slot].schedule.dueReason.isOfClock {
      (cells[slot].dueBefore, cells[slot].catchesUp) = (dueAt, true)
      return true
    }
    guard now - dueAt > Self.missedAfter, cells[slot].schedule.dueReason.isOfClock else {
      return true
    }
    return catchesUp(slot, dueAt, now)
  }

  /// Whether a job should run for a missed time. If not, this function changes or removes the due
  /// time.
  private mutating func catchesUp(_ slot: Int, _ dueAt: Timestamp, _ now: Timestamp) -> Bool {
    switch jobs[slot].catchUp {
    case .one: return true
    case .all:
      (cells[slot].dueBefore, cells[slot].catchesUp) = (dueAt, true)
      return true
    case .none:
      skips.append(
        Skip(job: JobNumber(Int32(truncatingIfNeeded: slot)), at: now, reason: .missed(dueAt)))
      plan(slot, natural(slot, after: now, now: now))
    case .staggered:
      let delay = jitter.delay(
        job: jobs[slot].name, count: cells[slot].schedule.runCount, max: Self.catchUpSpread)
      cells[slot].schedule.moveDue(to: now + delay, .catchUp)
    }
    settle(slot)
    return false
  }

  private func isInRow(_ slot: Int) -> Bool {
    jobs[slot].catchUp == .all && cells[slot].catchUpsLeft < CatchUp.runsMax
  }

  /// Returns the missed time of the current run if another run for a missed time may follow in the
  /// series; otherwise nil.
  func caughtUp(_ slot: Int) -> Timestamp? {
    cells[slot].catchUpsLeft > 1 ? missedTime(slot) : nil
  }

  /// Returns the missed time of the current run in a series; nil if the run belongs to no series.
  private func missedTime(_ slot: Int) -> Timestamp? {
    jobs[slot].catchUp == .all && cells[slot].catchesUp ? cells[slot].dueBefore : nil
  }

  /// Continues or ends the series of runs for missed times after a run. If the series ends with a
  /// run for a missed time, records how many missed times had no run.
  mutating func countRow(_ slot: Int, _ summary: RunSummary, _ now: Timestamp) {
    let next = cells[slot].schedule
    if summary.isSuccess, caughtUp(slot) != nil, next.dueReason.isOfClock,
      let dueAt = next.dueAt, dueAt <= now
    {
      cells[slot].catchUpsLeft -= 1
      return
    }
    cells[slot].catchUpsLeft = Int16(CatchUp.runsMax)
    guard let last = missedTime(slot) else { return }
    let (count, isAll) = timesMissed(slot, after: last, now)
    guard count > 0 else { return }
    skips.append(
      Skip(
        job: JobNumber(Int32(truncatingIfNeeded: slot)), at: now,
        reason: .leftOut(count, orMore: !isAll)))
  }

  /// Returns how many due times of the job's interval have passed since `last`, and whether the
  /// count is complete.
  private func timesMissed(
    _ slot: Int, after last: Timestamp, _ now: Timestamp
  ) -> (count: Int, isAll: Bool) {
    var count = 0
    var time = last
    while count < Self.timesCountedMax {
      guard var next = natural(slot, after: time, now: time)?.at, next > time else { break }
      if let runTimes = jobs[slot].runTimes, let opening = runTimes.next(from: next) {
        next = opening
      }
      guard next <= now else { return (count, true) }
      time = next
      count += 1
    }
    return (count, count < Self.timesCountedMax)
  }

  private static let timesCountedMax = 1000
}

extension DueReason {
  /// Whether a due time with this reason can be missed.
  fileprivate var isOfClock: Bool {
    switch self {
    case .triggered, .firstRun, .abandoned, .cancelled: false
    default: true
    }
  }
}

/// The handling of the budgets of single jobs. Such a budget applies in addition to the budget of
/// all jobs. A job whose own budget is spent waits outside its lane, so that it does not block
/// other jobs.
extension Scheduler {
  /// Returns a job's own budget with the amounts spent; nil if the job has no budget of its own.
  package func quota(of job: JobNumber) -> Budget? { quotas[job.index] }

  /// Applies the job's own budget from the config, with the stored levels of its buckets. Removes
  /// the budget if the config has none. Does nothing if the limits have not changed.
  mutating func renewQuota(_ slot: Int) {
    let index = Int32(truncatingIfNeeded: slot)
    guard jobs[slot].hasBudget else {
      if !quotas.isEmpty { quotas[index] = nil }
      cells[slot].schedule.quota = []
      return
    }
    let limits = jobs[slot].budget
    guard quotas[index]?.limits != limits else { return }
    var quota = Budget(limits, now: seenAt)
    try? quota.restore(encoded: cells[slot].schedule.quota)
    if cells[slot].place == .running { quota.reserve(cells[slot].schedule.estimate, now: seenAt) }
    quotas[index] = quota
  }

  mutating func reserveQuota(_ slot: Int, _ cost: RunCost, _ now: Timestamp) {
    if quotas.isEmpty { return }
    quotas[Int32(truncatingIfNeeded: slot)]?.reserve(cost, now: now)
  }

  mutating func settleQuota(
    _ slot: Int, _ reserved: RunCost, actual: RunCost, _ now: Timestamp
  ) {
    let index = Int32(truncatingIfNeeded: slot)
    guard !quotas.isEmpty, quotas[index] != nil else { return }
    quotas[index]?.settle(reserved, actual: actual, now: now)
    noteQuota(slot)
  }

  /// Subtracts from the job's own budget a cost that no run causes: see `Budget.charge`.
  package mutating func chargeQuota(of job: JobNumber, _ cost: RunCost, now: Timestamp) {
    guard !quotas.isEmpty, quotas[job.index] != nil else { return }
    quotas[job.index]?.charge(cost, now: now)
    noteQuota(job.slot)
  }

  private mutating func noteQuota(_ slot: Int) {
    cells[slot].schedule.quota = quotas[Int32(truncatingIfNeeded: slot)]?.encoded ?? []
  }

  /// Returns the limit of the job's own budget that prevents a run. Returns nil if the budget
  /// allows a run, or if the job has no budget of its own.
  func quotaObstacle(_ slot: Int, _ now: Timestamp) -> BudgetObstacle? {
    if quotas.isEmpty { return nil }
    return quotas[Int32(truncatingIfNeeded: slot)]?
      .obstacle(to: cells[slot].schedule.estimate, now: now)
  }

  /// Makes a job wait for its own budget until the given time. The job must not be in a queue.
  mutating func limit(_ slot: Int, until: Timestamp) {
    cells[slot].place = .limited
    limited.push(Int32(truncatingIfNeeded: slot), key: until.milliseconds, &positions)
  }
}

import FetchModel
package import FetchValues

extension Scheduler {
  /// Returns the runs to start now, in the order of their turns; each counts as running until
  /// `ended`.
  package mutating func due(now: Timestamp) -> [RunStart] {
    var starts: [RunStart] = []
    while let start = nextStart(now: now) { starts.append(start) }
    return starts
  }

  /// Returns one of them; nil if there is none now.
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
      // No job overtakes the first; otherwise an expensive run would never find enough left.
      blocked = budget.obstacle(to: cells[slot].schedule.estimate, now: now)
      if blocked != nil { return nil }
      return start(slot, lane, waiting.key, now)
    }
    return nil
  }

  /// Preloads the rows of the jobs with the next times, and of their lanes. With a million jobs
  /// this saves a third of a decision's time.
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

  /// Moves a due job from the queue of due times to its lane, or finds it another time.
  private mutating func admit(_ slot: Int, _ now: Timestamp) {
    leave(slot)
    let dueAt = cells[slot].schedule.dueAt ?? now
    guard isWanted(slot, dueAt: dueAt, now) else { return }
    if mayRun(slot, now) { enqueue(slot) }
  }

  /// Whether run times, conditions and the job's own budget let it run now; otherwise moves it
  /// elsewhere.
  private mutating func mayRun(_ slot: Int, _ now: Timestamp) -> Bool {
    if let runTimes = jobs[slot].runTimes, !runTimes.contains(now),
      cells[slot].schedule.dueReason != .triggered(.manual)
    {
      leave(slot)
      let opening = runTimes.next(from: now).map { max($0, now + .milliseconds(1)) }
      plan(slot, opening.map { ($0, .runTimes) })
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

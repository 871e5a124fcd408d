import FetchModel
package import FetchValues

extension Scheduler {
  /// Adds a job with its stored schedule. If a job with the same name exists, this function updates
  /// that job instead.
  @discardableResult
  package mutating func add(
    _ job: ScheduledJob, _ schedule: JobSchedule = JobSchedule(), now: Timestamp
  ) -> JobNumber {
    see(now)
    if let known = number(of: job.name) {
      update(job, now: now)
      return known
    }
    let index = newCell(job, schedule)
    names[job.name] = index
    namesVersion &+= 1
    let slot = Int(index)
    cells[slot].lane = lane(of: job)
    cells[slot].catchUpsLeft = Int16(CatchUp.runsMax)
    if let last = schedule.lastStartAt, last - seenAt >= Self.setBackMin {
      setBack(slot, by: last - seenAt)
    }
    renewQuota(slot)
    if schedule.dueAt == nil, schedule.pausedAt == nil {
      planFirst(slot, now: now)
    } else {
      hasten(slot)
    }
    settle(slot)
    return JobNumber(index)
  }

  private mutating func newCell(_ job: ScheduledJob, _ schedule: JobSchedule) -> Int32 {
    if let index = free.popLast() {
      jobs[Int(index)] = job
      cells[Int(index)] = JobCell(schedule: schedule)
      return index
    }
    jobs.append(job)
    cells.append(JobCell(schedule: schedule))
    positions.append(-1)
    return Int32(truncatingIfNeeded: cells.count - 1)
  }

  /// Sets the due time of a job that has none: now, unless its interval, its run times or its
  /// previous run require another time. A job with the interval `never` gets no due time.
  private mutating func planFirst(_ slot: Int, now: Timestamp) {
    switch jobs[slot].interval {
    case .never: return
    case .cron: plan(slot, natural(slot, after: now, now: now))
    case .every, .adaptive:
      if let last = cells[slot].schedule.lastStartAt {
        plan(slot, natural(slot, after: last, now: now))
      } else if let opening = jobs[slot].runTimes?.next(from: now), opening > now {
        plan(slot, (now, .firstRun))
        cells[slot].schedule.moveDue(to: opening, .runTimes)
      } else {
        plan(slot, (now, .firstRun))
      }
    }
  }

  /// Limits a job's wait to the job's present interval, because the interval may have been longer
  /// before a restart. Changes only a due time that an interval set. Removes this due time if the
  /// present interval gives none.
  private mutating func hasten(_ slot: Int) {
    guard let dueAt = cells[slot].schedule.dueAt,
      cells[slot].schedule.dueReason.isOfInterval(besides: jobs[slot].interval)
    else { return }
    let latest = natural(slot, after: seenAt, now: seenAt)
    if latest.map({ dueAt > $0.at }) ?? true { plan(slot, latest) }
  }

  /// Changes the config of the job with this name, or adds the job if it is unknown. The due time
  /// can change only if the interval, jitter, time zone or run times change. A current run
  /// continues.
  package mutating func update(_ job: ScheduledJob, now: Timestamp) {
    guard let number = number(of: job.name) else {
      add(job, now: now)
      return
    }
    see(now)
    let slot = number.slot
    let old = jobs[slot]
    cells[slot].isRemoved = false
    guard old != job else { return }
    if cells[slot].place != .running { leave(slot) }
    jobs[slot] = job
    renewQuota(slot)
    guard cells[slot].place != .running else {
      cells[slot].changesLane = old.hostname != job.hostname || cells[slot].changesLane
      return
    }
    cells[slot].lane = lane(of: job)
    let sameTimes =
      old.interval == job.interval && old.jitter == job.jitter && old.zone == job.zone
      && old.runTimes == job.runTimes
    // The due time of a run that must take place, such as a requested run, stays. The end of a
    // back-off also stays, unless the job's interval is now `never`.
    let isOwed = cells[slot].schedule.dueAt != nil && cells[slot].schedule.dueReason.isOwed
    let backsOff = cells[slot].schedule.failureCount > 0 && cells[slot].schedule.dueAt != nil
    if !sameTimes, !isOwed, !backsOff || job.interval == .never {
      cells[slot].schedule.dueAt = nil
      planFirst(slot, now: now)
    }
    settle(slot)
  }

  /// Removes a job. If the job is running, it is removed when its run ends.
  package mutating func remove(_ job: JobNumber) {
    let slot = job.slot
    guard holds(job) else { return }
    guard cells[slot].place != .running else {
      cells[slot].isRemoved = true
      return
    }
    leave(slot)
    forget(slot)
  }

  mutating func forget(_ slot: Int) {
    names[jobs[slot].name] = nil
    namesVersion &+= 1
    quotas[Int32(truncatingIfNeeded: slot)] = nil
    cells[slot] = JobCell(schedule: JobSchedule())
    cells[slot].isFree = true
    free.append(Int32(truncatingIfNeeded: slot))
  }

  /// Returns the lane of the job's hostname, and creates the lane if it does not exist. Returns
  /// lane 0 for a job without a hostname. Lanes are never removed, so that their state is not lost.
  mutating func lane(of job: ScheduledJob) -> Int32 {
    job.hostname.map { lane(of: $0) } ?? 0
  }

  mutating func lane(of hostname: String) -> Int32 {
    if let known = laneNumbers[ExactText(hostname)] { return known }
    let number = Int32(truncatingIfNeeded: lanes.count)
    lanes.append(Lane(hostname: hostname, rule: laneRules.rule(for: hostname)))
    lanePositions.append(-1)
    laneNumbers[ExactText(hostname)] = number
    return number
  }

  // MARK: Places

  /// Puts a job that is in no queue into the queue of due times. A job that is paused, may not run
  /// or has no due time stays in no queue.
  mutating func settle(_ slot: Int) {
    guard isToRun(slot), cells[slot].schedule.pausedAt == nil,
      let dueAt = cells[slot].schedule.dueAt
    else {
      cells[slot].place = .idle
      return
    }
    cells[slot].place = .scheduled
    dueTimes.push(Int32(truncatingIfNeeded: slot), key: dueAt.milliseconds, &positions)
  }

  /// Whether a job may run when it is due. A disabled job may run only if it is ready and a person
  /// requested the run.
  private func isToRun(_ slot: Int) -> Bool {
    jobs[slot].isEnabled
      || jobs[slot].isReady && cells[slot].schedule.dueReason == .triggered(.manual)
  }

  /// Removes a job from its queue, unless it is running.
  mutating func leave(_ slot: Int) {
    let index = Int32(truncatingIfNeeded: slot)
    switch cells[slot].place {
    case .idle, .running: return
    case .scheduled: dueTimes.remove(index, &positions)
    case .held: unhold(slot)
    case .limited: limited.remove(index, &positions)
    case .waiting:
      let lane = Int(cells[slot].lane)
      lanes[lane].waiting.remove(index, &positions)
      refresh(lane: lane)
    }
    cells[slot].place = .idle
  }

  mutating func hold(_ slot: Int) {
    positions[slot] = Int32(truncatingIfNeeded: held.count)
    held.append(Int32(truncatingIfNeeded: slot))
    cells[slot].place = .held
  }

  private mutating func unhold(_ slot: Int) {
    let place = Int(positions[slot])
    positions[slot] = -1
    let last = held.removeLast()
    if place < held.count {
      held[place] = last
      positions[Int(last)] = Int32(truncatingIfNeeded: place)
    }
  }
}

extension DueReason {
  /// Whether a due time with this reason must lead to a run even if the job's interval changes.
  fileprivate var isOwed: Bool {
    switch self {
    case .triggered, .abandoned, .cancelled, .resumed, .sourceChanged: true
    default: false
    }
  }

  /// Whether an interval set the due time. A due time that the learned schedule set counts only if
  /// the job is no longer adaptive.
  fileprivate func isOfInterval(besides interval: Interval) -> Bool {
    switch self {
    case .interval, .cron: true
    case .adaptive, .learned: !interval.isAdaptive
    default: false
    }
  }
}

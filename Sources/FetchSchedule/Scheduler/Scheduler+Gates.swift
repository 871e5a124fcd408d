import FetchModel
package import FetchValues

/// The gates of a job. Each gate is checked separately, because several gates may stop a job.
extension Scheduler {
  /// Returns all gates of a job in the order in which they are checked. The gates of a running job
  /// are open.
  package func gates(of job: JobNumber, now: Timestamp) -> [Gate] {
    let slot = job.slot
    if cells[slot].place == .running { return Gate.Kind.allCases.map { Gate($0, nil) } }
    let times = timeObstacles(slot, now)
    return Gate.Kind.allCases.map { kind in
      let obstacle: WaitReason? =
        switch kind {
        case .enabled: jobs[slot].isEnabled || cells[slot].place != .idle ? nil : .disabled
        case .pause: pauseObstacle(slot)
        case .due, .hints, .runTimes: times[kind]
        case .store: storeObstacle(slot)
        case .network: unmetByNetwork(slot)
        case .conditions: unmetByMachine(slot)
        case .ownBudget: quotaObstacle(slot, now).map(WaitReason.ownBudget)
        case .lane: lanes[Int(cells[slot].lane)].obstacle(now: now)
        case .budget:
          budget.obstacle(to: cells[slot].schedule.estimate, now: now).map(WaitReason.budget)
        }
      return Gate(kind, obstacle)
    }
  }

  private func pauseObstacle(_ slot: Int) -> WaitReason? {
    let schedule = cells[slot].schedule
    return schedule.pausedAt.map { .paused(since: $0, schedule.pauseCause) }
      ?? allPausedAt.map { .allPaused(since: $0) }
  }

  /// Returns the reasons why the job is not due yet, by gate. The due time may have several
  /// reasons, each of which moved it.
  private func timeObstacles(_ slot: Int, _ now: Timestamp) -> [Gate.Kind: WaitReason] {
    let schedule = cells[slot].schedule
    var obstacles: [Gate.Kind: WaitReason] = [:]
    if let runTimes = jobs[slot].runTimes, !runTimes.contains(now),
      schedule.dueReason != .triggered(.manual)
    {
      obstacles[.runTimes] = runTimes.next(from: now).map { .outsideRunTimes(until: $0) }
    }
    guard let dueTime = schedule.dueTime else {
      if jobs[slot].isEnabled, schedule.pausedAt == nil { obstacles[.due] = .noInterval }
      return obstacles
    }
    for link in dueTime.reasons where link.at > now {
      switch link.reason {
      case .hint, .retryAfter: obstacles[.hints] = .notDue(until: link.at, link.reason)
      case .runTimes: obstacles[.runTimes] = .outsideRunTimes(until: link.at)
      case .backOff(let failures), .probe(let failures):
        obstacles[.due] = .backOff(failures: failures, until: link.at)
      case .triggered(.push): obstacles[.due] = .pushLimited(until: link.at)
      default: obstacles[.due] = .notDue(until: link.at, link.reason)
      }
    }
    return obstacles
  }
}

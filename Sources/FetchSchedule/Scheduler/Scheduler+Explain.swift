import FetchModel
package import FetchValues

extension Scheduler {
  /// Returns the reason why a job does not start now.
  package func waitReason(_ job: JobNumber, now: Timestamp) -> WaitReason {
    let slot = job.slot
    if cells[slot].place == .running {
      return .running(since: cells[slot].schedule.lastStartAt ?? now)
    }
    if !jobs[slot].isEnabled, cells[slot].place == .idle { return .disabled }
    if let since = cells[slot].schedule.pausedAt {
      return .paused(since: since, cells[slot].schedule.pauseCause)
    }
    if let since = allPausedAt { return .allPaused(since: since) }
    if cells[slot].place != .idle, let obstacle = storeObstacle(slot),
      storeTrouble?.mayPass == false
    {
      return obstacle
    }
    switch cells[slot].place {
    case .idle, .running: return noDueTime(slot)
    case .scheduled: return scheduledReason(slot, now)
    case .held: return unmet(slot) ?? .turn
    case .limited: return quotaObstacle(slot, now).map(WaitReason.ownBudget) ?? .turn
    case .waiting:
      let lane = lanes[Int(cells[slot].lane)]
      return lane.obstacle(now: now) ?? blocked.map(WaitReason.budget) ?? .turn
    }
  }

  /// Whether a job is running, or is due and waits to start. False while all jobs are paused.
  package func isDue(_ job: JobNumber, now: Timestamp) -> Bool {
    guard allPausedAt == nil, cells[job.slot].place != .idle else { return false }
    return cells[job.slot].schedule.dueAt.map { $0 <= now } ?? false
  }

  /// Whether a job is running, can start now, or has an obstacle that may end within `patience`.
  /// Other runs that must end first count as such an obstacle.
  package func starts(_ job: JobNumber, within patience: Duration, now: Timestamp) -> Bool {
    switch waitReason(job, now: now) {
    case .running, .turn, .laneBusy, .budget(.runsAtOnce): true
    case let reason: reason.until.map { $0 - now <= patience } ?? false
    }
  }

  private func scheduledReason(_ slot: Int, _ now: Timestamp) -> WaitReason {
    guard let due = cells[slot].schedule.dueAt, due > now else {
      return obstacle(slot, now) ?? .turn
    }
    switch cells[slot].schedule.dueReason {
    case .backOff(let failures), .probe(let failures):
      return .backOff(failures: failures, until: due)
    case .runTimes: return .outsideRunTimes(until: due)
    case .triggered where isOpening(due, slot, now): return .outsideRunTimes(until: due)
    case .triggered(.push): return .pushLimited(until: due)
    case let reason: return .notDue(until: due, reason)
    }
  }

  /// Returns the first obstacle of a job that is due but was not looked at since then, for example
  /// because no daemon is running; nil if it can start.
  private func obstacle(_ slot: Int, _ now: Timestamp) -> WaitReason? {
    if let reason = unmet(slot) ?? quotaObstacle(slot, now).map(WaitReason.ownBudget) {
      return reason
    }
    let cost = cells[slot].schedule.estimate
    return lanes[Int(cells[slot].lane)].obstacle(now: now)
      ?? budget.obstacle(to: cost, now: now).map(WaitReason.budget)
  }

  /// Whether a job is outside its run times and they begin again at `time`.
  private func isOpening(_ time: Timestamp, _ slot: Int, _ now: Timestamp) -> Bool {
    guard let runTimes = jobs[slot].runTimes, !runTimes.contains(now) else { return false }
    return runTimes.next(from: now) == time
  }

  /// Returns the sentences that explain a job's state.
  ///
  /// - Parameter lastRunAt: the time of the job's last run, also of one that was not scheduled, such
  ///   as a run of `fetchrun --plugin`; nil if there is none or if it is unknown.
  package func explain(
    _ job: JobNumber, now: Timestamp, lastRunAt: Timestamp? = nil
  ) -> [String] {
    let schedule = cells[job.slot].schedule
    let name = jobs[job.slot].name
    let reason = waitReason(job, now: now)
    let state = reason.sentence(of: name, now: now)
    var lines = ["\(state)."]
    if case .running = reason { lines[0] += " It was due \(schedule.dueReason.phrase)." }
    if schedule.pausedAt == nil, jobs[job.slot].isEnabled, let due = schedule.dueTime?.sentence {
      lines.append(due.prefix(1).uppercased() + due.dropFirst() + ".")
    }
    if !jobs[job.slot].isEnabled {
      lines.append(
        jobs[job.slot].isReady
          ? "It runs only on request, for example with `fetchrun run`; to schedule it, remove"
            + " `enabled: false` from the config."
          : "It could not run even if it were enabled: `fetchrun check` says why.")
    }
    if schedule.failureCount > 0, let since = schedule.failingSince {
      lines.append(
        "It has failed since \(since.plain): \(counted(schedule.failureCount, "failure")) in a row."
      )
    }
    if let last = schedule.lastSuccessAt {
      let news = schedule.lastNewDataAt.map { "last new data at \($0.plain)" } ?? "no new data yet"
      lines.append("Last success at \(last.plain), \(news).")
    } else {
      lines.append(noSuccess(schedule, lastRunAt, isListed: jobs[job.slot].isListed))
    }
    if let sentence = schedule.feedHints.sentence { lines.append(sentence) }
    if let sentence = jitterSentence(job.slot) { lines.append(sentence) }
    lines += quota(of: job)?.report(now: now).map { "Its own budget of \($0.text)." } ?? []
    return lines
  }

  private func noSuccess(
    _ schedule: JobSchedule, _ lastRunAt: Timestamp?, isListed: Bool
  ) -> String {
    if schedule.lastStartAt != nil { return "It has never succeeded." }
    guard let lastRunAt else { return "It has never run." }
    let sentence = "It last ran at \(lastRunAt.descriptionInSeconds)"
    return isListed ? "\(sentence); its schedule has no run yet." : "\(sentence)."
  }

  private func jitterSentence(_ slot: Int) -> String? {
    let longest = jobs[slot].jitter
    guard longest > .zero else { return nil }
    switch jobs[slot].interval {
    case .never: return nil
    case .adaptive:
      return "The job's jitter is ignored because the learned schedule chooses the due times."
    case .every, .cron: break
    }
    let sentence = "Jitter delays each due time of the job by up to \(longest.shortText)"
    guard cells[slot].place == .scheduled, cells[slot].schedule.dueReason.isJittered else {
      return sentence + "."
    }
    return sentence + ", the next by \(jitter(slot).shortText)."
  }
}

extension DueReason {
  fileprivate var isJittered: Bool { self == .interval || self == .cron }
}

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

  /// Returns the reason why a job has no due time.
  private func noDueTime(_ slot: Int) -> WaitReason {
    jobs[slot].isListed ? .noInterval : .unlisted
  }

  /// Returns the reason why the job is paused, alone or with all jobs; nil if it is not paused.
  package func pauseReason(_ job: JobNumber) -> WaitReason? { pauseObstacle(job.slot) }

  private func pauseObstacle(_ slot: Int) -> WaitReason? {
    let schedule = cells[slot].schedule
    return schedule.pausedAt.map { .paused(since: $0, schedule.pauseCause) }
      ?? allPausedAt.map { .allPaused(since: $0) }
  }

  /// Returns the obstacles of the gates `due`, `hints` and `runTimes`. A due time may have reasons
  /// for several of these gates.
  private func timeObstacles(_ slot: Int, _ now: Timestamp) -> [Gate.Kind: WaitReason] {
    let schedule = cells[slot].schedule
    var obstacles: [Gate.Kind: WaitReason] = [:]
    if let runTimes = jobs[slot].runTimes, !runTimes.contains(now),
      schedule.dueReason != .triggered(.manual)
    {
      obstacles[.runTimes] = runTimes.next(from: now).map { .outsideRunTimes(until: $0) }
    }
    guard let dueTime = schedule.dueTime else {
      if jobs[slot].isEnabled, schedule.pausedAt == nil { obstacles[.due] = noDueTime(slot) }
      return obstacles
    }
    for link in dueTime.reasons where link.at > now {
      switch link.reason {
      case .hint, .retryAfter: obstacles[.hints] = .notDue(until: link.at, link.reason)
      // Unless the job is outside its run times, this reason closes the gate `due` instead.
      case .runTimes where jobs[slot].runTimes?.contains(now) == false:
        obstacles[.runTimes] = .outsideRunTimes(until: link.at)
      case .backOff(let failures), .probe(let failures):
        obstacles[.due] = .backOff(failures: failures, until: link.at)
      // The event is kept until the run times begin.
      case .triggered where isOpening(link.at, slot, now): break
      case .triggered(.push): obstacles[.due] = .pushLimited(until: link.at)
      default: obstacles[.due] = .notDue(until: link.at, link.reason)
      }
    }
    return obstacles
  }
}

/// A time at which a job is expected to run.
package struct ExpectedRun: Hashable, Sendable {
  package var at: Timestamp
  /// Whether the time is the job's due time, or now if the due time has passed. Other times are
  /// computed from the interval, as if each run succeeded and took no time.
  package var isExact: Bool

  package init(at: Timestamp, isExact: Bool) {
    self.at = at
    self.isExact = isExact
  }
}

extension Scheduler {
  /// Returns the times before `end` at which a job is expected to run, earliest first. The list is
  /// empty for a paused or disabled job.
  ///
  /// - Parameters:
  ///   - pace: the interval of an adaptive job; nil if the interval is unknown.
  ///   - max: the maximum number of times.
  package func expectedRuns(
    of job: JobNumber, until end: Timestamp, pace: Duration?, max: Int, now: Timestamp
  ) -> [ExpectedRun] {
    let slot = job.slot
    let schedule = cells[slot].schedule
    guard jobs[slot].isEnabled, schedule.pausedAt == nil, allPausedAt == nil else { return [] }
    var runs: [ExpectedRun] = []
    var last = schedule.lastStartAt ?? now
    if cells[slot].place != .running {
      guard let dueAt = schedule.dueAt else { return [] }
      last = Swift.max(dueAt, now)
      if last < end { runs.append(ExpectedRun(at: last, isExact: true)) }
    }
    while runs.count < max, let next = expectedRun(slot, after: last, pace: pace), next > last,
      next < end
    {
      // The current run may take longer than the interval, so the next time may have passed.
      last = Swift.max(next, now)
      runs.append(ExpectedRun(at: last, isExact: false))
    }
    return Array(runs.prefix(Swift.max(0, max)))
  }

  private func expectedRun(_ slot: Int, after time: Timestamp, pace: Duration?) -> Timestamp? {
    let next =
      jobs[slot].interval.isAdaptive
      ? time + (pace ?? Self.unplannedInterval) : natural(slot, after: time, now: time)?.at
    guard let next, let runTimes = jobs[slot].runTimes else { return next }
    return runTimes.next(from: next)
  }
}

import FetchModel
package import FetchValues

extension Scheduler {
  /// Returns the reason why a job does not start now.
  package func waitReason(_ job: JobNumber, now: Timestamp) -> WaitReason {
    let slot = job.slot
    let schedule = cells[slot].schedule
    if cells[slot].place == .running { return .running(since: schedule.lastStartAt ?? now) }
    if !jobs[slot].isEnabled, cells[slot].place == .idle { return .disabled }
    if let since = schedule.pausedAt { return .paused(since: since, schedule.pauseCause) }
    if let since = allPausedAt { return .allPaused(since: since) }
    if cells[slot].place != .idle, let obstacle = storeObstacle(slot),
      storeTrouble?.mayPass == false
    {
      return obstacle
    }
    switch cells[slot].place {
    case .idle, .running: return .noInterval
    case .scheduled: return scheduledReason(slot, now)
    case .held: return unmet(slot) ?? .turn
    case .limited: return quotaObstacle(slot, now).map(WaitReason.ownBudget) ?? .turn
    case .waiting:
      let lane = lanes[Int(cells[slot].lane)]
      return lane.obstacle(now: now) ?? blocked.map(WaitReason.budget) ?? .turn
    }
  }

  /// Whether a job is due and neither paused nor disabled.
  package func isDue(_ job: JobNumber, now: Timestamp) -> Bool {
    guard allPausedAt == nil, cells[job.slot].place != .idle else { return false }
    return cells[job.slot].schedule.dueAt.map { $0 <= now } ?? false
  }

  /// Whether a job is running, or will start within `patience` if no new obstacle appears.
  package func starts(_ job: JobNumber, within patience: Duration, now: Timestamp) -> Bool {
    switch waitReason(job, now: now) {
    case .running, .turn, .laneBusy, .budget(.runsAtOnce): true
    case let reason: reason.until.map { $0 - now <= patience } ?? false
    }
  }

  private func scheduledReason(_ slot: Int, _ now: Timestamp) -> WaitReason {
    let schedule = cells[slot].schedule
    guard let due = schedule.dueAt, due > now else { return .turn }
    switch schedule.dueReason {
    case .backOff(let failures), .probe(let failures):
      return .backOff(failures: failures, until: due)
    case .runTimes: return .outsideRunTimes(until: due)
    case .triggered where isOpening(due, slot, now): return .outsideRunTimes(until: due)
    case .triggered(.push): return .pushLimited(until: due)
    case let reason: return .notDue(until: due, reason)
    }
  }

  /// Whether a job is outside its run times, which begin again at `time`.
  private func isOpening(_ time: Timestamp, _ slot: Int, _ now: Timestamp) -> Bool {
    guard let runTimes = jobs[slot].runTimes, !runTimes.contains(now) else { return false }
    return runTimes.next(from: now) == time
  }

  /// Returns the sentences that explain a job's state, one per line.
  package func explain(_ job: JobNumber, now: Timestamp) -> [String] {
    let schedule = cells[job.slot].schedule
    let name = jobs[job.slot].name
    let reason = waitReason(job, now: now)
    var lines: [String] = []
    if case .running(let since) = reason {
      let cause = schedule.dueReason.phrase
      lines.append("\(name) has been running since \(since.plain), started \(cause).")
    } else if case .backOff = reason {
      lines.append("\(name) \(reason.sentence(now: now)).")
    } else {
      lines.append("\(name) waits: \(reason.sentence(now: now)).")
    }
    if schedule.pausedAt == nil, jobs[job.slot].isEnabled, let due = schedule.dueTime?.sentence {
      lines.append(due.prefix(1).uppercased() + due.dropFirst() + ".")
    }
    if !jobs[job.slot].isEnabled {
      lines.append(
        jobs[job.slot].isReady
          ? "It runs only by name, with `fetchrun run`; to schedule it, remove"
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
      lines.append(schedule.runCount == 0 ? "It has never run." : "It has never succeeded.")
    }
    if let sentence = schedule.feedHints.sentence { lines.append(sentence) }
    if let sentence = jitterSentence(job.slot) { lines.append(sentence) }
    lines += quota(of: job)?.report(now: now).map { "Its own budget of \($0.text)." } ?? []
    return lines
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

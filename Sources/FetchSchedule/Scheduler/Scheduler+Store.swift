package import FetchValues

extension Scheduler {
  /// The problem that prevents writes to the store; nil while the store accepts runs.
  package var storeTrouble: StoreTrouble? {
    if case .refusing(let trouble, _, _, _) = storeState { trouble } else { nil }
  }

  /// Records that the store refused a run. Does nothing more if the job is already running again.
  /// Otherwise the run counts neither as a failure nor as a success. The job is due again, unless
  /// it was removed.
  ///
  /// - Parameter before: the job's schedule before `ended` recorded the end of the run; nil if the
  ///   end was not recorded.
  package mutating func storeRefused(
    _ job: JobNumber, _ summary: RunSummary, _ trouble: StoreTrouble, before: JobSchedule?,
    now: Timestamp
  ) {
    see(now)
    let slot = job.slot
    begin(trouble, seenAt)
    if cells[slot].place == .running {
      // The current run began after the refused run, so it continues.
      if before != nil { return }
      giveBack(slot, summary, seenAt)
      guard !cells[slot].isRemoved else { return forget(slot) }
      changeLane(slot)
    } else {
      guard holds(job), let before else { return }
      leave(slot)
      restore(slot, before)
    }
    cells[slot].runsAgain = nil
    cells[slot].dueBefore = nil
    cells[slot].catchesUp = false
    cells[slot].earlierReasonsBefore = []
    cells[slot].isProbe = false
    cells[slot].triesStore = false
    var reason = cells[slot].schedule.dueReason
    if case .triggered = reason {} else { reason = .conditions }
    plan(slot, (seenAt, reason))
    settle(slot)
  }

  /// Restores the job's schedule from before the end of the run. If a person has paused the job
  /// since then, it stays paused.
  private mutating func restore(_ slot: Int, _ before: JobSchedule) {
    let now = cells[slot].schedule
    cells[slot].schedule = before
    guard now.pausedAt != nil, now.pauseCause == .person else { return }
    cells[slot].schedule.pausedAt = now.pausedAt
    cells[slot].schedule.pauseCause = .person
  }

  private mutating func begin(_ trouble: StoreTrouble, _ now: Timestamp) {
    if case .refusing(let known, let since, let probeAt, let delay) = storeState {
      // Permanent trouble stays known even if trouble that may pass is reported after it.
      let worst = known.mayPass ? trouble : known
      storeState = .refusing(worst, since: since, probeAt: probeAt, probeDelay: delay)
      return
    }
    var delay = StoreState.probeDelayMin
    if let last = lastStoreTrouble, now - last.endedAt < StoreState.relapseMax {
      delay = min(last.delay * 2, StoreState.probeDelayMax)
    }
    storeState = .refusing(trouble, since: now, probeAt: now + delay, probeDelay: delay)
  }

  /// Records that the store accepted a run. The starts of jobs that waited for the store are spread
  /// over up to ten minutes.
  package mutating func storeTook(_ job: JobNumber, now: Timestamp) {
    see(now)
    if cells.indices.contains(job.slot) { cells[job.slot].triesStore = false }
    guard case .refusing(_, _, _, let delay) = storeState else { return }
    lastStoreTrouble = (seenAt, delay)
    storeState = .up
    releaseHeld(isSpread: true)
  }

  /// Makes the next test of the store due now, because there may be free space again.
  package mutating func hastenStoreProbe(now: Timestamp) {
    see(now)
    guard case .refusing(let trouble, let since, let probeAt, let delay) = storeState else {
      return
    }
    storeState = .refusing(trouble, since: since, probeAt: min(probeAt, seenAt), probeDelay: delay)
  }

  /// Tests the store when a test is due, by a run of a job that waits only for the store. If there
  /// is no such job, there is no test. The intervals between tests grow up to ten minutes.
  mutating func probeStore(now: Timestamp) {
    guard case .refusing(let trouble, let since, let probeAt, let delay) = storeState,
      trouble.mayPass, probeAt <= now, !held.isEmpty
    else { return }
    let longer = min(delay * 2, StoreState.probeDelayMax)
    storeState = .refusing(trouble, since: since, probeAt: now + longer, probeDelay: longer)
    let probe = held.first { unmetBesidesStore(Int($0)) == nil }
    guard let slot = probe.map({ Int($0) }) else { return }
    cells[slot].triesStore = true
    leave(slot)
    enqueue(slot)
  }

  func storeObstacle(_ slot: Int) -> WaitReason? {
    guard case .refusing(let trouble, let since, let probeAt, _) = storeState,
      !cells[slot].triesStore
    else { return nil }
    return .store(trouble, since: since, probeAt: trouble.mayPass ? probeAt : nil)
  }

  /// The time of the next test of the store; nil if no test is planned.
  var storeProbeAt: Timestamp? {
    guard case .refusing(let trouble, _, let probeAt, _) = storeState, trouble.mayPass,
      !held.isEmpty
    else { return nil }
    return probeAt
  }
}

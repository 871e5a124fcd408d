package import FetchHost
package import FetchModel
package import FetchSchedule
import FetchStore
package import FetchValues

/// The steps of a run in the schedule: the start, the settlement before the commit, and the end.
extension ScheduledJobs {
  /// Returns the runs to start now.
  package func due(now: Timestamp) -> [ScheduledRun] {
    withState { state in
      state.scheduler.due(now: now).compactMap { start in
        state.jobs[start.job].map { ScheduledRun(start: start, job: $0) }
      }
    }
  }

  /// Settles a run in the schedule, and returns the job's next due time and memory. Call this
  /// function after a run's outcome is decided and before the run's commit.
  package func settle(
    _ run: ScheduledRun, _ record: RunRecord, _ facts: RunFacts, now: Timestamp
  ) -> RunSettlement {
    withState { state in
      let number = run.start.job
      let before = state.scheduler.schedule(of: number)
      let toldCount = state.notices.count
      let dueAt = Self.end(&state, number, run.job, record, facts, now)
      let after = state.scheduler.schedule(of: number)
      // The notices are reported after the commit, since subscribers look up the run in the store.
      state.settled[number] = SettledRun(
        notices: Array(state.notices[toldCount...]), before: before, after: after)
      state.notices.removeSubrange(toldCount...)
      var settlement = RunSettlement(nextDueAt: dueAt)
      settlement.shared.budget = state.scheduler.budget.encoded
      for (hostname, marks) in state.scheduler.takeLaneMarks() {
        settlement.shared.lanes[hostname] = marks.encoded
        settlement.coolDowns[ScheduleMemory.origin(of: hostname)] = marks.closedUntil
      }
      settlement.history = DeliveryHistory(
        failuresBefore: before.failureCount,
        failuresAfter: state.scheduler.failureCount(of: number))
      // A job that was removed while it ran keeps the memory from before the run. Guests have no
      // stored memory.
      if state.scheduler.holds(number, named: run.start.name), !state.isGuest(number) {
        settlement.schedule = StoredSchedule(after, learnedBefore: before.adaptive)
      }
      return settlement
    }
  }

  /// Ends a started run. Call this function for each run, as the last step.
  ///
  /// If a problem that affects all jobs prevented the commit, restores the job's memory from before
  /// the run. With `runsOnce`, and in all other cases, settles the run if `settle` was not called
  /// for it.
  package func finish(_ run: ScheduledRun, _ report: RunReport, now: Timestamp) {
    withState { state in
      let number = run.start.job
      let settled = state.settled.removeValue(forKey: number)
      let isSame = state.scheduler.holds(number, named: run.start.name)
      defer { if isSame { state.dismiss(number) } }
      // A command that runs each job once does not wait until the store can be written again.
      if !runsOnce, let trouble = report.storeError?.trouble {
        // If the job was removed during the run, another job may have the job's number.
        guard isSame || settled == nil else { return }
        state.scheduler.storeRefused(
          number, RunSummary(report.record), trouble, before: settled?.before, now: now)
        if isSame { state.changed.insert(number) }
        state.dropIfRemoved(number, run.start.name)
        return
      }
      if let settled {
        state.notices += settled.notices
        // A change during the commit, such as a pause, may have been stored before it.
        if isSame, !state.isGuest(number), settled.after != state.scheduler.schedule(of: number) {
          state.changed.insert(number)
        }
      } else {
        _ = Self.end(&state, number, run.job, report.record, RunFacts(), now)
      }
      if report.storeError == nil { state.scheduler.storeTook(number, now: now) }
      if runsOnce { state.retire(number) }
    }
  }

  /// Reports that the store may have space again.
  func hastenStoreProbe(now: Timestamp) {
    withState { $0.scheduler.hastenStoreProbe(now: now) }
  }

  /// Records the end of a run and returns the job's next due time. `job` is nil in simulations.
  static func end(
    _ state: inout State, _ number: JobNumber, _ job: Job?, _ record: RunRecord,
    _ facts: RunFacts, _ now: Timestamp
  ) -> Timestamp? {
    let scheduled = state.scheduler[number]
    var summary = RunSummary(record)
    let failed = record.outcome.failure == nil ? nil : facts.answers.last
    // A reload may have changed the job's address during the run.
    let hostname =
      failed == nil && facts.retryAfters.isEmpty
      ? scheduled.hostname : job.map(\.laneHostname) ?? scheduled.hostname
    summary.retryAfter = facts.retryAfters.filter { $0.hostname == hostname }.map(\.until).max()
    if record.outcome.failure != nil { summary.notBefore = facts.postponedUntil }
    // An answer from a hostname other than the job's says nothing about the job's source, unless it
    // is a 410 Gone: see `RunFacts.isGone`.
    if let failed, failed.askedHostname == hostname || facts.isGone(from: hostname) {
      summary.httpStatus = failed.status
    }
    if summary.httpStatus == 410 { summary.source = job?.source ?? [] }
    summary.hints.cacheLifetime = facts.answers.compactMap(\.cacheLifetime).min()
    summary.hints.pollWithPushes = state.learned.pollWithPushes(of: record.job)
    let schedule = state.scheduler.schedule(of: number)
    let known = schedule.feedHints
    summary.hints.feed = summary.isSuccess ? facts.feedHints(after: known) : known
    var planned: PlannedTime?
    if scheduled.interval == .adaptive {
      planned = state.learned.plan(
        scheduled, schedule, record, facts, summary.hints,
        bucket: state.scheduler.budget.requestFill(now: now), jitter: state.scheduler.jitter,
        now: now)
    }
    let verdict = state.scheduler.ended(number, summary, planned: planned, now: now)
    state.dropIfRemoved(number, scheduled.name)
    for note in facts.retryAfters where note.hostname != hostname {
      state.scheduler.close(note.hostname, until: note.until, now: now)
    }
    for other in facts.answeredWell(besides: hostname) {
      state.scheduler.noteSuccess(of: other)
    }
    // A failure with a Retry-After is not noted, because its hostname is already closed until the
    // requested time.
    if let failed, failed.askedHostname != hostname,
      !facts.retryAfters.contains(where: { $0.hostname == failed.askedHostname })
    {
      state.scheduler.note(failed.status, of: failed.askedHostname, now: now)
    }
    state.notices += verdict.notices.map { JobNotice(job: scheduled.name, notice: $0) }
    return state.resumeIfGoneSourceChanged(number, now: now) ?? verdict.dueAt
  }
}

extension ScheduledJobs.State {
  /// Removes the data of a job that the scheduler has removed at the end of the job's run. Does
  /// nothing if the scheduler still has the job. Call it before another job can get the number.
  mutating func dropIfRemoved(_ number: JobNumber, _ name: JobName) {
    guard !scheduler.holds(number) else { return }
    jobs[number] = nil
    changed.remove(number)
    fresh.remove(name)
  }

  /// Resumes a job that was paused by 410 Gone if the job's source has changed. Returns the job's
  /// due time; nil if the job was not resumed.
  @discardableResult
  mutating func resumeIfGoneSourceChanged(_ number: JobNumber, now: Timestamp) -> Timestamp? {
    guard scheduler.holds(number), scheduler.isGone(number), let job = jobs[number],
      let notice = scheduler.asks(job.source, number, now: now)
    else { return nil }
    changed.insert(number)
    notices.append(JobNotice(job: job.name, notice: notice))
    return scheduler.schedule(of: number).dueAt
  }
}

struct UnsavedUsage: Sendable {
  var hasCharges = false
  /// Whether the store refused to save that all jobs are paused, or no longer paused. A later
  /// `keepAll` saves this fact.
  var hasPause = false
  /// The end of each unsaved cooldown, by origin.
  var coolDowns: [ExactText: Timestamp] = [:]

  var isEmpty: Bool { !hasCharges && !hasPause && coolDowns.isEmpty }
}

/// A removed job that has its own budget, in a command that runs each job once. The job's transfers
/// are still charged to this budget.
struct RetiredJob: Sendable {
  let plugin: PluginName
  var schedule: JobSchedule
  var quota: Budget
  var isChanged = false
}

/// The charging of costs outside of runs. Transfers are charged to the budget of all jobs and to
/// the job's own budget. Deliveries of hook files are charged to the budget of all jobs. The CPU
/// time of these deliveries is also charged to the job's own budget.
extension ScheduledJobs.State {
  func opening(for cost: RunCost, of job: JobName, now: Timestamp) -> Timestamp? {
    let shared = scheduler.budget.opening(for: cost, now: now)
    guard let own = quota(of: job)?.opening(for: cost, now: now) else { return shared }
    return max(own, shared ?? own)
  }

  private func quota(of job: JobName) -> Budget? {
    if let number = scheduler.number(of: job) { return scheduler.quota(of: number) }
    return retired.isEmpty ? nil : retired[job]?.quota
  }

  /// Removes a job from the scheduler. Keeps the job's own budget, if it has one.
  mutating func retire(_ number: JobNumber) {
    if let quota = scheduler.quota(of: number), let job = jobs[number] {
      retired[scheduler.name(of: number)] = RetiredJob(
        plugin: job.plugin.manifest.name, schedule: scheduler.schedule(of: number), quota: quota)
    }
    scheduler.remove(number)
  }

  mutating func charge(_ cost: RunCost, to job: JobName, now: Timestamp) {
    charge(cost, now: now)
    chargeQuota(of: job, cost, now: now)
  }

  mutating func charge(_ cost: RunCost, now: Timestamp) {
    unkept.hasCharges = true
    scheduler.charge(cost, now: now)
  }

  mutating func chargeQuota(of job: JobName, _ cost: RunCost, now: Timestamp) {
    if let number = scheduler.number(of: job) {
      guard scheduler.quota(of: number) != nil else { return }
      scheduler.chargeQuota(of: number, cost, now: now)
      changed.insert(number)
    } else if !retired.isEmpty {
      retired[job]?.quota.charge(cost, now: now)
      retired[job]?.isChanged = true
    }
  }
}

/// The limits that hooks share with runs: the budget of all jobs, and the cooldowns of hostnames.
extension ScheduledJobs: Cooldowns, SpendingGate {
  /// Returns the time from which a request outside of a run is allowed; nil if such a request is
  /// allowed now.
  package func opening(now: Timestamp) -> Timestamp? {
    look { $0.budget.opening(for: RunCost(requests: 1), now: now) }
  }

  /// Charges the cost of a hook's call to the budget of all jobs. The CPU time of the call is also
  /// charged to the job's own budget.
  package func charge(_ cost: RunCost, cpuOf job: JobName, now: Timestamp) {
    withState { state in
      state.charge(cost, now: now)
      let own = RunCost(cpuMilliseconds: cost.cpuMilliseconds)
      state.chargeQuota(of: job, own, now: now)
    }
  }

  package func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp? {
    look { $0.closedUntil(hostname, now: now) }
  }

  package func close(_ note: RetryAfterNote, now: Timestamp) {
    withState { state in
      let origin = ExactText(note.origin)
      state.unkept.coolDowns[origin] = max(note.until, state.unkept.coolDowns[origin] ?? note.until)
      state.scheduler.close(note.hostname, until: note.until, now: now)
    }
  }

  var hasUnkeptSpending: Bool { withState { !$0.unkept.isEmpty } }
}

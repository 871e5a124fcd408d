import FetchHost
package import FetchModel
import FetchSchedule
import FetchStore
package import FetchValues

/// The way of a run through the schedule: start, settlement before its commit, and end.
extension ScheduledJobs {
  /// The runs to start now.
  package func due(now: Timestamp) -> [ScheduledRun] {
    withState { state in
      state.scheduler.due(now: now).compactMap { start in
        state.jobs[start.job].map { ScheduledRun(start: start, job: $0) }
      }
    }
  }

  /// To be asked between a run's outcome and its commit: the job's next time and what it remembers.
  package func settle(
    _ run: ScheduledRun, _ record: RunRecord, _ facts: RunFacts, now: Timestamp
  ) -> RunSettlement {
    withState { state in
      let number = run.start.job
      let before = state.scheduler.schedule(of: number)
      let toldCount = state.notices.count
      let dueAt = Self.end(&state, number, run.job, record, facts, now)
      // Who is told of the run finds it in the store: not before its commit.
      state.settled[number] = SettledRun(
        notices: Array(state.notices[toldCount...]), before: before)
      state.notices.removeSubrange(toldCount...)
      var settlement = RunSettlement(nextDueAt: dueAt)
      settlement.shared.budget = ScheduleMemory.charges(of: state.scheduler)
      for (hostname, marks) in state.scheduler.takeLaneMarks() {
        settlement.shared.lanes[hostname] = ScheduleMemory.encoded(marks)
        settlement.coolDowns[ScheduleMemory.origin(of: hostname)] = marks.closedUntil
      }
      settlement.history = DeliveryHistory(
        failuresBefore: before.failureCount,
        failuresAfter: state.scheduler.schedule(of: number).failureCount)
      // A job that was removed while it ran keeps what was remembered of it before.
      if state.scheduler.number(of: run.start.name) == number, !state.isGuest(number) {
        settlement.schedule = StoredSchedule(
          state.scheduler.schedule(of: number), learnedBefore: before.adaptive)
      }
      return settlement
    }
  }

  /// To be told of each run that was started, when nothing of it is left: one that never came to
  /// be settled ends here. One that the store refused is as if it had not been.
  package func finish(_ run: ScheduledRun, _ report: RunReport, now: Timestamp) {
    withState { state in
      let number = run.start.job
      let settled = state.settled.removeValue(forKey: number)
      let isSame = state.scheduler.number(of: run.start.name) == number
      defer { if isSame { state.dismiss(number) } }
      // A command that runs each job once is over when the store can be written again.
      if !runsOnce, let trouble = report.storeError?.trouble {
        // A job that was removed meanwhile may have left its number to another one.
        guard isSame || settled == nil else { return }
        state.scheduler.storeRefused(
          number, RunSummary(report.record), trouble, before: settled?.before, now: now)
        if isSame { state.changed.insert(number) }
        return
      }
      if let settled {
        state.notices += settled.notices
      } else {
        _ = Self.end(&state, number, run.job, report.record, RunFacts(), now)
      }
      if report.storeError == nil { state.scheduler.storeTook(number, now: now) }
      if runsOnce { state.retire(number) }
    }
  }

  /// There may be room for what the store refused.
  func hastenStoreProbe(now: Timestamp) {
    withState { $0.scheduler.hastenStoreProbe(now: now) }
  }

  /// Places a job whose run has come to that; its next time. `job` is as the run had it, nil where
  /// it is made up.
  static func end(
    _ state: inout State, _ number: JobNumber, _ job: Job?, _ record: RunRecord,
    _ facts: RunFacts, _ now: Timestamp
  ) -> Timestamp? {
    let scheduled = state.scheduler[number]
    var summary = RunSummary(record)
    let failed = record.outcome.failure == nil ? nil : facts.answers.last
    // Another config, with another address, may have come while it ran.
    let hostname =
      failed == nil && facts.retryAfters.isEmpty
      ? scheduled.hostname : job.map(\.laneHostname) ?? scheduled.hostname
    summary.retryAfter = facts.retryAfters.filter { $0.hostname == hostname }.map(\.until).max()
    if record.outcome.failure != nil { summary.notBefore = facts.postponedUntil }
    // What another hostname says is not said of the job's source.
    if let failed, failed.askedHostname == hostname || facts.isGone(from: hostname) {
      summary.httpStatus = failed.status
    }
    if summary.httpStatus == 410 { summary.source = job?.source ?? [] }
    summary.hints.cacheLifetime = facts.answers.compactMap(\.cacheLifetime).min()
    let known = state.scheduler.schedule(of: number).feedHints
    summary.hints.feed = summary.isSuccess ? facts.feedHints(after: known) : known
    var planned: PlannedTime?
    if scheduled.interval == .adaptive {
      planned = state.learned.plan(
        scheduled, state.scheduler.schedule(of: number), record, facts, summary.hints,
        bucket: state.scheduler.budget.requestFill(now: now), jitter: state.scheduler.jitter,
        now: now)
    }
    let verdict = state.scheduler.ended(number, summary, planned: planned, now: now)
    for note in facts.retryAfters where note.hostname != hostname {
      state.scheduler.close(note.hostname, until: note.until, now: now)
    }
    for other in facts.answeredWell where other != hostname {
      state.scheduler.noteSuccess(of: other)
    }
    if let failed, failed.askedHostname != hostname {
      state.scheduler.note(failed.status, of: failed.askedHostname, now: now)
    }
    state.notices += verdict.notices.map { JobNotice(job: scheduled.name, notice: $0) }
    return state.resumeIfChanged(number, now: now) ?? verdict.dueAt
  }
}

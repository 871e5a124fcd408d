import FetchHost
package import FetchModel
package import FetchSchedule
import FetchStore
package import FetchValues
import Synchronization

/// The scheduler with the jobs it schedules and what they have learned, for all threads of a
/// process: each call is one step, done at once.
package final class ScheduledJobs: Sendable {
  struct State: Sendable {
    var scheduler: Scheduler
    var jobs: [JobNumber: Job] = [:]
    var learned: LearnedSchedules
    var notices: [JobNotice] = []
    /// How many of the jobs are not disabled.
    var enabledCount = 0
    /// Whether load or power is a condition of any job.
    var hasConditions = false
    /// Jobs whose run is placed already, until its end.
    var settled: [JobNumber: SettledRun] = [:]
    /// Jobs of which something is to be stored that no run commits.
    var changed: Set<JobNumber> = []
    /// What was spent without a run, or a hostname that wants to be left alone, since it was last
    /// stored.
    var unkept = UnsavedUsage()
    /// New jobs whose first time is still to come and that are not known to be stored.
    var planned: [JobNumber] = []
    /// Those that the store did not take, oldest first.
    var unkeptSkips: [SkipRecord] = []
    /// See `SchedulerMemory.rescued`.
    var rescued: [String] = []
    /// Where each job runs once: those that have, with a budget of their own.
    var retired: [ExactText: RetiredJob] = [:]
    /// Jobs that no config has, each until its run has ended: see `GuestRuns`.
    var guests: [ExactText: Guest] = [:]
    /// That of the last guest.
    var lastTicket = 0
  }

  /// A run that is placed and not yet known to be stored.
  struct SettledRun: Sendable {
    /// The notices to report once the run is stored.
    var notices: [JobNotice]
    /// What was remembered of its job before.
    var before: JobSchedule
  }

  private let state: Mutex<State>
  private let runsOnce: Bool

  /// `runsOnce`: a job is forgotten when its run has ended, for a command that runs each job once.
  package init(
    scheduler: Scheduler, learned: LearnedSchedules = LearnedSchedules(), runsOnce: Bool = false
  ) {
    self.runsOnce = runsOnce
    state = Mutex(State(scheduler: scheduler, learned: learned))
  }

  func withState<T: Sendable>(_ body: (inout sending State) -> sending T) -> T {
    state.withLock(body)
  }

  // MARK: Jobs

  /// These jobs and no others: what is new is taken in with what is remembered of it, what has
  /// changed is changed, what is gone is forgotten when it does not run. Due times stay. `unready`
  /// are the names of disabled jobs that could not run.
  package func set(
    _ wanted: [PreparedJob], unready: [String] = [], rules: Rules? = nil, local: ZoneOffsets,
    remembered: [String: JobSchedule] = [:], now: Timestamp
  ) {
    withState { state in
      if let rules { Self.set(rules, in: &state, now: now) }
      // Tables that grow by themselves are twice as large as they need to be, and for a moment are
      // there twice.
      state.scheduler.reserveCapacity(wanted.count)
      state.jobs.reserveCapacity(wanted.count)
      var kept = Set<JobNumber>(minimumCapacity: wanted.count)
      state.hasConditions = false
      state.enabledCount = 0
      for prepared in wanted {
        let scheduled = ScheduledJob(prepared, local: local)
        let number = state.take(
          prepared, scheduled, remembered: remembered[scheduled.name] ?? JobSchedule(), now: now)
        if scheduled.isEnabled, remembered[scheduled.name] == nil {
          state.notePlanned(number, now: now)
        }
        kept.insert(number)
        state.guests[ExactText(scheduled.name)] = nil
        if scheduled.isEnabled { state.enabledCount += 1 }
        let conditions = scheduled.conditions
        if conditions.loadMax != nil || conditions.needsACPower { state.hasConditions = true }
      }
      for name in unready {
        let number = state.scheduler.add(
          .unready(name), remembered[name] ?? JobSchedule(), now: now)
        state.jobs[number] = nil
        kept.insert(number)
      }
      if !runsOnce {
        state.changed.formUnion(state.planned)
        state.planned = []
      }
      for number in state.scheduler.numbers where !kept.contains(number) && !state.isGuest(number) {
        state.scheduler.remove(number)
        if !state.scheduler.isRunning(number) { state.jobs[number] = nil }
      }
    }
  }

  /// The same jobs with other plugins; those that are not there are left out.
  func replace(_ prepared: [PreparedJob], local: ZoneOffsets, now: Timestamp) {
    withState { state in
      for job in prepared where state.scheduler.number(of: job.job.name) != nil {
        _ = state.take(job, ScheduledJob(job, local: local), now: now)
      }
    }
  }

  /// Gives all jobs the hooks that have a word in their runs.
  func setHooks(_ hooks: LuaHooks) {
    withState { state in
      for (number, job) in state.jobs { state.jobs[number] = hooks.joined(to: job) }
    }
  }

  /// What holds for all jobs. Another budget begins with what is left of the one before.
  package struct Rules {
    var lanes: LaneRules
    var limits: BudgetLimits
  }

  private static func set(_ rules: Rules, in state: inout State, now: Timestamp) {
    state.scheduler.setLaneRules(rules.lanes)
    guard rules.limits != state.scheduler.budget.limits else { return }
    state.learned.shared.setBudget(requestsPerHour: rules.limits.requestsPerHour)
    var writer = ValueWriter()
    state.scheduler.budget.encode(into: &writer)
    var budget = Budget(rules.limits, now: now)
    writer.bytes.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      try? budget.restore(from: &reader)
    }
    state.scheduler.setBudget(budget, now: now)
  }

  /// Forgets the jobs whose time is still to come.
  package func keepDue(now: Timestamp) {
    withState { state in
      for number in state.scheduler.numbers {
        let dueAt = state.scheduler.schedule(of: number).dueAt
        if dueAt.map({ $0 > now }) ?? true { state.scheduler.remove(number) }
      }
    }
  }

  /// Jobs whose last run nobody ended are due again.
  package func rescue(_ names: [String], now: Timestamp) {
    withState { state in
      for name in names {
        if let number = state.scheduler.number(of: name) {
          state.notices += state.scheduler.rescue(number, now: now).map {
            JobNotice(job: name, notice: $0)
          }
          state.changed.insert(number)
          state.rescued.append(name)
        }
      }
    }
  }

  // MARK: Runs

  /// The runs to start now.
  package func due(now: Timestamp) -> [ScheduledRun] {
    withState { state in
      state.scheduler.due(now: now).compactMap { start in
        state.jobs[start.job].map { ScheduledRun(start: start, job: $0) }
      }
    }
  }

  package var enabledCount: Int { withState { $0.enabledCount } }
  package var nextWake: Timestamp? { withState { $0.scheduler.nextWake } }
  package var runningCount: Int { withState { $0.scheduler.budget.runningCount } }

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

  /// The number of the jobs that are served, and the reason where none of them runs.
  package var status: String {
    let count = counted(enabledCount, "job")
    return storeTrouble.map { "\(count), none of which runs: \($0.message)" } ?? count
  }

  /// The reason why no run can be stored, and so none begins; nil while runs are stored.
  package var storeTrouble: StoreTrouble? { withState { $0.scheduler.storeTrouble } }

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

  // MARK: What people and events ask

  /// nil: there is no such job.
  package func trigger(
    _ name: String, _ kind: TriggerKind, skipsInterval: Bool = true, now: Timestamp
  ) -> TriggerAnswer? {
    withState { state in
      guard let number = state.scheduler.number(of: name) else { return nil }
      // What a daemon has promised is kept across restarts; who runs jobs once promises nothing.
      if !runsOnce { state.changed.insert(number) }
      return state.scheduler.trigger(number, kind, skipsInterval: skipsInterval, now: now)
    }
  }

  /// The job of that name with its file; nil where the config has none.
  func job(named name: String) -> Job? {
    withState { state in state.scheduler.number(of: name).flatMap { state.jobs[$0] } }
  }

  /// Whether its last run failed, and its time comes by itself.
  func hasFailed(_ name: String) -> Bool {
    look { scheduler in
      guard let number = scheduler.number(of: name) else { return false }
      return scheduler.schedule(of: number).failureCount > 0 && scheduler[number].isEnabled
        && scheduler[number].interval != .never
    }
  }

  /// A person asks for a run of a job: the number of the run that answers it, which may be under
  /// way already, or why there will be none. See `RunStart.number`.
  func ask(_ name: String, now: Timestamp) -> Result<Int64, RunRefusal> {
    withState { state in
      guard let number = state.scheduler.number(of: name) else {
        return .failure(RunRefusal(sentence: "there is no such job"))
      }
      let count = state.scheduler.schedule(of: number).runCount
      if state.scheduler.isRunning(number) { return .success(count) }
      let answer = state.scheduler.trigger(number, .manual, now: now)
      if case .skipped(let reason) = answer {
        return .failure(RunRefusal(sentence: reason.sentence))
      }
      return .success(count + 1)
    }
  }

  /// The run of a job whose time has come, or that is under way; nil for others.
  func dueRun(_ name: String, now: Timestamp) -> Int64? {
    look { scheduler in
      guard let number = scheduler.number(of: name) else { return nil }
      let count = scheduler.schedule(of: number).runCount
      if scheduler.isRunning(number) { return count }
      return scheduler.isDue(number, now: now) ? count + 1 : nil
    }
  }

  /// Whether it is a disabled job that could not run.
  func isUnready(_ name: String) -> Bool {
    look { scheduler in scheduler.number(of: name).map { !scheduler[$0].isReady } ?? false }
  }

  /// All jobs with a name of nil. Whether that changed anything; nil: there is no such job.
  package func pause(_ name: String?, now: Timestamp) -> Bool? {
    withState { state in
      guard let name else {
        defer { state.scheduler.pauseAll(now: now) }
        return state.scheduler.pausedSince == nil
      }
      guard let number = state.scheduler.number(of: name) else { return nil }
      state.changed.insert(number)
      return state.scheduler.pause(number, now: now)
    }
  }

  /// As `pause`.
  package func resume(_ name: String?, now: Timestamp) -> Bool? {
    withState { state in
      guard let name else {
        defer { state.scheduler.resumeAll(now: now) }
        return state.scheduler.pausedSince != nil
      }
      guard let number = state.scheduler.number(of: name) else { return nil }
      defer { state.scheduler.resume(number, now: now) }
      state.changed.insert(number)
      return state.scheduler.schedule(of: number).pausedAt != nil
    }
  }

  package func setOnline(_ isOnline: Bool, now: Timestamp) {
    withState { $0.scheduler.setOnline(isOnline, now: now) }
  }

  package func setConditions(_ machine: MachineState, now: Timestamp) {
    withState { $0.scheduler.setConditions(machine, now: now) }
  }

  /// Whether load and power are to be told before runs are started.
  package var hasConditions: Bool { withState { $0.hasConditions } }
  /// Whether a job is held by load or power now.
  package var waitsForConditions: Bool { withState { $0.scheduler.waitsForConditions } }

  /// How old what each job has is, for hooks that are told of it; without those that are paused,
  /// disabled or never run by themselves.
  func ages() -> [JobAge] {
    withState { state in
      if state.scheduler.pausedSince != nil { return [] }
      return state.scheduler.numbers.compactMap { number in
        let schedule = state.scheduler.schedule(of: number)
        guard let job = state.jobs[number], state.scheduler[number].isEnabled,
          schedule.pausedAt == nil, let dueAt = schedule.dueAt
        else { return nil }
        return JobAge(
          job: job.name, plugin: job.plugin.manifest.name,
          lastSuccessAt: schedule.lastSuccessAt ?? schedule.failingSince,
          lastNewDataAt: schedule.lastNewDataAt, dueAt: dueAt)
      }
    }
  }

  /// Reads the scheduler as it is now.
  package func look<T: Sendable>(_ body: (Scheduler) -> sending T) -> T {
    withState { body($0.scheduler) }
  }

  package func takeNotices() -> [JobNotice] {
    withState { state in
      defer { state.notices = [] }
      return state.notices
    }
  }
}

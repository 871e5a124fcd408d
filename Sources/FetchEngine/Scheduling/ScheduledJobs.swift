import FetchHost
package import FetchModel
package import FetchSchedule
import FetchStore
package import FetchValues
import Synchronization

/// The scheduler with its jobs and what they have learned, for all threads of a process: each call
/// is one atomic step.
package final class ScheduledJobs: Sendable {
  struct State: Sendable {
    var scheduler: Scheduler
    var jobs: [JobNumber: Job] = [:]
    var learned: LearnedSchedules
    var notices: [JobNotice] = []
    /// The number of jobs that are not disabled.
    var enabledCount = 0
    /// Whether any job has load or power as a condition.
    var hasConditions = false
    /// The jobs whose run is settled and has not ended.
    var settled: [JobNumber: SettledRun] = [:]
    /// The jobs with unsaved changes that no run commits.
    var changed: Set<JobNumber> = []
    /// The unsaved costs and cooldowns that belong to no run.
    var unkept = UnsavedUsage()
    /// The new jobs with a future first time that may not be stored yet.
    var planned: [JobNumber] = []
    /// The skips that the store refused, oldest first.
    var unkeptSkips: [SkipRecord] = []
    /// See `SchedulerMemory.rescued`.
    var rescued: [String] = []
    /// The finished jobs with their own budget, in a command that runs each job once.
    var retired: [ExactText: RetiredJob] = [:]
    /// The jobs that are in no config, each until its run has ended: see `GuestRuns`.
    var guests: [ExactText: Guest] = [:]
    /// The ticket of the last guest.
    var lastTicket = 0
  }

  /// A run that is settled and may not be stored yet.
  struct SettledRun: Sendable {
    /// The notices to report once the run is stored.
    var notices: [JobNotice]
    /// The job's memory before the run.
    var before: JobSchedule
  }

  private let state: Mutex<State>
  /// Whether a job is forgotten after its run, for a command that runs each job once.
  let runsOnce: Bool

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

  /// Replaces the set of jobs. A new job begins with its stored memory, a changed job is updated,
  /// and a removed job is forgotten unless it is running. Due times stay. `unready` lists disabled
  /// jobs that cannot be prepared.
  package func set(
    _ wanted: [PreparedJob], unready: [String] = [], rules: Rules? = nil, local: ZoneOffsets,
    remembered: [String: JobSchedule] = [:], now: Timestamp
  ) {
    withState { state in
      if let rules { Self.set(rules, in: &state, now: now) }
      // Tables that grow by themselves are twice as large as needed, and during growth both copies
      // exist.
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

  /// Replaces the plugins of jobs; jobs that are not in the set are ignored.
  func replace(_ prepared: [PreparedJob], local: ZoneOffsets, now: Timestamp) {
    withState { state in
      for job in prepared where state.scheduler.number(of: job.job.name) != nil {
        _ = state.take(job, ScheduledJob(job, local: local), now: now)
      }
    }
  }

  /// Gives all jobs the hooks that take part in their runs.
  func setHooks(_ hooks: LuaHooks) {
    withState { state in
      for (number, job) in state.jobs { state.jobs[number] = hooks.joined(to: job) }
    }
  }

  /// The rules for all jobs. A new budget begins with what is left of the previous one.
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

  /// Forgets the jobs that are not due yet.
  package func keepDue(now: Timestamp) {
    withState { state in
      for number in state.scheduler.numbers {
        let dueAt = state.scheduler.schedule(of: number).dueAt
        if dueAt.map({ $0 > now }) ?? true { state.scheduler.remove(number) }
      }
    }
  }

  /// Makes jobs with an abandoned last run due again.
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

  // MARK: As they are now

  package var enabledCount: Int { withState { $0.enabledCount } }
  package var nextWake: Timestamp? { withState { $0.scheduler.nextWake } }
  package var runningCount: Int { withState { $0.scheduler.budget.runningCount } }

  /// The number of jobs that are served, with the reason if none of them can run.
  package var status: String {
    let count = counted(enabledCount, "job")
    return storeTrouble.map { "\(count), none of which runs: \($0.message)" } ?? count
  }

  /// The reason why no run can be stored, so that none begins; nil while runs are stored.
  package var storeTrouble: StoreTrouble? { withState { $0.scheduler.storeTrouble } }

  /// Passes the present scheduler to the body.
  package func look<T: Sendable>(_ body: (Scheduler) -> sending T) -> T {
    withState { body($0.scheduler) }
  }

  /// Returns the job with that name and its file; nil if the config has none.
  func job(named name: String) -> Job? {
    withState { state in state.scheduler.number(of: name).flatMap { state.jobs[$0] } }
  }

  package func takeNotices() -> [JobNotice] {
    withState { state in
      defer { state.notices = [] }
      return state.notices
    }
  }
}

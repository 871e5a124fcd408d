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
  /// Whether a job is forgotten when its run has ended, for a command that runs each job once.
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

  // MARK: As they are now

  package var enabledCount: Int { withState { $0.enabledCount } }
  package var nextWake: Timestamp? { withState { $0.scheduler.nextWake } }
  package var runningCount: Int { withState { $0.scheduler.budget.runningCount } }

  /// The number of the jobs that are served, and the reason where none of them runs.
  package var status: String {
    let count = counted(enabledCount, "job")
    return storeTrouble.map { "\(count), none of which runs: \($0.message)" } ?? count
  }

  /// The reason why no run can be stored, and so none begins; nil while runs are stored.
  package var storeTrouble: StoreTrouble? { withState { $0.scheduler.storeTrouble } }

  /// Reads the scheduler as it is now.
  package func look<T: Sendable>(_ body: (Scheduler) -> sending T) -> T {
    withState { body($0.scheduler) }
  }

  /// The job of that name with its file; nil where the config has none.
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

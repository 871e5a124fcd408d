import FetchHost
package import FetchModel
package import FetchSchedule
import FetchStore
package import FetchValues
import Synchronization

/// The scheduler with its jobs and the learned schedules. All threads of a process may use it, and
/// each call is one atomic step.
package final class ScheduledJobs: Sendable {
  struct State: Sendable {
    var scheduler: Scheduler
    var jobs = JobTable<Job>()
    var learned: LearnedSchedules
    var notices: [JobNotice] = []
    /// The jobs in the order of their names. The order is updated when it is next used.
    var byName = JobsByName()
    /// The jobs whose next run requires caches to check with the source before they answer.
    var fresh: Set<JobName> = []
    var jobCount = JobCount()
    /// Whether any job has load or power as a condition.
    var hasConditions = false
    /// The settled runs for which `finish` has not been called yet.
    var settled: [JobNumber: SettledRun] = [:]
    /// The jobs with unsaved changes that no run will commit.
    var changed: Set<JobNumber> = []
    var unkept = UnsavedUsage()
    /// The new jobs whose first due time is in the future. This time may not be stored yet.
    var planned: [JobNumber] = []
    /// The skips that the store refused, oldest first.
    var unkeptSkips: [SkipRecord] = []
    /// The jobs for which `rescue` was called since the last save: see `SchedulerMemory.rescued`.
    var rescued: [JobName] = []
    /// The removed jobs that have their own budget, in a command that runs each job once.
    var retired: [JobName: RetiredJob] = [:]
    /// The jobs that are in no config. Each job is removed when its run has ended: see `GuestRuns`.
    var guests: [JobName: Guest] = [:]
    /// The ticket of the guest that was added last.
    var lastTicket = 0
  }

  /// A run that is settled but may not be stored yet.
  struct SettledRun: Sendable {
    /// The notices that are reported after the run is stored.
    var notices: [JobNotice]
    /// The job's memory before the run.
    var before: JobSchedule
    /// The job's memory that the run's commit stores.
    var after: JobSchedule
  }

  private let state: Mutex<State>
  /// Whether a job is removed after its run, for a command that runs each job once.
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

  /// Replaces the set of jobs. A new job begins with its stored memory. A changed job is updated,
  /// and keeps its due time unless the change affects this time. A job that is no longer in the set
  /// is removed unless it is a guest, but a run under way continues. `unready` lists disabled jobs
  /// that cannot be prepared.
  package func set(
    _ wanted: [Job], unready: [JobName] = [], rules: Rules? = nil, local: ZoneOffsets,
    remembered: [JobName: JobSchedule] = [:], now: Timestamp
  ) {
    withState { state in
      if let rules { Self.set(rules, in: &state, now: now) }
      // Without reserved capacity, the tables could be twice as large as needed. While a table
      // grows, its old and new copies both exist.
      state.scheduler.reserveCapacity(wanted.count)
      state.jobs.reserveCapacity(wanted.count)
      var kept = Set<JobNumber>(minimumCapacity: wanted.count)
      state.hasConditions = false
      state.jobCount = JobCount(all: wanted.count + unready.count, disabled: unready.count)
      for job in wanted {
        let scheduled = ScheduledJob(job, local: local)
        let memory = remembered[scheduled.name]
        let number = state.take(job, scheduled, remembered: memory ?? JobSchedule(), now: now)
        if scheduled.isEnabled, memory == nil { state.notePlanned(number, now: now) }
        kept.insert(number)
        if !state.guests.isEmpty { state.guests[scheduled.name] = nil }
        if !scheduled.isEnabled { state.jobCount.disabled += 1 }
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

  /// Replaces jobs by newly prepared jobs with the same names. Ignores jobs that the scheduler does
  /// not have.
  func replace(_ prepared: [Job], local: ZoneOffsets, now: Timestamp) {
    withState { state in
      for job in prepared where state.scheduler.number(of: job.name) != nil {
        _ = state.take(job, ScheduledJob(job, local: local), now: now)
      }
    }
  }

  /// Assigns to each job the hooks that take part in its runs.
  func setHooks(_ hooks: LuaHooks) {
    withState { $0.jobs.replaceValues(hooks.joined(to:)) }
  }

  /// The lane rules and the budget limits for all jobs. If the limits change, the new budget keeps
  /// the amount that is left for each resource and period that both budgets limit, up to the new
  /// maximum.
  package struct Rules {
    var lanes: LaneRules
    var limits: BudgetLimits
  }

  private static func set(_ rules: Rules, in state: inout State, now: Timestamp) {
    state.scheduler.setLaneRules(rules.lanes)
    guard rules.limits != state.scheduler.budget.limits else { return }
    state.learned.shared.setBudget(requestsPerHour: rules.limits.requestsPerHour)
    var budget = Budget(rules.limits, now: now)
    try? budget.restore(encoded: state.scheduler.budget.encoded)
    state.scheduler.setBudget(budget, now: now)
  }

  /// Removes the jobs that are not due yet, and the jobs without a due time. Keeps their own
  /// budgets, since a command may continue their transfers.
  package func keepDue(now: Timestamp) {
    withState { state in
      for number in state.scheduler.numbers {
        let dueAt = state.scheduler.schedule(of: number).dueAt
        if dueAt.map({ $0 > now }) ?? true { state.retire(number) }
      }
    }
  }

  /// Records that the last runs of the jobs were abandoned, and sets the jobs' next due times.
  package func rescue(_ names: [JobName], now: Timestamp) {
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

  // MARK: Present state

  package var jobCount: JobCount { withState { $0.jobCount } }
  package var nextWake: Timestamp? { withState { $0.scheduler.nextWake } }
  package var runningCount: Int { withState { $0.scheduler.budget.runningCount } }

  /// The number of jobs as text. If runs cannot be stored, the text also has the reason.
  package var status: String {
    let count = jobCount.text
    return storeTrouble.map { "\(count), but no run can start: \($0.message)" } ?? count
  }

  /// The reason why runs cannot be stored; nil if runs can be stored.
  package var storeTrouble: StoreTrouble? { withState { $0.scheduler.storeTrouble } }

  /// Calls the body with the present scheduler and returns the body's result.
  package func look<T: Sendable>(_ body: (Scheduler) -> sending T) -> T {
    withState { body($0.scheduler) }
  }

  /// Returns the job with the given name; nil if the scheduler does not have the job, or has only
  /// its schedule.
  func job(named name: JobName) -> Job? {
    withState { state in state.scheduler.number(of: name).flatMap { state.jobs[$0] } }
  }

  package func takeNotices() -> [JobNotice] {
    withState { state in
      defer { state.notices = [] }
      return state.notices
    }
  }
}

/// A run that starts now.
///
/// This is a class, like `EndedRun`, because copying a large struct costs more than a reference.
package final class ScheduledRun: Sendable {
  package let start: RunStart
  package let job: Job

  init(start: RunStart, job: Job) {
    self.start = start
    self.job = job
  }
}

/// A run that has ended but is not reported yet.
final class EndedRun: Sendable {
  /// The number of the run among all runs of its job: see `RunStart.number`.
  let number: Int64
  let report: RunReport

  init(number: Int64, report: RunReport) {
    self.number = number
    self.report = report
  }
}

/// A notice about a job for the user.
package struct JobNotice: Equatable, Sendable {
  package var job: JobName
  package var notice: Notice
}

/// The reason why a requested run was refused.
struct RunRefusal: Error, Sendable {
  /// The reason as a sentence without a full stop.
  var sentence: String
}

/// The jobs in the order of their names. They are sorted again only after the names have changed.
struct JobsByName: Sendable {
  private var version: Int?
  private(set) var numbers: [JobNumber] = []

  mutating func update(_ scheduler: Scheduler) {
    guard version != scheduler.namesVersion else { return }
    version = scheduler.namesVersion
    numbers = scheduler.numbers.map { (scheduler[$0].name, $0) }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Returns the index of the first job whose name comes after the given name.
  func place(after name: JobName, _ scheduler: Scheduler) -> Int {
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if scheduler[numbers[middle]].name <= name {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

extension ScheduledJobs {
  /// Returns the numbers of the jobs that come after the given name and for which `isWanted`
  /// returns true. Returns at most `max` jobs, in the order of their names.
  func numbers(
    after name: JobName?, max: Int, _ isWanted: (borrowing State, JobNumber) -> Bool
  ) -> [JobNumber] {
    withState { state in
      state.byName.update(state.scheduler)
      var place = name.map { state.byName.place(after: $0, state.scheduler) } ?? 0
      var found: [JobNumber] = []
      while place < state.byName.numbers.count, found.count < max {
        let number = state.byName.numbers[place]
        if isWanted(state, number) { found.append(number) }
        place += 1
      }
      return found
    }
  }
}

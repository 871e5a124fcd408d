package import FetchModel
package import FetchValues

/// The part of fetchrun that decides which job runs when. It considers due times, lanes, budget,
/// conditions, back-off and catch-up. It is a value without a clock.
///
/// The caller reports events (`ended`, `trigger`, `setOnline`, …) and receives the runs to start
/// from `due(now:)`. It calls `due(now:)` again at `nextWake` or at the next event, whichever is
/// first. Nothing is polled. The same events at the same times give the same runs, on a real clock
/// or a virtual one.
///
/// A job is in one place at a time (see `JobCell.Place`). Lanes with jobs that could start are in
/// one queue, in the order in which these jobs start. Lanes that open at a known time are in
/// another queue. Most steps take time O(log n), where n is the number of due jobs that wait. The
/// time hardly depends on the number of jobs that are not due.
package struct Scheduler: Sendable {
  var names: [JobName: Int32] = [:]
  /// A number that changes with each change to the set of jobs.
  package internal(set) var namesVersion = 0
  var jobs: [ScheduledJob] = []
  var cells: [JobCell] = []
  /// The index of each job in its queue.
  var positions: [Int32] = []
  var free: [Int32] = []

  var dueTimes = LadderQueue()
  /// A sum without a meaning. It is stored so that the compiler does not remove the reads in
  /// `readAhead`.
  var rowsRead: UInt8 = 0
  var held: [Int32] = []
  var limited = IndexedHeap<Int64>()
  /// The budgets that single jobs have in addition to the budget of all jobs, by job number.
  var quotas: [Int32: Budget] = [:]

  var lanes: [Lane] = [.open]
  var laneNumbers: [ExactText: Int32] = [:]
  var lanePositions: [Int32] = [-1]
  var laneRules: LaneRules
  /// The lanes whose marks have changed since the last call of `takeLaneMarks`.
  var markedLanes: Set<Int32> = []
  /// The lanes that have a waiting job and no obstacle, in the order of their first jobs' turns:
  /// see `refresh(lane:)`.
  var ready = IndexedHeap<Turn>()
  /// The lanes that have a waiting job and open later, by the time at which they open.
  var timed = IndexedHeap<Int64>()

  /// The generator of random numbers, for example for jitter and back-off.
  package var jitter = Jitter()
  package internal(set) var budget: Budget
  /// The budget's obstacle to the first run that could otherwise start; nil if there is none, or if
  /// it has not been computed.
  var blocked: BudgetObstacle?
  /// The highest tag of all jobs that have started: see `Turn.tag`.
  var virtualTime = 0.0

  var network: Network = .up
  var outages = OutageWatch()
  var storeState: StoreState = .up
  /// The end of the store's last problem, and the delay between the last tests of the store.
  var lastStoreTrouble: (endedAt: Timestamp, delay: Duration)?
  /// The number of tests of the network in the present or the last presumed outage.
  var probeCount = 0
  var machine = MachineState()
  var allPausedAt: Timestamp?
  var skips: [Skip] = []
  /// The present time for decisions. It is the latest `now` that the caller passed, unless the
  /// clock was set back: see `see(_:)`.
  var seenAt: Timestamp

  /// The age above which a due time of the schedule counts as missed. Due times pass, for example,
  /// while no fetchrun process is running or all jobs are paused.
  package static let missedAfter: Duration = .seconds(60)
  package static let catchUpSpread: Duration = .seconds(900)
  /// The amount by which the tag of a requested run may be below `virtualTime`, so that the run
  /// goes ahead in its lane's queue. It is about the cost of two small runs of a job with normal
  /// priority: see `RunCost.turns`.
  static let headStart = 2.0
  /// The number of consecutive failures after which a job counts as broken.
  package static let brokenAfter = 3
  /// The interval of an adaptive job whose learned schedule has chosen no due time.
  package static let unplannedInterval: Duration = .seconds(3600)

  package init(lanes: LaneRules = LaneRules(), budget: Budget, now: Timestamp) {
    laneRules = lanes
    self.budget = budget
    seenAt = now
  }

  package func number(of name: JobName) -> JobNumber? { names[name].map(JobNumber.init) }
  package var count: Int { names.count }
  /// Whether a job with the given number still exists.
  package func holds(_ job: JobNumber) -> Bool {
    cells.indices.contains(job.slot) && !cells[job.slot].isFree
  }

  /// Whether the job with the given number still exists and has the given name.
  package func holds(_ job: JobNumber, named name: JobName) -> Bool {
    holds(job) && jobs[job.slot].name == name
  }
  package subscript(job: JobNumber) -> ScheduledJob { jobs[job.slot] }
  package func schedule(of job: JobNumber) -> JobSchedule { cells[job.slot].schedule }
  package func isRunning(_ job: JobNumber) -> Bool { cells[job.slot].place == .running }

  /// Whether the job has failed since its last success, or its plugin cannot be loaded.
  package func isFailing(_ job: JobNumber) -> Bool {
    failureCount(of: job) > 0 || jobs[job.slot].hasLoadFailure
  }

  // A loop over all jobs reads single members with these functions, because copying a whole row
  // takes longer than the rest of the loop.

  package func name(of job: JobNumber) -> JobName { jobs[job.slot].name }
  package func isEnabled(_ job: JobNumber) -> Bool { jobs[job.slot].isEnabled }
  package func hasLoadFailure(_ job: JobNumber) -> Bool { jobs[job.slot].hasLoadFailure }
  package func failureCount(of job: JobNumber) -> Int { cells[job.slot].schedule.failureCount }
  package func dueAt(of job: JobNumber) -> Timestamp? { cells[job.slot].schedule.dueAt }
  package func lastSuccessAt(of job: JobNumber) -> Timestamp? {
    cells[job.slot].schedule.lastSuccessAt
  }

  /// The numbers of the jobs that have their own budgets, in ascending order.
  package var numbersWithQuota: [JobNumber] { quotas.keys.sorted().map(JobNumber.init) }

  /// The time since which all jobs are paused; nil unless all jobs are paused.
  package var pausedSince: Timestamp? { allPausedAt }

  /// The numbers of all jobs, in ascending order. The rows in memory have the same order, so that a
  /// walk over all jobs is fast.
  package var numbers: [JobNumber] {
    cells.indices.filter { !cells[$0].isFree }.map { JobNumber(Int32(truncatingIfNeeded: $0)) }
  }

  package mutating func reserveCapacity(_ count: Int) {
    names.reserveCapacity(count)
    jobs.reserveCapacity(count)
    cells.reserveCapacity(count)
    positions.reserveCapacity(count)
    lanes.reserveCapacity(count)
    laneNumbers.reserveCapacity(count)
    lanePositions.reserveCapacity(count)
  }

  /// The time at which the caller must call `due(now:)` again if no event happens before; nil if
  /// only an event can make a start possible.
  package var nextWake: Timestamp? {
    guard allPausedAt == nil else { return nil }
    var next = dueTimes.first.map { Timestamp(milliseconds: $0.key) }
    func consider(_ time: Timestamp?) {
      if let time { next = min(next ?? time, time) }
    }
    consider(timed.first.map { Timestamp(milliseconds: $0.key) })
    consider(limited.first.map { Timestamp(milliseconds: $0.key) })
    if !ready.isEmpty { consider(blocked == nil ? seenAt : blocked?.until) }
    if case .suspected(_, let probeAt, _) = network, !held.isEmpty { consider(probeAt) }
    consider(storeProbeAt)
    return next
  }

  /// Whether a job that waits for its conditions or the store has a condition for load or power.
  package var waitsForConditions: Bool {
    held.contains {
      let conditions = jobs[Int($0)].conditions
      return conditions.loadMax != nil || conditions.needsACPower
    }
  }

  /// Returns the due times and triggers skipped since the last call, oldest first.
  package mutating func takeSkips() -> [Skip] {
    defer { skips.removeAll() }
    return skips
  }
}

extension Scheduler {
  typealias Planned = (at: Timestamp, reason: DueReason)

  /// Sets a new due time with one reason, or removes the due time if `planned` is nil. Does not
  /// move the job to another queue.
  mutating func plan(_ slot: Int, _ planned: Planned?) {
    cells[slot].schedule.dueAt = planned?.at
    if let planned { cells[slot].schedule.dueReason = planned.reason }
    cells[slot].schedule.earlierReasons = []
  }

  /// Returns the next due time by the job's interval, with jitter, not before `now`. Returns nil
  /// for the interval `never`, and for a cron line that never matches again.
  func natural(_ slot: Int, after reference: Timestamp, now: Timestamp) -> Planned? {
    let next: Planned
    switch jobs[slot].interval {
    case .never: return nil
    case .every(let duration): next = (reference + duration, .interval)
    case .adaptive: next = (reference + Self.unplannedInterval, .adaptive)
    case .cron(let line):
      guard let time = line.next(after: reference, zone: jobs[slot].zone) else { return nil }
      next = (time, .cron)
    }
    return (max(next.at + jitter(slot), now), next.reason)
  }

  /// Returns the random delay for the next due time of a job's interval.
  func jitter(_ slot: Int) -> Duration {
    guard jobs[slot].jitter > .zero, !jobs[slot].interval.isAdaptive else { return .zero }
    return jitter.delay(
      job: jobs[slot].name, count: cells[slot].schedule.runCount, max: jobs[slot].jitter)
  }

  /// Sets the due time of a job that is in the queue of due times. A job in another place keeps its
  /// due time.
  package mutating func reschedule(
    _ job: JobNumber, at time: Timestamp, reason: DueReason, now: Timestamp
  ) {
    see(now)
    guard cells[job.slot].place == .scheduled else { return }
    plan(job.slot, (time, reason))
    dueTimes.move(job.index, to: time.milliseconds, &positions)
  }

  /// Makes a job in its back-off due now, because a change, for example of its plugin, may let the
  /// run succeed.
  package mutating func retry(_ job: JobNumber, now: Timestamp) {
    switch cells[job.slot].schedule.dueReason {
    case .backOff, .probe: reschedule(job, at: now, reason: .sourceChanged, now: now)
    default: return
    }
  }
}

/// The row of one job in the scheduler's table. The row is small, because there may be a million
/// rows, and each decision reads and writes a row.
struct JobCell: Sendable {
  var schedule: JobSchedule
  /// The lowest tag that the job can have at its next turn. It is the sum of the tag of the last
  /// turn and the weighted cost of the last run: see `Turn`. For a run under way, the reserved cost
  /// counts.
  var finishTag = 0.0
  /// The due time that the job had before a trigger changed it. If `catchesUp` is true, it is the
  /// missed time for which the job runs.
  var dueBefore: Timestamp?
  var reasonBefore = DueReason.Code.interval
  /// The reasons of `dueBefore` that precede `reasonBefore`; empty for most jobs.
  var earlierReasonsBefore: [DueTime.Link] = []
  var place: Place = .idle
  /// Whether the job's run is for the missed time `dueBefore`. Only a job that catches up on all
  /// missed times has such runs.
  var catchesUp = false
  /// Whether the job's run tests whether the network is back.
  var isProbe = false
  /// Whether the job's run tests whether the store is writable again.
  var triesStore = false
  /// Whether the config changed the job's hostname during its run, so that the job must move to
  /// another lane.
  var changesLane = false
  /// Whether the job will be removed when its run ends.
  var isRemoved = false
  /// Whether the row has no job: see `Scheduler.free`.
  var isFree = false
  /// The first event that triggered the job during the current run; nil if there was none.
  var runsAgain: TriggerKind?
  /// The number of runs that may still catch up on missed times one by one, including the current
  /// run. The number is below `CatchUp.runsMax` only within a series of such runs.
  var catchUpsLeft: Int16 = 0
  /// The lane in which the job waits or runs. Lane 0 is the lane of jobs without a hostname.
  var lane: Int32 = 0

  enum Place: Sendable {
    /// The job is in no queue: it has no due time, is paused or is disabled.
    case idle
    /// The job is in the queue of due times.
    case scheduled
    /// The job is due and waits in the queue of its lane.
    case waiting
    /// The job is due, but waits until its conditions are met.
    case held
    /// The job is due, but waits until its own budget allows a run.
    case limited
    case running
  }
}

package import FetchModel
package import FetchValues

/// The decisions about which job runs when: due times, lanes, budget, conditions, back-off and
/// catch-up, as one value without a clock.
///
/// The caller reports events (`ended`, `trigger`, `setOnline`, …) and asks `due(now:)` for the runs
/// to start. It calls again at `nextWake` or at the next event, whichever is first; nothing is
/// polled. The same events give the same runs, on a real clock or a virtual one.
///
/// A job is in one place at a time: in the queue of due times, in its lane's queue, held until its
/// conditions are met, put aside until its own budget allows a run, running, or nowhere. Lanes with
/// waiting jobs that could start are in one queue, by turn; lanes that open at a known time are in
/// another. A step costs O(log n) of the waiting and running jobs, and hardly depends on the number
/// that are not due.
package struct Scheduler: Sendable {
  var names: [ExactText: Int32] = [:]
  var jobs: [ScheduledJob] = []
  var cells: [JobCell] = []
  /// The place of each job in its queue.
  var positions: [Int32] = []
  var free: [Int32] = []

  var dueTimes = LadderQueue()
  /// A meaningless value: see `readAhead`.
  var rowsRead: UInt8 = 0
  var held: [Int32] = []
  var limited = IndexedHeap<Int64>()
  /// The budgets of single jobs.
  var quotas: [Int32: Budget] = [:]

  var lanes: [Lane] = [.open]
  var laneNumbers: [ExactText: Int32] = [:]
  var lanePositions: [Int32] = [-1]
  var laneRules: LaneRules
  /// The lanes whose marks have changed: see `takeLaneMarks`.
  var markedLanes: Set<Int32> = []
  var ready = IndexedHeap<Turn>()
  var timed = IndexedHeap<Int64>()

  /// The randomness of jitter and back-off.
  package var jitter = Jitter()
  package internal(set) var budget: Budget
  /// The obstacle of the first ready lane; nil if unknown.
  var blocked: BudgetObstacle?
  /// The tag of the latest turn.
  var virtualTime = 0.0

  var network: Network = .up
  var outages = OutageWatch()
  var storeState: StoreState = .up
  /// The end of the store's last trouble, and the delay between probes at that time.
  var lastStoreTrouble: (endedAt: Timestamp, delay: Duration)?
  /// The number of probes since the network was suspected.
  var probeCount = 0
  var machine = MachineState()
  var allPausedAt: Timestamp?
  var skips: [Skip] = []
  /// The latest `now`.
  var seenAt: Timestamp

  /// A due time older than this was missed: no process was running at that time.
  package static let missedAfter: Duration = .seconds(60)
  package static let catchUpSpread: Duration = .seconds(900)
  /// The number of turns that a requested run may go ahead of the queue.
  static let headStart = 2.0
  /// The failures in a row after which a job counts as broken.
  package static let brokenAfter = 3
  /// The interval of an adaptive job without a planned time.
  package static let unplannedInterval: Duration = .seconds(3600)

  package init(lanes: LaneRules = LaneRules(), budget: Budget, now: Timestamp) {
    laneRules = lanes
    self.budget = budget
    seenAt = now
  }

  package func number(of name: String) -> JobNumber? { names[ExactText(name)].map(JobNumber.init) }
  package var count: Int { names.count }
  /// Whether a job with that number still exists.
  package func holds(_ job: JobNumber) -> Bool {
    jobs.indices.contains(job.slot) && names[ExactText(jobs[job.slot].name)] == job.index
  }
  package subscript(job: JobNumber) -> ScheduledJob { jobs[job.slot] }
  package func schedule(of job: JobNumber) -> JobSchedule { cells[job.slot].schedule }
  package func isRunning(_ job: JobNumber) -> Bool { cells[job.slot].place == .running }

  /// The time since which all jobs are paused; nil if they are not.
  package var pausedSince: Timestamp? { allPausedAt }

  /// The numbers of all jobs, in order.
  package var numbers: [JobNumber] { names.values.sorted().map(JobNumber.init) }

  package mutating func reserveCapacity(_ count: Int) {
    names.reserveCapacity(count)
    jobs.reserveCapacity(count)
    cells.reserveCapacity(count)
    positions.reserveCapacity(count)
    lanes.reserveCapacity(count)
    laneNumbers.reserveCapacity(count)
    lanePositions.reserveCapacity(count)
  }

  /// The time of the next `due(now:)` if nothing happens before; nil if only an event needs one.
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

  /// Whether a change of load or power could start a job; if not, the caller need not read them.
  package var waitsForConditions: Bool {
    held.contains {
      let conditions = jobs[Int($0)].conditions
      return conditions.loadMax != nil || conditions.needsACPower
    }
  }

  /// Returns the skips since the last call, oldest first.
  package mutating func takeSkips() -> [Skip] {
    defer { skips.removeAll() }
    return skips
  }
}

extension Scheduler {
  typealias Planned = (at: Timestamp, reason: DueReason)

  /// Sets a new due time with one reason; the job's place does not change.
  mutating func plan(_ slot: Int, _ planned: Planned?) {
    cells[slot].schedule.dueAt = planned?.at
    if let planned { cells[slot].schedule.dueReason = planned.reason }
    cells[slot].schedule.earlierReasons = []
  }

  /// Returns the next time by the job's interval, not before `now`; nil for `never`.
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

  /// Returns the jitter of the next time of a job's interval.
  func jitter(_ slot: Int) -> Duration {
    guard jobs[slot].jitter > .zero, !jobs[slot].interval.isAdaptive else { return .zero }
    return jitter.delay(
      job: jobs[slot].name, count: cells[slot].schedule.runCount, max: jobs[slot].jitter)
  }

  /// Moves a job's next time for the learned schedule or a person. A job that runs or has no due
  /// time is not changed.
  package mutating func reschedule(
    _ job: JobNumber, at time: Timestamp, reason: DueReason, now: Timestamp
  ) {
    see(now)
    guard cells[job.slot].place == .scheduled else { return }
    plan(job.slot, (time, reason))
    dueTimes.move(job.index, to: time.milliseconds, &positions)
  }

  /// Makes a failed job due, because there is reason to believe that it will succeed now.
  package mutating func retry(_ job: JobNumber, now: Timestamp) {
    switch cells[job.slot].schedule.dueReason {
    case .backOff, .probe: reschedule(job, at: now, reason: .sourceChanged, now: now)
    default: return
    }
  }
}

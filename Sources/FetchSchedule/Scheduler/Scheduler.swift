package import FetchModel
package import FetchValues

/// Decides which job runs when: due times, lanes, budget, conditions, back-off and catch-up, as one
/// value without a clock.
///
/// Who drives it tells it what happens (`ended`, `trigger`, `setOnline`, …), asks `due(now:)` for
/// the runs to start, and comes back at `nextWake` or at the next event, whichever is first; nothing
/// is polled. The same events give the same runs, on a real clock or a virtual one.
///
/// A job is in one place at a time: in the queue of due times, in its lane's queue, held until its
/// conditions are met, put aside until its own budget allows a run, running, or nowhere. Lanes that
/// have somebody waiting and could start him stand in one queue by turn, those that open at a known
/// time in another. A step costs O(log n) of those that wait or run, and much the same however many
/// are not due.
package struct Scheduler: Sendable {
  var names: [ExactText: Int32] = [:]
  var jobs: [ScheduledJob] = []
  var cells: [JobCell] = []
  /// Where each job stands in the one queue it is in.
  var positions: [Int32] = []
  var free: [Int32] = []

  var dueTimes = LadderQueue()
  /// Nothing that counts: see `readAhead`.
  var rowsRead: UInt8 = 0
  var held: [Int32] = []
  var limited = IndexedHeap<Int64>()
  /// Of the jobs that have a budget of their own.
  var quotas: [Int32: Budget] = [:]

  var lanes: [Lane] = [.open]
  var laneNumbers: [ExactText: Int32] = [:]
  var lanePositions: [Int32] = [-1]
  var laneRules: LaneRules
  /// Whose marks have changed: see `takeLaneMarks`.
  var markedLanes: Set<Int32> = []
  var ready = IndexedHeap<Turn>()
  var timed = IndexedHeap<Int64>()

  /// The chance in jitters and back-off.
  package var jitter = Jitter()
  package internal(set) var budget: Budget
  /// What stopped the first of the ready lanes; nil when that is not known.
  var blocked: BudgetObstacle?
  /// The tag of the latest turn.
  var virtualTime = 0.0

  var network: Network = .up
  var outages = OutageWatch()
  var storeState: StoreState = .up
  /// When the store's last trouble ended, and at what distance jobs had tried it.
  var lastStoreTrouble: (endedAt: Timestamp, delay: Duration)?
  /// How many jobs have tried the network since it was suspected.
  var probeCount = 0
  var machine = MachineState()
  var allPausedAt: Timestamp?
  var skips: [Skip] = []
  /// The latest `now` that was seen.
  var seenAt: Timestamp

  /// A due time that was passed by more than this was missed: nobody was there to see it.
  package static let missedAfter: Duration = .seconds(60)
  package static let catchUpSpread: Duration = .seconds(900)
  /// How many turns a run that somebody asked for may go ahead of the queue.
  static let headStart = 2.0
  /// Failures in a row after which a job is called broken.
  package static let brokenAfter = 3
  /// A source that plans itself but was given no plan.
  package static let unplannedInterval: Duration = .seconds(3600)

  package init(lanes: LaneRules = LaneRules(), budget: Budget, now: Timestamp) {
    laneRules = lanes
    self.budget = budget
    seenAt = now
  }

  package func number(of name: String) -> JobNumber? { names[ExactText(name)].map(JobNumber.init) }
  package var count: Int { names.count }
  /// Whether a job of that number is there still.
  package func holds(_ job: JobNumber) -> Bool {
    jobs.indices.contains(job.slot) && names[ExactText(jobs[job.slot].name)] == job.index
  }
  package subscript(job: JobNumber) -> ScheduledJob { jobs[job.slot] }
  package func schedule(of job: JobNumber) -> JobSchedule { cells[job.slot].schedule }
  package func isRunning(_ job: JobNumber) -> Bool { cells[job.slot].place == .running }

  /// Since when all jobs are paused; nil while they are not.
  package var pausedSince: Timestamp? { allPausedAt }

  /// All jobs, by number.
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

  /// When to ask `due(now:)` again if nothing happens before; nil: not before something happens.
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

  /// Whether a change of load or power could start a job: whoever reads them may rest otherwise.
  package var waitsForConditions: Bool {
    held.contains {
      let conditions = jobs[Int($0)].conditions
      return conditions.loadMax != nil || conditions.needsACPower
    }
  }

  /// The skips since they were last taken, oldest first.
  package mutating func takeSkips() -> [Skip] {
    defer { skips.removeAll() }
    return skips
  }
}

extension Scheduler {
  typealias Planned = (at: Timestamp, reason: DueReason)

  /// Notes a new due time, for one reason; the job's place does not change.
  mutating func plan(_ slot: Int, _ planned: Planned?) {
    cells[slot].schedule.dueAt = planned?.at
    if let planned { cells[slot].schedule.dueReason = planned.reason }
    cells[slot].schedule.earlierReasons = []
  }

  /// When a job's interval has it run next, not before `now`; nil for `never`.
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

  /// By how much the next time of a job's interval is moved.
  func jitter(_ slot: Int) -> Duration {
    guard jobs[slot].jitter > .zero, !jobs[slot].interval.isAdaptive else { return .zero }
    return jitter.delay(
      job: jobs[slot].name, count: cells[slot].schedule.runCount, max: jobs[slot].jitter)
  }

  /// Moves a job's next time, for who knows better: the learned schedule, a person. Nothing
  /// happens to a job that runs or has no time of its own.
  package mutating func reschedule(
    _ job: JobNumber, at time: Timestamp, reason: DueReason, now: Timestamp
  ) {
    see(now)
    guard cells[job.slot].place == .scheduled else { return }
    plan(job.slot, (time, reason))
    dueTimes.move(job.index, to: time.milliseconds, &positions)
  }

  /// A job that has failed is due: there is reason to believe that it goes well now.
  package mutating func retry(_ job: JobNumber, now: Timestamp) {
    switch cells[job.slot].schedule.dueReason {
    case .backOff, .probe: reschedule(job, at: now, reason: .sourceChanged, now: now)
    default: return
    }
  }
}

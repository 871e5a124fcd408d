import FetchHost
import FetchModel
package import FetchSchedule
package import FetchValues

/// A simulation that runs jobs on a virtual clock with the real scheduler, budget and lanes. The
/// answers of the sources and the costs of the runs are synthetic. Equal arguments of `init` give
/// equal runs.
package struct ConfigSimulation {
  private struct Flight {
    var place: Int
    var start: RunStart
    var startedAt: Timestamp
    var waited: Duration
    var waitedFor: WaitReason?
    var run: SimulatedRun?
  }

  private let plan: SimulationPlan
  private let offline: Range<Timestamp>?
  /// The future times at which the network goes down or comes back.
  private var networkChanges: [(at: Timestamp, isOnline: Bool)] = []
  private let failures: [JobName: [SimulatedFailure]]
  private var state: ScheduledJobs.State
  private var numbers: [JobNumber] = []
  private var places: [JobNumber: Int] = [:]
  private var sources: [SyntheticSource] = []
  /// The runs in the order of their starts. A run is removed when it is reported.
  private var flights: [Flight] = []
  /// The number of runs that were reported and removed from `flights`.
  private var toldCount = 0
  /// The queue of the end times of the runs in `flights`. An entry identifies its run by the run's
  /// index in `flights` plus `toldCount`.
  private var ends = DueQueue()
  /// The queue of the jobs' due times. An entry identifies its job by the job's index. A job whose
  /// due time passes without a run is waiting.
  private var dueTimes = DueQueue()
  private var waits: [Int: SimulatedWait] = [:]
  /// The time at which all waits were last checked.
  private var lookedAt: Timestamp
  private var stepsSinceLook = 0
  /// The amounts that were spent from the budget before the simulation began.
  private let spentBefore: RunCost
  /// The amounts that jobs with their own budget had spent when the simulation began, by the index
  /// of the job.
  private var ownSpentBefore: [Int: RunCost] = [:]
  package private(set) var skips: [(job: JobName, skip: Skip)] = []

  /// The number of waits for each step that may be checked. If more jobs wait, their waits are
  /// checked less often: see `followWaits`.
  private static let looksPerStep = 64

  package init(
    _ jobs: [ScheduledJob], remembered: [JobName: JobSchedule] = [:], scheduler: Scheduler,
    learned: LearnedSchedules = LearnedSchedules(), plan: SimulationPlan
  ) {
    self.plan = plan
    lookedAt = plan.time.lowerBound
    offline = plan.offline?.range(in: plan.time)
    if let offline, !offline.isEmpty {
      networkChanges = [(offline.lowerBound, false), (offline.upperBound, true)]
    }
    failures = Dictionary(grouping: plan.failures) { $0.job }
    spentBefore = scheduler.budget.spent
    state = ScheduledJobs.State(scheduler: scheduler, learned: learned)
    state.scheduler.reserveCapacity(jobs.count)
    for job in jobs {
      let schedule = remembered[job.name] ?? JobSchedule()
      let number = state.scheduler.add(job, schedule, now: plan.time.lowerBound)
      places[number] = numbers.count
      if let quota = state.scheduler.quota(of: number) {
        ownSpentBefore[numbers.count] = quota.spent
      }
      numbers.append(number)
      sources.append(
        SyntheticSource(
          job: job.name, believed: schedule.itemsPerDay, knownUntil: schedule.lastSuccessAt,
          from: plan.time.lowerBound))
      awaitDue(numbers.count - 1)
    }
  }

  /// Simulates the period of the plan. Calls the body with each run that starts in this period, in
  /// the order of the starts.
  package mutating func run(_ body: (SimulatedRun) -> Void) {
    var now = plan.time.lowerBound
    while now < plan.time.upperBound {
      let hasMoved = step(now)
      tell(body)
      guard let next = nextTime else { break }
      // Time advances after each step in which nothing happened, even if the scheduler returns an
      // earlier time.
      now = next > now || hasMoved ? max(next, now) : now + .milliseconds(1)
    }
    while let end = ends.pop() { finish(end) }
    tell(body)
  }

  private var nextTime: Timestamp? {
    let end = ends.first.map { Timestamp(milliseconds: Int64($0.dueAt)) }
    return [end, state.scheduler.nextWake, networkChanges.first?.at].compactMap(\.self).min()
  }

  /// Applies the due changes of the network, ends the finished runs and starts the due runs.
  /// Returns whether the network changed, or any run ended or started.
  private mutating func step(_ now: Timestamp) -> Bool {
    var hasMoved = false
    while let change = networkChanges.first, change.at <= now {
      networkChanges.removeFirst()
      state.scheduler.setOnline(change.isOnline, now: now)
      hasMoved = true
    }
    while let end = ends.first, Int64(end.dueAt) <= now.milliseconds, let end = ends.pop() {
      finish(end)
      hasMoved = true
    }
    for start in state.scheduler.due(now: now) {
      begin(start, now)
      hasMoved = true
    }
    noteWaits(now)
    followWaits(now)
    for skip in state.scheduler.takeSkips() {
      skips.append((state.scheduler[skip.job].name, skip))
    }
    return hasMoved
  }

  private mutating func begin(_ start: RunStart, _ now: Timestamp) {
    guard let place = places[start.job] else { return }
    var wait = waits.removeValue(forKey: place)
    let due = max(wait?.since ?? start.dueAt, plan.time.lowerBound)
    flights.append(
      Flight(
        place: place, start: start, startedAt: now, waited: max(now - due, .zero),
        waitedFor: wait?.longest(until: now)))
    let took = max(start.reserved.runMilliseconds.rounded(), 1)
    ends.push(toldCount + flights.count - 1, dueAt: Double(now.milliseconds) + took)
  }

  private mutating func finish(_ end: DueQueue.Entry) {
    let flight = flights[end.source - toldCount]
    let now = Timestamp(milliseconds: Int64(end.dueAt))
    let number = flight.start.job
    let (record, facts) = answer(flight, at: now)
    let due = ScheduledJobs.end(&state, number, nil, record, facts, now)
    let isPaused = state.scheduler.schedule(of: number).pausedAt != nil
    flights[end.source - toldCount].run = SimulatedRun(
      job: flight.start.name, startedAt: flight.startedAt, dueAt: flight.start.dueAt,
      reason: flight.start.reason, waited: flight.waited, waitedFor: flight.waitedFor,
      outcome: record.outcome, requestCount: record.requestCount, nextDueAt: isPaused ? nil : due,
      nextReason: state.scheduler.schedule(of: number).dueReason,
      notices: state.notices.map(\.notice))
    state.notices = []
    awaitDue(flight.place)
  }

  private mutating func tell(_ body: (SimulatedRun) -> Void) {
    var count = 0
    while count < flights.count, let run = flights[count].run {
      body(run)
      count += 1
    }
    flights.removeFirst(count)
    toldCount += count
  }

  // MARK: Synthetic answers

  /// Returns the record and the facts of a run. The costs of the run are the estimated costs.
  private mutating func answer(_ flight: Flight, at now: Timestamp) -> (RunRecord, RunFacts) {
    var facts = RunFacts()
    let outcome = outcome(flight, &facts, at: now)
    var record = RunRecord(
      run: RunID(startedAt: flight.startedAt, random: (0, 0)), job: flight.start.name,
      plugin: .unnamed, trigger: flight.start.trigger, outcome: outcome,
      startedAt: flight.startedAt)
    let cost = flight.start.reserved
    record.duration = now - flight.startedAt
    record.cpu = .microseconds(Int64(cost.cpuMilliseconds * 1000))
    record.requestCount = Int(cost.requests.rounded())
    record.receivedBytes = Int(cost.bytes.rounded())
    return (record, facts)
  }

  private mutating func outcome(
    _ flight: Flight, _ facts: inout RunFacts, at now: Timestamp
  ) -> Outcome {
    let job = state.scheduler[flight.start.job]
    if let offline, offline.contains(now), job.hostname != nil {
      return .failed(Failure(.offline, "there is no network", retryable: true))
    }
    let failure = failures[job.name]?.first {
      $0.holds(at: flight.startedAt, in: plan.time)
    }
    if let failure { return self.failure(failure, job, &facts, at: now) }
    facts.newTimes = sources[flight.place].news(at: now)
    facts.newCount = facts.newTimes.count
    facts.shownCount = SyntheticSource.window
    guard facts.newCount > 0 else { return .noData(.sameItems) }
    return .newData(ChangeCounts(added: facts.newCount))
  }

  private func failure(
    _ failure: SimulatedFailure, _ job: ScheduledJob, _ facts: inout RunFacts, at now: Timestamp
  ) -> Outcome {
    let hostname = job.hostname ?? ""
    facts.answers = [HTTPFact(url: "", hostname: hostname, status: failure.status)]
    if let wait = failure.retryAfter, job.hostname != nil {
      facts.retryAfters = [
        RetryAfterNote(
          origin: "", hostname: hostname, status: failure.status, until: now + wait)
      ]
    }
    return .failed(Failure(.httpStatus, "HTTP \(failure.status)", retryable: true))
  }

  // MARK: Waiting

  private mutating func awaitDue(_ place: Int) {
    guard let due = state.scheduler.schedule(of: numbers[place]).dueAt else { return }
    dueTimes.push(place, dueAt: Double(due.milliseconds))
  }

  /// Begins the wait of each job that is due now and did not start, with the present reason for the
  /// wait.
  private mutating func noteWaits(_ now: Timestamp) {
    while let first = dueTimes.first, Int64(first.dueAt) <= now.milliseconds, dueTimes.pop() != nil
    {
      let number = numbers[first.source]
      guard !state.scheduler.isRunning(number), waits[first.source] == nil,
        let due = state.scheduler.schedule(of: number).dueAt
      else { continue }
      if due > now {
        dueTimes.push(first.source, dueAt: Double(due.milliseconds))
      } else {
        waits[first.source] = SimulatedWait(
          since: due, for: state.scheduler.waitReason(number, now: now),
          from: max(due, plan.time.lowerBound))
      }
    }
  }

  /// Checks why the waiting jobs wait. The check takes place at each step or, if many jobs wait,
  /// only at some steps. It always takes place if the next step is further away than the last
  /// check. This limits the error in the measured duration of each obstacle.
  private mutating func followWaits(_ now: Timestamp) {
    stepsSinceLook += 1
    let isAllowed = waits.count <= stepsSinceLook * Self.looksPerStep
    let quietUntil = isAllowed ? now : nextTime ?? now
    guard isAllowed || quietUntil - now > now - lookedAt else { return }
    stepsSinceLook = 0
    lookedAt = now
    for place in waits.keys {
      waits[place]?.note(state.scheduler.waitReason(numbers[place], now: now), now: now)
    }
  }

  // MARK: State

  /// Returns the reason why a job does not run at the end of the plan's period; nil if the job does
  /// not exist.
  package func waitReason(_ job: JobName) -> WaitReason? {
    state.scheduler.number(of: job).map {
      state.scheduler.waitReason($0, now: plan.time.upperBound)
    }
  }

  package var jobNames: [JobName] { numbers.map { state.scheduler[$0].name } }
  package var budget: [BudgetLine] { state.scheduler.budget.report(now: plan.time.upperBound) }
  /// Returns the amount of a resource that the simulation's runs have spent.
  package func spent(_ resource: BudgetResource) -> Double {
    state.scheduler.budget.spent[resource] - spentBefore[resource]
  }
  package var time: Range<Timestamp> { plan.time }

  /// The jobs' own budgets, with the amounts that the simulation's runs have spent.
  package var ownBudgets: [(job: JobName, line: BudgetLine, spent: Double)] {
    numbers.enumerated().flatMap { place, number in
      let quota = state.scheduler.quota(of: number)
      return (quota?.report(now: plan.time.upperBound) ?? []).map { line in
        let before = ownSpentBefore[place]?[line.resource] ?? 0
        let spent = (quota?.spent[line.resource] ?? 0) - before
        return (state.scheduler[number].name, line, spent)
      }
    }
  }
}

extension JobSchedule {
  /// The number of items a day that a learned schedule expects; nil if there is no readable learned
  /// schedule.
  fileprivate var itemsPerDay: Double? {
    (try? AdaptiveState(encoded: adaptive)).map { $0.itemsPerSecond * 86_400 }
  }
}

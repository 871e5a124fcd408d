import FetchHost
import FetchModel
package import FetchSchedule
import FetchStore
import FetchValues
import Synchronization

/// The loop that starts the due runs and waits for the next due time.
package final class RunLoop: Sendable {
  private struct Running {
    var id: UInt64
    var task: Task<Void, Never>
  }

  private struct State {
    var running = JobTable<Running>()
    var lastID: UInt64 = 0
    var ended: [EndedRun] = []
    /// The number of each job's runs that were started and whose end is not reported yet.
    var unreported: [JobName: Int] = [:]
    var keptAt: Timestamp?
    /// Whether the runs were cancelled while the loop drains. A due run that starts afterwards is
    /// cancelled immediately.
    var isCancelled = false
    var watches: [ObjectIdentifier: RunSubscription] = [:]
    var isOver = false
  }

  private let pipeline: RunPipeline
  private let jobs: ScheduledJobs
  private let memory: ScheduleMemory
  private let noting: RunJournaling
  private let machine: @Sendable () -> MachineState
  private let loop: WakeLoop
  private let events: EventSink
  private let changes: ChangeWatchers
  private let metrics: DaemonMetrics
  private let state = Mutex(State())

  /// - Parameters:
  ///   - noting: the rule for when unfinished runs are written to the store.
  ///   - machine: reads load and power if the conditions of a job need them.
  ///   - clock: the clock for sleeping between due times.
  ///   - events: receives each ended run, and notices about jobs.
  ///   - changes: the watchers of changes, which the loop notifies after each turn.
  ///   - metrics: counts the delays of starts and items.
  package init(
    pipeline: RunPipeline, jobs: ScheduledJobs, memory: ScheduleMemory, noting: RunJournaling,
    machine: @escaping @Sendable () -> MachineState = { MachineState() },
    clock: any Clock<Duration> = HostClock(), events: EventSink = .none,
    changes: ChangeWatchers = ChangeWatchers(), metrics: DaemonMetrics = DaemonMetrics()
  ) {
    self.events = events
    self.changes = changes
    self.metrics = metrics
    self.pipeline = pipeline
    self.jobs = jobs
    self.memory = memory
    self.noting = noting
    self.machine = machine
    loop = WakeLoop(now: pipeline.services.time.now, clock: clock)
  }

  /// Reports a change, so that the loop checks again which runs are due.
  package func poke() { loop.poke() }

  /// Restarts the timer, which could otherwise fire late. Call this function after the wall clock
  /// was changed.
  func clockWasSet() { loop.clockWasSet() }

  /// The answer to a request for a run while the daemon stops.
  static let stopping = "the daemon is stopping"

  /// Starts no more runs. `run` returns when the runs under way have ended.
  package func drain() { loop.drain() }

  /// Cancels the runs under way. A run whose plugin has not ended yet ends as `failed(cancelled)`.
  package func cancelRuns() {
    let running = state.withLock { state in
      state.isCancelled = loop.isDraining
      return state.running.values.map(\.task)
    }
    for task in running { task.cancel() }
  }

  /// Runs jobs until the condition `ending` is met or the loop is drained. If the task is
  /// cancelled, the runs under way are cancelled and no more runs start.
  package func run(until ending: WakeLoop.Ending) async {
    memory.takeReads(into: jobs)
    await loop.run(until: ending) {
      emitEnded()
      if !isDraining { startDue() }
      await remember()
      for watch in watches { watch.turn() }
      changes.statesChanged()
      return rest
    } onCancel: {
      cancelRuns()
    }
    // A cancelled task no longer receives pokes, so it awaits the end of each run directly.
    while let run = state.withLock({ $0.running.first }) { await run.task.value }
    emitEnded()
    await memory.keepSkips(of: jobs)
    state.withLock { $0.isOver = true }
    for watch in watches { watch.end() }
    changes.end()
    await memory.keepAll(of: jobs)
  }

  /// The minimum interval between two periodic saves of the memory that all jobs share. An example
  /// is the shared learned data of adaptive jobs. A crash loses what was learned since the last
  /// save.
  private static let keepingPeriod: Duration = .seconds(60)

  private func remember() async {
    await memory.keepSkips(of: jobs)
    let now = pipeline.services.time.now()
    let isTime = state.withLock { state in
      if let last = state.keptAt, (.zero..<Self.keepingPeriod).contains(now - last) { return false }
      defer { state.keptAt = now }
      return state.keptAt != nil
    }
    guard isTime else { return }
    memory.takeReads(into: jobs)
    await memory.keepAll(of: jobs)
    memory.onKept()
  }

  /// The number of runs that were started and whose end is not reported yet.
  package var unreportedCount: Int { state.withLock { $0.unreported.values.reduce(0, +) } }

  func isUnreported(_ job: JobName) -> Bool {
    state.withLock { $0.unreported[job] != nil }
  }

  var isDraining: Bool { loop.isDraining }

  private func emitEnded() {
    let ended = state.withLock { state in
      defer { state.ended = [] }
      return state.ended
    }
    for run in ended { events.emit(.runEnded(run.report)) }
    let notices = jobs.takeNotices()
    for notice in notices { events.emit(.jobNotice(job: notice.job, notice.notice)) }
    for watch in watches { watch.note(ended, notices) }
    state.withLock { state in
      for run in ended {
        let job = run.report.record.job
        let count = state.unreported.removeValue(forKey: job) ?? 1
        if count > 1 { state.unreported[job] = count - 1 }
      }
    }
  }

  // MARK: Subscriptions

  /// The maximum number of subscriptions. Each subscription uses a connection, and other requests
  /// also need connections.
  static let watchesMax = 16

  private var watches: [RunSubscription] { state.withLock { Array($0.watches.values) } }

  /// Subscribes to each turn of the loop. `unwatch` ends the subscription. Returns nil if there are
  /// too many subscriptions.
  func watch() -> RunSubscription? {
    state.withLock { state in
      guard state.watches.count < Self.watchesMax else { return nil }
      let watch = RunSubscription()
      if state.isOver { watch.end() }
      state.watches[ObjectIdentifier(watch)] = watch
      return watch
    }
  }

  func unwatch(_ watch: RunSubscription) {
    state.withLock { $0.watches[ObjectIdentifier(watch)] = nil }
  }

  // MARK: Runs

  private func startDue() {
    if jobs.hasConditions { jobs.setConditions(machine(), now: pipeline.services.time.now()) }
    for run in jobs.due(now: pipeline.services.time.now()) {
      state.withLock { state in
        // The job's next run may be due while the end of its previous run is still being reported.
        let before = state.running[run.start.job]?.task
        state.lastID += 1
        state.unreported[run.start.name, default: 0] += 1
        let id = state.lastID
        let task = Task(executorPreference: HostExecutor.shared) {
          await before?.value
          await self.execute(run, id)
        }
        state.running[run.start.job] = Running(id: id, task: task)
        if state.isCancelled { task.cancel() }
      }
    }
  }

  private func execute(_ run: ScheduledRun, _ id: UInt64) async {
    let pipeline =
      jobs.takeFresh(run.start.name) ? self.pipeline.with { $0.policy.asksFresh = true } : pipeline
    let report = await pipeline.run(
      run.job, trigger: run.start.trigger, noting: noting
    ) { record, facts in
      self.count(run, record, facts)
      return self.jobs.settle(run, record, facts, now: self.pipeline.services.time.now())
    }
    jobs.finish(run, report, now: pipeline.services.time.now())
    if report.storeError != nil { memory.onKept() }
    let ended = EndedRun(number: run.start.number, report: consume report)
    state.withLock { state in
      // The job's next run may be registered already. It then waits for the end of this run.
      if state.running[run.start.job]?.id == id { state.running[run.start.job] = nil }
      state.ended.append(ended)
    }
    poke()
  }

  private func count(_ run: ScheduledRun, _ record: RunRecord, _ facts: RunFacts) {
    metrics.runStarted(delay: record.startedAt - run.start.dueAt)
    // The first items of a source can be as old as the source, so their delays are not counted.
    let isKnown = jobs.look { $0.lastSuccessAt(of: run.start.job) != nil }
    if isKnown { metrics.itemsFound(published: facts.newTimes, at: record.startedAt) }
  }

  // MARK: Waiting

  /// The interval for reading load and power while a job waits for them. It is needed because no
  /// event reports their changes.
  private static let conditionsPeriod: Duration = .seconds(15)

  private var rest: WakeLoop.Rest {
    let isBusy = state.withLock { !$0.running.isEmpty || !$0.ended.isEmpty }
    var rest = WakeLoop.Rest(isBusy: isBusy, nextAt: jobs.nextWake)
    if jobs.waitsForConditions {
      rest.lookAt = pipeline.services.time.now() + Self.conditionsPeriod
    }
    return rest
  }
}

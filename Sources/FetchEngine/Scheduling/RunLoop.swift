import FetchHost
import FetchModel
package import FetchSchedule
import FetchStore
import FetchValues
import Synchronization

/// Starts the runs that are due, waits for what comes next, and again: the one place where the
/// scheduler meets the clock.
package final class RunLoop: Sendable {
  private struct Running {
    var id: UInt64
    var task: Task<Void, Never>
  }

  private struct State {
    var running: [JobNumber: Running] = [:]
    var lastID: UInt64 = 0
    var ended: [EndedRun] = []
    /// How many runs of each job were started and have not been told of.
    var unreported: [ExactText: Int] = [:]
    var keptAt: Timestamp?
    /// What is started all the same, since it was due already, is cancelled at once.
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
  private let state = Mutex(State())

  /// - Parameters:
  ///   - noting: when runs are written down that have not ended.
  ///   - machine: read where a job's conditions ask for it.
  ///   - clock: what is slept on between due times.
  ///   - events: gets each run as it ends, and notices of jobs.
  package init(
    pipeline: RunPipeline, jobs: ScheduledJobs, memory: ScheduleMemory, noting: RunJournaling,
    machine: @escaping @Sendable () -> MachineState = { MachineState() },
    clock: any Clock<Duration> = HostClock(), events: EventSink = .none
  ) {
    self.events = events
    self.pipeline = pipeline
    self.jobs = jobs
    self.memory = memory
    self.noting = noting
    self.machine = machine
    loop = WakeLoop(now: pipeline.services.time.now, clock: clock)
  }

  /// Something has changed: looks at once what is due.
  package func poke() { loop.poke() }

  /// The clock was set: who sleeps until a due time would come too late by as much.
  func clockWasSet() { loop.clockWasSet() }

  /// What is said to whoever asks for a run meanwhile.
  static let stopping = "the daemon is being stopped"

  /// Starts nothing more; `run` returns when the runs under way have ended.
  package func drain() { loop.drain() }

  /// Ends the runs under way as `failed(cancelled)`.
  package func cancelRuns() {
    let running = state.withLock { state in
      state.isCancelled = loop.isDraining
      return state.running.values.map(\.task)
    }
    for task in running { task.cancel() }
  }

  /// Runs jobs until the ending. A cancelled task cancels the runs under way and starts no more.
  package func run(until ending: WakeLoop.Ending) async {
    memory.takeReads(into: jobs)
    await loop.run(until: ending) {
      emitEnded()
      if !isDraining { startDue() }
      await remember()
      for watch in watches { watch.turn() }
      return rest
    } onCancel: {
      cancelRuns()
    }
    // No poke reaches a cancelled task: the ends of its runs are waited for one by one.
    while let run = state.withLock({ $0.running.values.first }) { await run.task.value }
    emitEnded()
    await memory.keepSkips(of: jobs)
    state.withLock { $0.isOver = true }
    for watch in watches { watch.end() }
    await memory.keepAll(of: jobs)
  }

  /// What is kept only so often, besides at the end: a crash loses no more of the budget's ledger.
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

  /// Runs that were started and of whose end nobody has been told.
  package var unreportedCount: Int { state.withLock { $0.unreported.values.reduce(0, +) } }

  func isUnreported(_ job: String) -> Bool {
    state.withLock { $0.unreported[ExactText(job)] != nil }
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
        let job = ExactText(run.report.record.job)
        let left = state.unreported[job, default: 1] - 1
        state.unreported[job] = left > 0 ? left : nil
      }
    }
  }

  // MARK: Who waits for runs

  /// Each holds a connection, of which others need some, too.
  static let watchesMax = 16

  private var watches: [RunSubscription] { state.withLock { Array($0.watches.values) } }

  /// Is told of each turn of the loop from now on, until `unwatch`; nil when too many are already.
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
        // The run before may be placed already while its last words are being told.
        let before = state.running[run.start.job]?.task
        state.lastID += 1
        state.unreported[ExactText(run.start.name), default: 0] += 1
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
    let report = await pipeline.run(
      run.job, trigger: run.start.trigger, noting: noting
    ) { record, facts in
      self.jobs.settle(run, record, facts, now: self.pipeline.services.time.now())
    }
    jobs.finish(run, report, now: pipeline.services.time.now())
    if report.storeError != nil { memory.onKept() }
    state.withLock { state in
      // The next run of the job may be there already, waiting for this one's end.
      if state.running[run.start.job]?.id == id { state.running[run.start.job] = nil }
      state.ended.append(EndedRun(number: run.start.number, report: report))
    }
    poke()
  }

  // MARK: Waiting

  /// Load and power say nothing when they change: they are read so often while a job waits for
  /// them, and never else.
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

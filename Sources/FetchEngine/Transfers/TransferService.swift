package import FetchHost
package import FetchModel
import FetchStore
package import FetchValues
import Synchronization

/// The service that carries out the transfers of a store, a limited number at a time. Each transfer
/// runs under the present grant of its job. When a transfer has ended, the service notifies the
/// job's plugin, unless the job no longer exists or the plugin has no function for ended transfers.
///
/// The steps of a transfer are stored. If this process ends, the next process continues the
/// transfer. A small file may be fetched again from its beginning.
package final class TransferService: Sendable {
  package struct Setup: Sendable {
    /// The pipeline of the runs that notify plugins. Its services include the store.
    package var pipeline: RunPipeline
    /// The HTTP engine of the transfers. It is separate from the engine of runs, since slow disk
    /// writes must not delay the requests of runs.
    package var engine: HTTPEngine
    package var settings = TransferSettings()
    package var gate: any TransferGate
    /// The function that returns whether a job's transfers may be carried out.
    package var standing: @Sendable (JobName) -> TransferEligibility
    package var clock: any Clock<Duration> = HostClock()
    /// The subscribers that receive the ended runs and transfers, and the problems that do not end
    /// the service.
    package var events = EventSink.none
    /// The metrics that count the received bytes.
    package var metrics = DaemonMetrics()

    package init(
      pipeline: RunPipeline, engine: HTTPEngine, gate: any TransferGate,
      standing: @escaping @Sendable (JobName) -> TransferEligibility
    ) {
      self.pipeline = pipeline
      self.engine = engine
      self.gate = gate
      self.standing = standing
    }
  }

  struct State: Sendable {
    /// The pending transfers. Most of them are in memory only as entries of this queue.
    var queue: TransferQueue
    /// The transfers whose records are in memory. For most of them, an attempt, an event or a
    /// notification run is under way. The others have ended, but are not reported yet.
    var machines: [Int64: TransferMachine] = [:]
    /// The records of the transfers that probably begin next.
    var nextRecords = NextTransfers()
    var attempts: [Int64: Task<Void, Never>] = [:]
    /// The time at which the start of each attempt will be stored.
    var startStoreTimes: [Int64: Timestamp] = [:]
    /// The tasks that store the starts of the attempts under way.
    var startStores: [Int64: Task<Void, Never>] = [:]
    /// The ended transfers whose plugins are not notified yet, with their jobs.
    var unreported: [Int64: JobName] = [:]
    var notifications: [Int64: Task<Void, Never>] = [:]
    /// The number of events under way for each transfer: see `apply`. A transfer with an event does
    /// not enter the queue, and no attempt at it begins, because its record is not stored yet.
    var eventCounts: [Int64: Int] = [:]
    /// The number of calls of `tellAll` under way. While it is not 0, the service is not idle.
    var tellingCount = 0
    /// The number of bytes received so far, for each transfer under way.
    var received: [Int64: Int64] = [:]
    /// The transfers that were removed from the store while an attempt was under way, with their
    /// jobs. The partial files of these transfers must be removed.
    var dropped: [Int64: JobName] = [:]
    /// The transfers that the service has removed from memory since the last read of the store
    /// began. They were reported, were dropped, or met an error of the store.
    var forgotten: Set<Int64> = []
    /// The jobs whose folders were searched for leftover partial files.
    var swept: Set<JobName> = []
    /// Whether the store must be read, because its transfers may have changed.
    var isStale = true
    /// The number of failed reads of the store since the last successful read.
    var failedReadCount = 0
    /// The number of planned reads after refused changes, since the store last accepted one.
    var refusedChangeCount = 0
    /// The time at which the transfers are read again after an error of the store; nil if the store
    /// has reported none since the last read. No transfer begins before this time.
    var readAgainAt: Timestamp?
    /// Whether the eligibility of jobs may have changed.
    var isRechecking = true
    /// The transfers that wait for the network.
    var offline: Set<Int64> = []
    /// Whether transfers that failed without a network must be retried.
    var isNetworkBack = false
    var isCancelled = false
    var ended: [TransferRecord] = []
    var reports: [RunReport] = []
  }

  let setup: Setup
  private let state: Mutex<State>
  private let loop: WakeLoop

  package init(_ setup: Setup) {
    self.setup = setup
    state = Mutex(State(queue: TransferQueue(setup.settings)))
    loop = WakeLoop(now: setup.pipeline.services.time.now, clock: setup.clock)
  }

  func withState<T: Sendable>(_ body: (inout sending State) -> sending T) -> T {
    state.withLock(body)
  }

  var store: any Store { setup.pipeline.services.store }
  func now() -> Timestamp { setup.pipeline.services.time.now() }

  // MARK: Reports from other parts

  /// Makes the service check immediately which transfers may start.
  package func poke() { loop.poke() }

  /// Restarts the timer, and makes the service read the store again if the last read failed. Call
  /// this function after the wall clock was changed, since the timer would fire too late or too
  /// early.
  func clockWasSet() {
    withState { state in
      if state.readAgainAt != nil { state.isStale = true }
    }
    loop.clockWasSet()
  }

  /// Reports that runs have queued transfers, or that transfers were changed in the store.
  package func storeChanged() {
    withState { state in
      state.isStale = true
      state.nextRecords.dropAll()
    }
    poke()
  }

  /// Reports that jobs or their grants have changed, or that jobs were paused or resumed.
  package func standingsChanged() {
    withState { $0.isRechecking = true }
    poke()
  }

  package func setSettings(_ settings: TransferSettings) {
    let speed = settings.bytesPerSecondMax
    let isOtherSpeed = withState { state in
      defer { state.queue.setSettings(settings) }
      return state.queue.settings.bytesPerSecondMax != speed
    }
    if isOtherSpeed { setup.engine.limitSpeed(speed) }
    standingsChanged()
  }

  /// Reports that the network is back, so that transfers that failed without a network are retried
  /// immediately.
  package func networkCameUp() {
    withState { $0.isNetworkBack = true }
    poke()
  }

  /// Prevents new attempts and interrupts the attempts under way. A later process resumes these
  /// transfers. `run` returns when the attempts and notification runs have ended.
  package func drain() {
    // The loop is drained before the attempts are listed, so that a later attempt is cancelled as
    // soon as it begins.
    loop.drain()
    for task in withState({ Array($0.attempts.values) }) { task.cancel() }
  }

  var isDraining: Bool { loop.isDraining }

  /// Cancels the notification runs, including those that begin later.
  package func cancelRuns() {
    let notifications = withState { state in
      state.isCancelled = true
      return Array(state.notifications.values)
    }
    for task in notifications { task.cancel() }
  }

  /// The progress of the transfers that the service carries out. Transfers of held or removed jobs
  /// do not count as pending.
  package var progress: TransferProgress {
    withState { state in
      var progress = TransferProgress()
      progress.runningCount = state.queue.runningCount
      progress.totalBytes = 0
      let standing = setup.standing
      let sizes = state.queue.sizes { job in
        if case .ready = standing(job) { true } else { false }
      }
      for size in sizes {
        let known = state.machines[size.id]?.record
        if known?.state.isPending == false { continue }
        progress.pendingCount += 1
        progress.receivedBytes += state.received[size.id] ?? size.receivedBytes
        let total = known?.download.totalBytes ?? size.totalBytes
        progress.add(totalBytes: total)
      }
      return progress
    }
  }

  // MARK: The loop

  /// Carries out transfers until the condition `ending` is met. If the task is cancelled, all
  /// attempts and notification runs are interrupted.
  package func run(until ending: WakeLoop.Ending) async {
    if let speed = setup.settings.bytesPerSecondMax { setup.engine.limitSpeed(speed) }
    await loop.run(until: ending) {
      emitEnded()
      await readChanges()
      await beginAll()
      storeStarts()
      return rest
    } onCancel: {
      drain()
      cancelRuns()
    }
    // A cancelled task no longer receives pokes, so it awaits the end of each attempt and
    // notification directly.
    while let task = withState({ $0.attempts.values.first ?? $0.notifications.values.first }) {
      await task.value
    }
    emitEnded()
  }

  private func emitEnded() {
    let (records, reports) = withState { state in
      defer { (state.ended, state.reports) = ([], []) }
      return (state.ended, state.reports)
    }
    for record in records { setup.events.emit(.transferEnded(record)) }
    for report in reports { setup.events.emit(.runEnded(report)) }
  }

  /// Replaces the ending that was passed to `run`.
  package func setEnding(_ ending: WakeLoop.Ending) { loop.setEnding(ending) }

  private var rest: WakeLoop.Rest {
    let now = now()
    return withState { state in
      var isIdle =
        state.attempts.isEmpty && state.notifications.isEmpty && state.ended.isEmpty
        && state.reports.isEmpty && state.eventCounts.isEmpty && state.tellingCount == 0
        && !state.isStale && !state.isRechecking
      // An event that has just ended may have put a transfer into the queue.
      if isIdle, !isDraining, state.readAgainAt == nil {
        var queue = state.queue
        isIdle = queue.next(surroundings(state, now)) == nil
      }
      return WakeLoop.Rest(
        isBusy: !isIdle,
        nextAt: state.readAgainAt == nil ? state.queue.nextWake(surroundings(state, now)) : nil,
        lookAt: (state.startStoreTimes.values + [state.readAgainAt].compactMap(\.self)).min())
    }
  }

  /// Returns the conditions under which the queue may start transfers, such as cooldowns, budgets
  /// and held jobs.
  func surroundings(_ state: State, _ now: Timestamp) -> TransferQueue.ProcessEnvironment {
    let (gate, standing) = (setup.gate, setup.standing)
    return TransferQueue.ProcessEnvironment(
      now: now, placesAt: gate.places(at:),
      closedUntil: { job, hostname in
        // A copy of a local file has no hostname and costs nothing, so no cooldown or budget delays
        // it.
        if hostname.isEmpty { return nil }
        let opensAt = gate.opening(for: Self.startCost, of: job, now: now)
        guard let closed = gate.closedUntil(hostname, now: now) else { return opensAt }
        return max(closed, opensAt ?? closed)
      },
      isHeld: { job in if case .held = standing(job) { true } else { false } })
  }
}

/// The decision on whether a job's transfers may be carried out.
package enum TransferEligibility: Sendable {
  case ready(Job)
  /// The transfers wait. For example, the job is paused or disabled, or its permissions wait for
  /// approval. They also wait if the running command does not include the job.
  case held
  /// The transfers fail, because the job no longer exists.
  case gone
}

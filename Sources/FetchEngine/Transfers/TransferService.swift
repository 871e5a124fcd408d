package import FetchHost
package import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// The service that carries out the transfers of a store, a limited number at a time, under the
/// present grant of the job. Notifies the job's plugin when one has ended.
///
/// This is the one place where transfers meet the clock. Each step is stored before the next: at
/// whatever instant the process ends, the next process continues from there.
package final class TransferService: Sendable {
  package struct Setup: Sendable {
    /// The pipeline with the store, the lanes, and the runs that notify plugins.
    package var pipeline: RunPipeline
    /// A separate engine: slow disk writes must not hold up the requests of runs.
    package var engine: HTTPEngine
    package var settings = TransferSettings()
    package var gate: any TransferGate
    /// Called before every step of a job's transfer.
    package var standing: @Sendable (String) -> TransferEligibility
    package var clock: any Clock<Duration> = HostClock()
    /// Receives each run and each transfer as it ends, and problems that end nothing.
    package var events = EventSink.none

    package init(
      pipeline: RunPipeline, engine: HTTPEngine, gate: any TransferGate,
      standing: @escaping @Sendable (String) -> TransferEligibility
    ) {
      self.pipeline = pipeline
      self.engine = engine
      self.gate = gate
      self.standing = standing
    }
  }

  struct State: Sendable {
    /// All pending transfers; most of them exist only here.
    var queue: TransferQueue
    /// The active transfers: under way, or ended and not yet reported.
    var machines: [Int64: TransferMachine] = [:]
    var attempts: [Int64: Task<Void, Never>] = [:]
    /// The ended and stored transfers whose plugins must be notified, with their jobs.
    var unreported: [Int64: String] = [:]
    var notifications: [Int64: Task<Void, Never>] = [:]
    /// The number of events that are being stored and reported.
    var happeningCount = 0
    /// The bytes received so far of the transfers under way.
    var received: [Int64: Int64] = [:]
    /// The transfers that left the store while an attempt was under way, with their jobs. Their
    /// partial files must be removed.
    var dropped: [Int64: String] = [:]
    /// The transfers that were finished since the store was last read.
    var forgotten: Set<Int64> = []
    /// The jobs whose folder was searched for leftover files.
    var swept: Set<ExactText> = []
    /// Whether the store may have other transfers.
    var isStale = true
    /// Whether the eligibility of jobs may have changed.
    var isRechecking = true
    /// The transfers that wait for the network.
    var offline: Set<Int64> = []
    /// Whether transfers that failed without a network must be retried.
    var isNetworkBack = false
    /// Whether notification runs are cancelled.
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

  // MARK: What others say

  /// Reports a change: checks immediately what may begin.
  package func poke() { loop.poke() }

  /// Call after the wall clock was changed. Restarts the timer, which would otherwise fire late.
  func clockWasSet() { loop.clockWasSet() }

  /// Reports that runs have queued transfers, or that others were changed in the store.
  package func storeChanged() {
    withState { $0.isStale = true }
    poke()
  }

  /// Reports that jobs or their grants have changed, or that some were paused or resumed.
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

  /// Reports that the network is back: failures without a network are retried immediately.
  package func networkCameUp() {
    withState { $0.isNetworkBack = true }
    poke()
  }

  /// Starts nothing more and interrupts the attempts, which resume another time. `run` returns when
  /// the attempts and notification runs have ended.
  package func drain() {
    // Before the attempts are listed: a later one sees the flag and is cancelled as it begins.
    loop.drain()
    for task in withState({ Array($0.attempts.values) }) { task.cancel() }
  }

  /// Whether nothing more begins.
  var isDraining: Bool { loop.isDraining }

  /// Cancels the notification runs; the plugins are notified another time.
  package func cancelRuns() {
    let notifications = withState { state in
      state.isCancelled = true
      return Array(state.notifications.values)
    }
    for task in notifications { task.cancel() }
  }

  /// The progress of the transfers that it carries out.
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

  /// Carries transfers out until the ending. Cancelling the task interrupts everything.
  package func run(until ending: WakeLoop.Ending) async {
    if let speed = setup.settings.bytesPerSecondMax { setup.engine.limitSpeed(speed) }
    await loop.run(until: ending) {
      emitEnded()
      await readChanges()
      await beginAll()
      return rest
    } onCancel: {
      drain()
      cancelRuns()
    }
    // No poke reaches a cancelled task, so the loop awaits each end.
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

  /// Replaces the ending with which it began.
  package func setEnding(_ ending: WakeLoop.Ending) { loop.setEnding(ending) }

  private var rest: WakeLoop.Rest {
    let now = now()
    return withState { state in
      let isIdle =
        state.attempts.isEmpty && state.notifications.isEmpty && state.ended.isEmpty
        && state.reports.isEmpty && state.happeningCount == 0 && !state.isStale
        && !state.isRechecking
      return WakeLoop.Rest(
        isBusy: !isIdle, nextAt: state.queue.nextWake(surroundings(state, now)))
    }
  }

  /// Returns the environment for the queue: transfers blocked by a hostname or the budget wait
  /// until that is over.
  func surroundings(_ state: State, _ now: Timestamp) -> TransferQueue.ProcessEnvironment {
    let (gate, standing) = (setup.gate, setup.standing)
    return TransferQueue.ProcessEnvironment(
      now: now, placesAt: gate.places(at:),
      closedUntil: { job, hostname in
        // A copy between local files costs nothing.
        if hostname.isEmpty { return nil }
        let opensAt = gate.opening(for: Self.startCost, of: job, now: now)
        guard let closed = gate.closedUntil(hostname, now: now) else { return opensAt }
        return max(closed, opensAt ?? closed)
      },
      isHeld: { job in if case .held = standing(job) { true } else { false } })
  }
}

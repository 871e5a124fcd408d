package import FetchHost
package import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// Carries out the transfers of a store: takes what is queued, so many at once, under the present
/// grant of the job, and tells the job's plugin when one has ended.
///
/// The one place where transfers meet the clock. Each step is written down before the next: whatever
/// instant the process ends at, the next one goes on from there.
package final class TransferService: Sendable {
  package struct Setup: Sendable {
    /// Its store, its policy with the lanes, and how plugins are told.
    package var pipeline: RunPipeline
    /// Of their own: what writes to a disk must not hold up the requests of runs.
    package var engine: HTTPEngine
    package var settings = TransferSettings()
    package var gate: any TransferGate
    /// Asked whenever something is to be done for a job's transfer.
    package var standing: @Sendable (String) -> TransferEligibility
    package var clock: any Clock<Duration> = HostClock()
    /// Gets each run and each transfer as it ends, and what goes wrong and ends nothing.
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
    /// All that are pending; of most no more is kept than that.
    var queue: TransferQueue
    /// Those to which something happens: under way, or ended and not told of yet.
    var machines: [Int64: TransferMachine] = [:]
    var attempts: [Int64: Task<Void, Never>] = [:]
    /// Ended, and written down as such, by their jobs; their plugins are to be told.
    var unreported: [Int64: String] = [:]
    var notifications: [Int64: Task<Void, Never>] = [:]
    /// So many things happen to transfers now, each to be written down and told of.
    var happeningCount = 0
    /// How many bytes of those under way are there.
    var received: [Int64: Int64] = [:]
    /// Gone from the store while an attempt was under way, by their jobs: what it left is to be
    /// removed.
    var dropped: [Int64: String] = [:]
    /// Done with since the store was last read.
    var forgotten: Set<Int64> = []
    /// Jobs whose folder was looked through for what nobody needs any more.
    var swept: Set<ExactText> = []
    /// Whether the store may have others.
    var isStale = true
    /// Whether jobs may stand differently.
    var isRechecking = true
    /// Wait for the network's return.
    var offline: Set<Int64> = []
    /// Whether what failed for want of a network is to be tried again.
    var isNetworkBack = false
    /// No plugin is told of anything more.
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

  /// Something has changed: looks at once what may begin.
  package func poke() { loop.poke() }

  /// The clock was set: who sleeps until a time would come too late by as much.
  func clockWasSet() { loop.clockWasSet() }

  /// Runs have queued transfers, or others were changed in the store.
  package func storeChanged() {
    withState { $0.isStale = true }
    poke()
  }

  /// Jobs or their grants have changed, or some were paused or resumed.
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

  /// The network is back: what failed for want of it is tried at once.
  package func networkCameUp() {
    withState { $0.isNetworkBack = true }
    poke()
  }

  /// Begins nothing more, and breaks off what is under way: it goes on from there another time.
  /// `run` returns when all of it, and the plugins that are being told, have ended.
  package func drain() {
    // Before the attempts are listed: one that begins later sees it, and is cancelled as it begins.
    loop.drain()
    for task in withState({ Array($0.attempts.values) }) { task.cancel() }
  }

  /// Whether nothing more begins.
  var isDraining: Bool { loop.isDraining }

  /// Ends the runs of plugins that are being told; they are told again another time.
  package func cancelRuns() {
    let notifications = withState { state in
      state.isCancelled = true
      return Array(state.notifications.values)
    }
    for task in notifications { task.cancel() }
  }

  /// Of those that it carries out.
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

  /// Carries transfers out until the ending. A cancelled task breaks everything off.
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
    // No poke reaches a cancelled task: the ends are waited for one by one.
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

  /// Another ending than it was begun with.
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

  /// Who cannot be asked or paid for now is asked when that is over.
  func surroundings(_ state: State, _ now: Timestamp) -> TransferQueue.ProcessEnvironment {
    let (gate, standing) = (setup.gate, setup.standing)
    return TransferQueue.ProcessEnvironment(
      now: now, placesAt: gate.places(at:),
      closedUntil: { job, hostname in
        // A copy costs nothing.
        if hostname.isEmpty { return nil }
        let opensAt = gate.opening(for: Self.startCost, of: job, now: now)
        guard let closed = gate.closedUntil(hostname, now: now) else { return opensAt }
        return max(closed, opensAt ?? closed)
      },
      isHeld: { job in if case .held = standing(job) { true } else { false } })
  }
}

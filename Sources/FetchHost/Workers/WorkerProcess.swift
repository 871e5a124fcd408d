import CHost
import FetchModel
import FetchWire
import Glibc

/// One worker process and the host's table of its work. Only the pool's thread uses it.
final class WorkerProcess {
  enum Phase { case starting, loading, ready }

  let id: UInt64
  let process: pid_t
  let descriptor: Int32
  let plugin: PluginSource
  /// Whether it is for one run only, by that run's setting or because its worker crashed before.
  let isDedicated: Bool
  let startedAt: UInt64

  /// The extra grant of its runs; nil before its first one.
  private(set) var extraGrant: ExtraGrant?
  var phase = Phase.starting
  var isolation: IsolationReport?
  var manifest: [UInt8]?
  var reader = FrameReader()
  var writer = FrameWriter()
  var runs: [UInt32: ActiveRun] = [:]
  /// The runs whose answers wait until the worker has read more, first come, first served.
  var heldReplies: [ActiveRun] = []
  var inspections: [Inspection] = []
  /// The number of runs for which the worker has work.
  var executingCount = 0
  var startedCount = 0
  var isRetiring = false
  /// Whether it is kept for a run that waits for a process, and so takes no later run.
  var isReserved = false
  var isFlushQueued = false
  var isWriteAwaited = false
  var lastHeardAt: UInt64
  var cpuWhenLastHeard: UInt64 = 0
  var isPinged = false
  /// The number of pings without an answer.
  private var unansweredCount = 0
  var idleSince: UInt64
  private var lastWireID: UInt32 = 0

  init(
    id: UInt64, plugin: PluginSource, isDedicated: Bool, now: UInt64,
    configuration: WorkerPoolConfiguration
  ) throws(Failure) {
    let spawned = spawn_worker(configuration.executable, configuration.errorDescriptor ?? -1)
    guard spawned.process > 0 else {
      let reason = String(cString: strerror(-spawned.process))
      throw Failure(
        .workerUnavailable,
        "the worker process \(configuration.executable) cannot be started: \(reason)",
        retryable: true)
    }
    process = spawned.process
    descriptor = spawned.descriptor
    self.id = id
    self.plugin = plugin
    self.isDedicated = isDedicated
    (startedAt, lastHeardAt, idleSince) = (now, now, now)
  }

  /// Whether it has work, or is about to.
  var isBusy: Bool { executingCount > 0 || phase != .ready }
  var isIdle: Bool { runs.isEmpty && inspections.isEmpty && phase == .ready }

  func adopt(_ run: ActiveRun) {
    repeat { lastWireID &+= 1 } while runs[lastWireID] != nil || lastWireID == 0
    runs[lastWireID] = run
    extraGrant = run.run.extraGrant
    run.wireID = lastWireID
    run.worker = self
    run.phase = .placed
    executingCount += 1
  }

  func drop(_ run: ActiveRun) {
    runs[run.wireID] = nil
    if case .waiting = run.phase { return }
    executingCount -= 1
  }

  func pinged() {
    isPinged = true
    unansweredCount += 1
  }

  func takePong() throws(WireError) {
    guard unansweredCount > 0 else { throw .unexpected("an answer without a ping") }
    unansweredCount -= 1
  }

  func heard(_ now: UInt64) {
    lastHeardAt = now
    isPinged = false
  }
}

/// A request for a plugin's manifest.
struct Inspection: Sendable {
  let plugin: PluginSource
  let deliver: @Sendable (Result<[UInt8], Failure>) -> Void
  var attemptCount = 0
}

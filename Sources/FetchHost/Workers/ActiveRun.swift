import FetchModel
import FetchValues

/// One run in the worker pool, from the queue to its end.
///
/// SAFETY: after `init`, only the pool's thread touches the mutable state. If the pool is shut down
/// and refuses the run, only the thread that created the run touches this state.
final class ActiveRun: @unchecked Sendable {
  enum Phase {
    /// The run waits for a worker.
    case queued
    /// The run is in a worker that has not loaded the plugin yet.
    case placed
    /// The run executes in its worker, and the host waits for the worker's next message about it.
    case executing
    /// The run waits while the host handles the call with the index `call` in the journal.
    case waiting(call: Int)
    /// The host has ended the run and waits for the worker to release it.
    case ending(Failure)
  }

  let id: UInt64
  let run: WorkerRun
  let calls: any HostCallHandler
  /// The contents of the plugin's `ctx`, as one encoded table.
  let arguments: [UInt8]
  private let deliver: @Sendable (RawRunEnd) -> Void

  var phase = Phase.queued
  var worker: WorkerProcess?
  var wireID: UInt32 = 0
  /// The end of the run's window (its time limit) if the window is not suspended in this attempt.
  /// In the phase `ending`, the time by which the worker must release the run.
  var deadline = UInt64.max
  /// The total time for which the window had been suspended when this attempt started.
  var waitedBefore: Duration = .zero
  var journal = CallJournal()
  /// The answer to the last host call, if it has not been written to the worker yet.
  var heldAnswer: HostCallAnswer?
  var callTask: Task<Void, Never>?
  /// The number of worker crashes that count as caused by this run. These are crashes while the
  /// plugin was loading, while the run was executing, or while it waited in a dedicated worker.
  var crashCount = 0
  /// The number of crashes of shared workers while this run waited for the host.
  var exposureCount = 0
  var unstartedCount = 0
  /// The CPU time of the attempts that ended with the loss of the worker, if it is known.
  var lostCPU: Duration = .zero
  var needsOwnWorker: Bool
  var attempt: Attempt

  /// The results of one attempt so far. These results are discarded when the run is repeated.
  struct Attempt {
    /// The encoded items that the worker has sent since the last call that took items.
    private(set) var items: [UInt8] = []
    /// The size in bytes of all items of the run, including those that calls have taken.
    private(set) var itemBytes = 0
    /// The memory in bytes that all items of the run take when decoded.
    private(set) var weight: ValueWeight
    /// The memory in bytes that `items` takes when decoded.
    private(set) var itemWeight = 0
    var logs: [LogLine] = []
    var logBytes = 0
    var hostCallCount = 0
    /// The hints of feeds; nil until the worker has sent them. In one attempt, the worker may send
    /// each of `feedHints`, `hubLinks`, `isWhole`, `returnedNothing` and `note` only once.
    var feedHints: FeedHints?
    var hubLinks: HubLinks?
    var isWhole = false
    var returnedNothing = false
    var note: String?
    /// The CPU time of the worker process when this attempt began, in nanoseconds.
    var workerCPUAtStart: UInt64 = 0
    /// Whether the worker process has had no other run during this attempt.
    var isAlone = false
    var startedAt: UInt64 = 0

    init(limits: RunLimits) { weight = ValueWeight(bytesMax: limits.resultWeight) }

    /// Adds received items, unless all items of the run together would take too much memory.
    mutating func add(_ encoded: UnsafeRawBufferPointer) throws(ValueError) {
      let before = weight.bytes
      try weight.add(items: encoded)
      guard !weight.isExceeded else { return }
      items.append(contentsOf: encoded)
      itemBytes += encoded.count
      itemWeight += weight.bytes - before
    }

    /// Removes and returns the items since the last call that took items, with their weight.
    mutating func takeItems() -> (items: [UInt8], weight: Int) {
      defer { (items, itemWeight) = ([], 0) }
      return (items, itemWeight)
    }
  }

  init(
    id: UInt64, run: WorkerRun, calls: any HostCallHandler,
    deliver: @escaping @Sendable (RawRunEnd) -> Void
  ) {
    self.id = id
    self.run = run
    self.calls = calls
    self.deliver = deliver
    needsOwnWorker = run.isolation == .perRun
    attempt = Attempt(limits: run.limits)
    var writer = ValueWriter(reserving: 512)
    writer.write(.object(run.arguments))
    arguments = writer.bytes
    run.waits?.setWaitsForWorker(true)
  }

  /// The time for which the window has been suspended in this attempt.
  var waited: Duration { run.waits.map { max(.zero, $0.total - waitedBefore) } ?? .zero }

  /// The end of the window if it is not suspended again. In the phase `ending`, the time by which
  /// the worker must release the run.
  var windowEnd: UInt64 {
    if case .ending = phase { return deadline }
    return deadline == .max ? .max : deadline + waited.nanoseconds
  }

  func end(_ result: Result<RawProducts, Failure>, usage: RunUsage) {
    callTask?.cancel()
    callTask = nil
    run.waits?.setWaitsForWorker(false)
    var end = RawRunEnd(result: result, usage: usage, logs: attempt.logs)
    end.usage.hostCallCount = attempt.hostCallCount
    end.usage.cpu += lostCPU
    end.isolation = worker?.isolation
    end.worker = worker?.id
    worker = nil
    deliver(end)
  }
}

/// The products of a run before they are decoded.
struct RawProducts: Sendable {
  var items: [UInt8]
  var state: [UInt8]?
  /// The memory in bytes that the items and the state take when decoded.
  var weight = 0
  var feedHints = FeedHints()
  var hubLinks: HubLinks?
  var isWhole = false
  var returnedNothing = false
  var note: String?
}

/// A run's end before its products have been decoded.
struct RawRunEnd: Sendable {
  var result: Result<RawProducts, Failure>
  var usage: RunUsage
  var logs: [LogLine]
  var isolation: IsolationReport?
  var worker: UInt64?
}

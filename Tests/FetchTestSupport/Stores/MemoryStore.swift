import FetchModel
package import FetchStore
import FetchValues
import Synchronization

/// A store without a file, for tests. The store fulfils the contract of stores, except that
/// retention removes nothing.
///
/// `fail` makes the store's calls fail. `reopened()` simulates the end of a process and a new
/// start.
package final class MemoryStore: Store {
  package let address: StoreAddress
  let state: Mutex<MemoryState>

  /// - Parameter path: the store's supposed path, beside which a test has the files of jobs.
  ///   Nothing is written to the path.
  package convenience init(path: String = "/nowhere/store") {
    self.init(.file(path), MemoryState())
  }

  private init(_ address: StoreAddress, _ state: sending MemoryState) {
    self.address = address
    self.state = Mutex(state)
  }

  /// Returns the store as another process would find it if this process ended now.
  package func reopened() -> MemoryStore {
    var content = state.withLock { state in
      defer { state.isClosed = true }
      return state
    }
    content.isClosed = false
    content.recover()
    return MemoryStore(address, content)
  }

  /// Makes calls throw the given error from now on. With nil, calls succeed again.
  package func fail(_ error: StoreError?) { state.withLock { $0.fault = error } }

  /// Runs a call exclusively. Throws without running the call if the store is closed, or if `fail`
  /// has set an error.
  func with<T: Sendable>(
    _ body: (inout sending MemoryState) throws(StoreError) -> T
  ) throws(StoreError) -> T {
    let result: Result<T, StoreError> = state.withLock { state in
      if state.isClosed { return .failure(StoreError(.closed, "the store \(address) was closed")) }
      if let fault = state.fault { return .failure(fault) }
      do throws(StoreError) { return .success(try body(&state)) } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// The contents of a store in memory.
struct MemoryState: Sendable {
  struct Job: Sendable {
    var id: Int64
    var name: JobName
    var plugin: PluginName
    var identity: String?
    var state: Value?
    var validators: [ExactText: Validators] = [:]
    var firstResultAt: Timestamp?
    var items: [ItemKey: Item] = [:]
    var grants: [PinnedGrant] = []
    var schedule: StoredSchedule?
    var byteCount = 0
  }

  struct Item: Sendable {
    var known: KnownItem
    var sequence: Int64
  }

  struct Change: Sendable {
    var item: StoredItem
    var previous: Int64?
  }

  struct Run: Sendable {
    var record: RunRecord
    /// The number of the run's end, which orders the ends of runs. The value is nil while the run
    /// continues.
    var ended: Int64?

    var isRunning: Bool { ended == nil }
  }

  struct KeptRun: Sendable {
    var row: KeptRunRow
    var content: [UInt8]
    var isAnswerless: Bool
  }

  struct Lease: Sendable {
    var run: RunID
    var row: Int?
    var isWritten = false
  }

  var isClosed = false
  var fault: StoreError?
  var jobs: [JobName: Job] = [:]
  /// The changes by their sequences.
  var changes: [Int64: Change] = [:]
  var lastSequence: Int64 = 0
  var runs: [Run] = []
  /// The ended runs whose rows do not say so: see `RunStore.abandon`.
  var unended: [(row: Int, record: RunRecord)] = []
  var lastEnded: Int64 = 0
  var leases: [JobName: Lease] = [:]
  var transfers: [Int64: TransferRecord] = [:]
  var lastTransferID: Int64 = 0
  var outbox: [Int64: Delivery] = [:]
  var lastDeliveryID: Int64 = 0
  var subscriptions: [Int64: Subscription] = [:]
  var lastSubscriptionID: Int64 = 0
  /// The runs with kept answers, oldest first.
  var kept: [KeptRun] = []
  var shared = SharedMemory()
  var coolDowns: [ExactText: Timestamp] = [:]
  var skips: [SkipRecord] = []
  var hookGrants: [HookName: PinnedGrant] = [:]
  var paces: [HookName: [UInt8]] = [:]
  var waits: [JobName: Timestamp] = [:]
  var configs = StoreConfigs()
  var firstSeen: [JobName: Timestamp] = [:]
  var staleMarks: [String: Timestamp] = [:]
  var retention = Retention()
  var recovery = StoreRecovery()

  /// The jobs in the order of their creation.
  var orderedJobs: [Job] { jobs.values.sorted { $0.id < $1.id } }

  /// Changes the job. Creates the job first if it does not exist.
  mutating func change<T>(
    _ name: JobName, plugin: PluginName, _ body: (inout Job) -> T
  ) -> T {
    let key = name
    // The job is removed first, so that its contents are changed without a copy.
    var job =
      jobs.removeValue(forKey: key)
      ?? Job(id: Int64(jobs.count + 1), name: name, plugin: plugin)
    defer { jobs[key] = job }
    return body(&job)
  }

  /// Does what a store does when it is opened after a crash. Unfinished runs end as abandoned,
  /// running transfers are queued again, and leases end.
  mutating func recover() {
    recovery.requeuedTransferCount = 0
    unended = []
    for index in runs.indices where runs[index].isRunning {
      lastEnded += 1
      runs[index].ended = lastEnded
      runs[index].record.outcome = .failed(Self.abandoned)
      let job = runs[index].record.job
      if !recovery.abandonedJobs.contains(where: { $0 == job }) {
        recovery.abandonedJobs.append(job)
      }
    }
    for (id, transfer) in transfers where transfer.state == .running && !transfer.isTold {
      transfers[id]?.state = .queued
      recovery.requeuedTransferCount += 1
    }
    leases = [:]
  }

  static let abandoned = Failure(
    .abandoned, "the run did not end: fetchrun stopped in the middle of it", retryable: true)
}

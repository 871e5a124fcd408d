internal import Dispatch
import FetchStore
internal import Synchronization

/// The queue through which all runs use the store's writing connection.
///
/// Simultaneous writes share one transaction, so that one fsync makes all of them durable (group
/// commit). A write that begins or ends a run may wait briefly for such writes of other runs.
///
/// Each caller receives only the result of its own request. The result of a write is returned after
/// the COMMIT that made it durable. If one of several requests makes their transaction fail, the
/// transaction is rolled back. Each request is then repeated alone, so that only the faulty request
/// fails. After an error of the disk, no request is repeated: all requests of the transaction and
/// all later requests fail.
final class WriteQueue: Sendable {
  /// The request of one caller. `attempt` may be called several times. At the end, either `fail` or
  /// the closure from the last `attempt` is called once.
  final class Request: Sendable {
    let isWrite: Bool
    /// The number of active runs, including the run of this request, if the request may wait for
    /// their writes. Nil if the request does not wait.
    let siblingCount: Int?
    /// The closure that does the work. It returns a closure that reports success to the caller.
    let attempt: @Sendable (WriterConnection) throws -> @Sendable () -> Void
    let fail: @Sendable (StoreError) -> Void

    init(
      isWrite: Bool, siblingCount: Int?,
      attempt: @escaping @Sendable (WriterConnection) throws -> @Sendable () -> Void,
      fail: @escaping @Sendable (StoreError) -> Void
    ) {
      self.isWrite = isWrite
      self.siblingCount = siblingCount
      self.attempt = attempt
      self.fail = fail
    }
  }

  private struct State {
    var pending = PendingRequests()
    var isDraining = false
    /// Whether the thread that executes the requests sleeps, to wait for more requests.
    var isAsleep = false
    /// The reason why all later requests are rejected; nil while the store may be written.
    var ending: StoreError?
    /// Whether pending requests are still executed. They are executed after `close`, but not after
    /// an earlier disk error or after the loss of the store's files.
    var isUsable: Bool { ending == nil || ending?.code == .closed }
  }

  private let state = Mutex(State())
  private let database: SQLQueue
  private let path: String
  /// The semaphore that wakes the thread that sleeps in `drain`.
  private let signal = DispatchSemaphore(value: 0)
  // SAFETY: used only by closures on the database's serial queue. Nil after `close`.
  private nonisolated(unsafe) var connection: WriterConnection?

  /// - Parameter connection: the connection of `database`.
  init(_ database: SQLQueue, connection: WriterConnection, path: String) {
    self.database = database
    self.connection = connection
    self.path = path
  }

  /// Executes the body as one request and returns its result.
  ///
  /// - Parameter siblingCount: see `Request.siblingCount`.
  func perform<T: Sendable>(
    isWrite: Bool, siblingCount: Int? = nil,
    _ body: @escaping @Sendable (WriterConnection) throws -> T
  ) async throws(StoreError) -> T {
    let result: Result<T, StoreError> = await withCheckedContinuation { continuation in
      submit(
        Request(
          isWrite: isWrite, siblingCount: siblingCount,
          attempt: { connection in
            let value = try body(connection)
            return { continuation.resume(returning: .success(value)) }
          },
          fail: { continuation.resume(returning: .failure($0)) }))
    }
    return try result.get()
  }

  /// Accepts no further requests, waits for the pending requests, and closes the connection. Does
  /// nothing if the connection is already closed. Throws `replaced` if a request has found that the
  /// store's files were deleted, replaced or truncated. In that case, the connection stays open.
  func close() throws {
    end(StoreError(.closed, "the store \(path) was closed"))
    database.wait {
      while drain() {}
      // Releasing the connection also frees its statements.
      connection = nil
    }
    if let ending = state.withLock(\.ending), ending.code == .replaced { throw ending }
    database.close()
  }

  /// The maximum ratio of all pages to free pages at which the store is compacted. With 10, the
  /// store is compacted only if at least a tenth of its pages is free.
  private static let pagesPerFreeMax = 10

  /// Rewrites the store without its free pages, if there are enough free pages: see
  /// `pagesPerFreeMax`.
  func compact() throws {
    if let ending = state.withLock(\.ending) { throw ending }
    try database.perform { db in
      let isWorth = try db.integer(
        """
        SELECT freelist_count * \(Self.pagesPerFreeMax) >= page_count
        FROM pragma_freelist_count, pragma_page_count
        """)
      if isWorth == 1 { try db.execute("VACUUM") }
    }
  }

  /// Rejects all further requests. The first reason is kept, but `replaced` overrides an earlier
  /// reason.
  private func end(_ reason: StoreError) {
    state.withLock { state in
      if state.ending == nil || reason.code == .replaced { state.ending = reason }
    }
  }

  private func submit(_ request: Request) {
    let (ending, mustStart, mustWake) = state.withLock { state -> (StoreError?, Bool, Bool) in
      if let ending = state.ending { return (ending, false, false) }
      state.pending.append(request, now: .now)
      defer { state.isDraining = true }
      let mustWake = state.isAsleep && !state.pending.mayWait
      if mustWake { state.isAsleep = false }
      return (nil, !state.isDraining, mustWake)
    }
    if let ending { return request.fail(ending) }
    if mustStart { schedule() }
    if mustWake { signal.signal() }
  }

  /// Executes one batch at a time, so that readers are served between two batches.
  private func schedule() {
    database.later { [self] in
      if drain() { schedule() }
    }
  }

  /// Executes one batch, or waits for more requests. Returns whether there is more work.
  private func drain() -> Bool {
    let turn = state.withLock { state in
      let turn = state.pending.turn(isEnding: state.ending != nil, now: .now)
      if case .sleep = turn { state.isAsleep = true }
      return turn
    }
    switch turn {
    case .work(let batch):
      perform(batch.filter { !$0.isWrite }, begin: .beginRead)
      perform(batch.filter(\.isWrite), begin: .begin)
    case .sleep(let time):
      _ = signal.wait(timeout: .now() + .nanoseconds(Int(time / .nanoseconds(1))))
      state.withLock { $0.isAsleep = false }
    }
    return state.withLock { state in
      state.isDraining = !state.pending.isEmpty
      return state.isDraining
    }
  }

  private func perform(_ requests: [Request], begin: WriterStatement) {
    if requests.isEmpty { return }
    guard let connection, state.withLock(\.isUsable) else {
      let error = state.withLock(\.ending) ?? StoreError(.closed, "the store \(path) was closed")
      for request in requests { request.fail(error) }
      return
    }
    do {
      if begin === WriterStatement.begin { try connection.checkFiles() }
      let successes = try connection.transaction(begin) {
        try requests.map { try $0.attempt(connection) }
      }
      for success in successes { success() }
    } catch {
      recover(
        requests, begin: begin, from: connection.explained(StoreError(error, path: path)))
    }
  }

  private func recover(
    _ requests: [Request], begin: WriterStatement, from error: StoreError
  ) {
    if error.isDisk { stop(after: error) }
    if requests.count == 1 || error.isDisk {
      for request in requests { request.fail(error) }
    } else {
      for request in requests { perform([request], begin: begin) }
    }
  }

  /// Rejects all further requests. After a failed write or fsync, the kernel may have dropped the
  /// data and may report success the next time. The content of the disk is therefore unknown until
  /// the store is reopened.
  private func stop(after error: StoreError) {
    // After the loss of the files, the connection is never closed. Closing it could copy the log
    // into a file that is no longer the store, or remove the log of another store.
    if error.code == .replaced { _ = Unmanaged.passRetained(database) }
    end(
      StoreError(
        error.code,
        error.message + "; nothing more is stored until fetchrun is started again"))
  }
}

/// The requests that wait for the store's connection, and the choice of the next requests.
///
/// A write that begins or ends a run may wait briefly for such writes of other runs. One fsync then
/// makes all of them durable. PostgreSQL does the same with `commit_delay` and `commit_siblings`.
struct PendingRequests {
  enum Turn {
    /// The requests to execute now. The other requests remain in the queue.
    case work([WriteQueue.Request])
    /// No request is ready. The thread sleeps for this duration, or until a request arrives that
    /// does not wait or that completes the group.
    case sleep(Duration)
  }

  /// The maximum wait for the writes of other runs, about the time of an fsync.
  static let waitMax: Duration = .milliseconds(5)
  static let groupMax = 64

  private var requests: [WriteQueue.Request] = []
  /// The number of requests that wait for the writes of other runs.
  private var patientCount = 0
  /// The arrival time of the first request that waits for the writes of other runs.
  private var firstPatientAt = ContinuousClock.now
  /// The number of active runs, as given by the last request that waits for the writes of other
  /// runs.
  private var siblingCount = 0
  private var hasOtherWrite = false

  var isEmpty: Bool { requests.isEmpty }

  /// Whether the thread may wait: all requests in the queue may wait, and more writes of other runs
  /// are expected.
  var mayWait: Bool { patientCount == requests.count && isGathering }

  private var isGathering: Bool {
    patientCount > 0 && patientCount < min(siblingCount, Self.groupMax) && !hasOtherWrite
  }

  mutating func append(_ request: WriteQueue.Request, now: ContinuousClock.Instant) {
    requests.append(request)
    guard let siblingCount = request.siblingCount else {
      hasOtherWrite = hasOtherWrite || request.isWrite
      return
    }
    if patientCount == 0 { firstPatientAt = now }
    patientCount += 1
    self.siblingCount = siblingCount
  }

  /// Returns the thread's next step, and removes the returned requests from the queue.
  ///
  /// - Parameter isEnding: whether no more requests will arrive.
  mutating func turn(isEnding: Bool, now: ContinuousClock.Instant) -> Turn {
    let timeLeft = Self.waitMax - firstPatientAt.duration(to: now)
    guard isGathering, !isEnding, timeLeft > .zero else {
      defer { self = PendingRequests() }
      return .work(requests)
    }
    if mayWait { return .sleep(timeLeft) }
    // Reads do not wait for writes.
    defer { requests.removeAll { $0.siblingCount == nil } }
    return .work(requests.filter { $0.siblingCount == nil })
  }
}

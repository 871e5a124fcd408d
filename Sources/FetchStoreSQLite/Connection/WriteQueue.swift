internal import Dispatch
import FetchStore
internal import Synchronization

/// Serves many runs with one connection.
///
/// Simultaneous requests share one transaction, so that one fsync makes all of them durable (group
/// commit). Beginnings and ends of runs wait briefly for those of other active runs.
///
/// Each caller receives the result of its own request only, and that of a write only after the
/// COMMIT that made it durable. If one request breaks a transaction, all of it is rolled back and
/// each request is repeated alone, so that only the faulty one fails.
final class WriteQueue: Sendable {
  /// One caller's request. `attempt` may run more than once, `finish` runs once.
  struct Request: Sendable {
    var isWrite: Bool
    /// The number of active runs including this one, if the request may wait for their writes.
    var siblingCount: Int?
    /// Does the work and returns a closure that reports success to the caller.
    var attempt: @Sendable (WriterConnection) throws -> @Sendable () -> Void
    var fail: @Sendable (StoreError) -> Void
  }

  private struct State {
    var pending = PendingRequests()
    var isDraining = false
    /// Whether the draining thread sleeps until more requests arrive.
    var isAsleep = false
    /// The reason for rejecting all later requests; nil while the store may be written.
    var ending: StoreError?
    /// Whether pending requests are still executed: yes after `close`, no after a disk error.
    var isUsable: Bool { ending == nil || ending?.code == .closed }
  }

  private let state = Mutex(State())
  private let database: SQLQueue
  private let path: String
  /// Wakes the draining thread.
  private let signal = DispatchSemaphore(value: 0)
  // SAFETY: only used by closures on the database's serial queue. Nil after `close`.
  private nonisolated(unsafe) var connection: WriterConnection?

  /// - Parameter connection: the connection of `database`.
  init(_ database: SQLQueue, connection: WriterConnection, path: String) {
    self.database = database
    self.connection = connection
    self.path = path
  }

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

  /// Takes no further requests, waits for the pending ones, and closes the connection. Does nothing
  /// if it is closed. Throws `replaced` if the store's files are lost; then the connection stays
  /// open.
  func close() throws {
    end(StoreError(.closed, "the store \(path) was closed"))
    database.wait {
      while drain() {}
      // Also frees its statements.
      connection = nil
    }
    if let ending = state.withLock(\.ending), ending.code == .replaced { throw ending }
    database.close()
  }

  /// The share of free pages, one in this number, from which compaction is worthwhile.
  private static let pagesPerFreeMax = 10

  /// Rewrites the store without its free pages if they are many.
  func compact() throws {
    try database.perform { db in
      let isWorth = try db.integer(
        """
        SELECT freelist_count * \(Self.pagesPerFreeMax) >= page_count
        FROM pragma_freelist_count, pragma_page_count
        """)
      if isWorth == 1 { try db.execute("VACUUM") }
    }
  }

  /// Rejects all further requests.
  private func end(_ reason: StoreError) { state.withLock { $0.ending = $0.ending ?? reason } }

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

  /// Executes one batch at a time, so that a reader has its turn between two.
  private func schedule() {
    database.later { [self] in
      if drain() { schedule() }
    }
  }

  /// Executes one batch or waits for more; returns whether there is more to do.
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

  /// Rejects all further writes. After a failed write or fsync the kernel may have dropped the data
  /// and report success the next time, so the content of the disk is unknown until the store is
  /// reopened.
  private func stop(after error: StoreError) {
    // Closing would copy the log into a file that is no longer the store, and remove a log by name
    // that may be another store's.
    if error.code == .replaced { _ = Unmanaged.passRetained(database) }
    end(
      StoreError(
        error.code,
        error.message + "; nothing more is stored until fetchrun is started again"))
  }
}

internal import Dispatch
import FetchStore
internal import Synchronization

/// Serves many runs with one connection: what they ask for at the same time is done in one
/// transaction, so that one fsync makes all of them durable (group commit). Beginnings and ends of
/// runs wait a little for those of others that are under way.
///
/// Each caller hears of its own request only, and of a write only after the COMMIT that made it
/// durable. When one request spoils a transaction, all of it is undone and each is done again by
/// itself, so that only the culprit fails.
final class WriteQueue: Sendable {
  /// One caller's request. `attempt` may run more than once, `finish` runs once.
  struct Request: Sendable {
    var isWrite: Bool
    /// How many runs are under way, this one's among them, where it may wait for what they write.
    var siblingCount: Int?
    /// Does the work and returns what tells the caller of its success.
    var attempt: @Sendable (WriterConnection) throws -> @Sendable () -> Void
    var fail: @Sendable (StoreError) -> Void
  }

  private struct State {
    var pending = PendingRequests()
    var isDraining = false
    /// Whether the thread that drains sleeps until more has come.
    var isAsleep = false
    /// Set once nothing may be written any more; the reason for every later request.
    var ending: StoreError?
    /// What is pending when the store is closed is still done; after a disk error nothing is.
    var isUsable: Bool { ending == nil || ending?.code == .closed }
  }

  private let state = Mutex(State())
  private let database: SQLQueue
  private let path: String
  /// Wakes the thread that drains.
  private let signal = DispatchSemaphore(value: 0)
  // SAFETY: touched only by closures that run on the database's serial queue. Nil once closed.
  private nonisolated(unsafe) var connection: WriterConnection?

  /// - Parameter connection: that of `database`.
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

  /// Takes no further request, waits for those at work, and closes the connection. Harmless when
  /// it is closed already. Throws `replaced` where the store's files are lost: what is still open then
  /// stays open.
  func close() throws {
    end(StoreError(.closed, "the store \(path) was closed"))
    database.wait {
      while drain() {}
      // With its statements.
      connection = nil
    }
    if let ending = state.withLock(\.ending), ending.code == .replaced { throw ending }
    database.close()
  }

  /// One free page in so many of the file is worth the work.
  private static let pagesPerFreeMax = 10

  /// Writes the store anew without its free pages, where they are many.
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

  /// No further request is taken.
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

  /// One batch at a time: between two of them a reader has its turn.
  private func schedule() {
    database.later { [self] in
      if drain() { schedule() }
    }
  }

  /// Does one batch, or waits for more; whether there is more to do.
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

  /// After a failed write or fsync the kernel may have dropped what it could not write and report
  /// success the next time: what is on the disk is unknown until the store is opened again.
  private func stop(after error: StoreError) {
    // Closing would copy the log into a file that is not the store any more, and remove one by its name
    // that may be another store's.
    if error.code == .replaced { _ = Unmanaged.passRetained(database) }
    end(
      StoreError(
        error.code,
        error.message + "; nothing more is stored until fetchrun is started again"))
  }
}

internal import GRDB
internal import Synchronization

/// Serves many runs with one connection: what they ask for at the same time is done in one
/// transaction, so that one fsync makes all of them durable (group commit).
///
/// Each caller hears of its own request only, and of a write only after the COMMIT that made it
/// durable. When one request spoils a transaction, all of it is undone and each is done again by
/// itself, so that only the culprit fails.
final class WriteQueue: Sendable {
  /// One caller's request. `attempt` may run more than once, `finish` runs once.
  struct Request: Sendable {
    var isWrite: Bool
    /// Does the work and returns what tells the caller of its success.
    var attempt: @Sendable (WriterConnection) throws -> @Sendable () -> Void
    var fail: @Sendable (StoreError) -> Void
  }

  private struct State {
    var pending: [Request] = []
    var isDraining = false
    /// Set once nothing may be written any more; the reason for every later request.
    var ending: StoreError?
    /// What is pending when the store is closed is still done; after a disk error nothing is.
    var isUsable: Bool { ending == nil || ending?.code == .closed }
  }

  private let state = Mutex(State())
  private let database: DatabaseQueue
  private let path: String
  // SAFETY: touched only by closures that run on the database's serial queue. Nil once closed.
  private nonisolated(unsafe) var connection: WriterConnection?

  /// - Parameter connection: that of `database`.
  init(_ database: DatabaseQueue, connection: WriterConnection, path: String) {
    self.database = database
    self.connection = connection
    self.path = path
  }

  func perform<T: Sendable>(
    isWrite: Bool, _ body: @escaping @Sendable (WriterConnection) throws -> T
  ) async throws(StoreError) -> T {
    let result: Result<T, StoreError> = await withCheckedContinuation { continuation in
      submit(
        Request(
          isWrite: isWrite,
          attempt: { connection in
            let value = try body(connection)
            return { continuation.resume(returning: .success(value)) }
          },
          fail: { continuation.resume(returning: .failure($0)) }))
    }
    return try result.get()
  }

  /// Takes no further request, waits for those at work, and closes the connection. Harmless when
  /// it is closed already.
  func close() throws {
    end(StoreError(.closed, "the store \(path) was closed"))
    database.inDatabase { _ in
      while performPending() {}
      // Statements first, or SQLite would not let the connection go.
      connection = nil
    }
    try database.close()
  }

  /// No further request is taken.
  private func end(_ reason: StoreError) { state.withLock { $0.ending = $0.ending ?? reason } }

  private func submit(_ request: Request) {
    let (ending, mustStart) = state.withLock { state -> (StoreError?, Bool) in
      if let ending = state.ending { return (ending, false) }
      state.pending.append(request)
      defer { state.isDraining = true }
      return (nil, !state.isDraining)
    }
    if let ending { return request.fail(ending) }
    if mustStart { schedule() }
  }

  /// One batch at a time: between two of them a reader has its turn.
  private func schedule() {
    database.asyncWriteWithoutTransaction { [self] _ in
      if performPending() { schedule() }
    }
  }

  /// Whether more came meanwhile.
  private func performPending() -> Bool {
    let batch = state.withLock { state -> [Request] in
      defer { state.pending.removeAll() }
      return state.pending
    }
    perform(batch.filter { !$0.isWrite }, begin: .beginRead)
    perform(batch.filter(\.isWrite), begin: .begin)
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
      let successes = try connection.transaction(begin) {
        try requests.map { try $0.attempt(connection) }
      }
      for success in successes { success() }
    } catch {
      recover(requests, begin: begin, from: StoreError(error, path: path))
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
    end(
      StoreError(
        error.code,
        error.message + "; nothing more is stored until fetchrun is started again"))
  }
}

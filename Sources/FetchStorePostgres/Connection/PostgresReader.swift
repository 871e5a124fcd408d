internal import Dispatch
import FetchModel
package import FetchStore
import FetchValues

/// A store in a PostgreSQL database that is open for reading.
///
/// The calls of one reader are executed one after the other. A lost connection is opened again. For
/// `PostgresConnection.retryInterval` after a failed attempt to connect, all calls fail at once.
package final class PostgresReader: PostgresReading {
  package let address: StoreAddress
  let server: PostgresAddress
  private let queue = DispatchQueue(label: "fetchrun.reader", qos: .userInitiated)
  // SAFETY: used only on `queue`.
  private nonisolated(unsafe) var connection: PostgresConnection?
  private nonisolated(unsafe) var isClosed = false
  /// The last failed attempt to connect.
  private nonisolated(unsafe) var failure: (at: ContinuousClock.Instant, fault: PostgresFault)?

  package var reader: PostgresReader { self }

  /// Connects to the server. Throws `missing` if the database has no store, `newer` if the store
  /// needs a newer fetchrun, and `rejected` if the store's format is too old.
  package init(at address: StoreAddress) async throws(StoreError) {
    self.address = address
    server = try PostgresAddress(address, password: try await address.password?.value())
    _ = try await read { _ in }
  }

  /// Creates a reader that connects at its first call.
  init(later address: StoreAddress, _ server: PostgresAddress) {
    self.address = address
    self.server = server
  }

  /// Executes the body. If an open connection is lost, connects again and repeats the body once.
  func read<T: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws -> T
  ) async throws(StoreError) -> T {
    let result: Result<T, StoreError> = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.attempt(body)) }
    }
    return try result.get()
  }

  /// Executes the body in a transaction, in which all statements see the store at one instant.
  func readAtOnce<T: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await read { connection in
      try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      do {
        let value = try body(connection)
        try connection.execute("COMMIT")
        return value
      } catch {
        try? connection.execute("ROLLBACK")
        throw error
      }
    }
  }

  private func attempt<T>(
    _ body: (PostgresConnection) throws -> T
  ) -> Result<T, StoreError> {
    for isLast in [false, true] {
      do {
        return .success(try body(try opened()))
      } catch let fault as PostgresFault {
        if fault.isConnection {
          let wasOpen = connection != nil
          connection = nil
          if wasOpen, !isLast { continue }
        }
        return .failure(StoreError(fault, server.shown))
      } catch { return .failure(StoreError(any: error, server.shown)) }
    }
    return .failure(StoreError(.unreachable, "the store \(server.shown) cannot be used"))
  }

  private func opened() throws -> PostgresConnection {
    if isClosed { throw StoreError(.closed, "the store \(server.shown) was closed") }
    if let connection { return connection }
    if let failure, ContinuousClock.now - failure.at < PostgresConnection.retryInterval {
      throw failure.fault
    }
    let new: PostgresConnection
    do throws(PostgresFault) {
      new = try server.connect(isWriter: false, name: "fetchrun reader")
    } catch {
      failure = (.now, error)
      throw error
    }
    guard try PostgresSchema.check(new, server.shown, for: .reading) else {
      throw StoreError(
        .missing,
        "the database \(server.shown) has no fetchrun store: a run creates one")
    }
    failure = nil
    connection = new
    return new
  }

  /// Refuses all later calls. Closes the connection after all earlier calls have ended.
  func close() {
    queue.async { [self] in
      isClosed = true
      connection = nil
    }
  }
}

/// A store whose reads go through a `PostgresReader`.
package protocol PostgresReading: ReadableStore {
  var reader: PostgresReader { get }
}

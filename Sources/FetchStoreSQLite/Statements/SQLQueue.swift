internal import Dispatch
internal import SQLiteLibrary

/// A connection that is used only on its own serial queue.
///
/// A call of `perform`, `read`, `wait` or `close` inside another call of the same queue would
/// deadlock.
final class SQLQueue: Sendable {
  private let queue: DispatchQueue
  // SAFETY: only used on `queue`. Nil after `close`.
  private nonisolated(unsafe) var connection: SQLConnection?

  init(_ label: String, _ connection: SQLConnection) {
    queue = DispatchQueue(label: label, qos: .userInitiated)
    self.connection = connection
  }

  /// Executes the body after all earlier calls. Throws an error after `close`.
  func perform<T>(_ body: (SQLConnection) throws -> T) throws -> T {
    try queue.sync { try body(try opened()) }
  }

  /// Executes the body in a transaction, so that all reads of the body see the store at one
  /// instant.
  func read<T>(_ body: (SQLConnection) throws -> T) throws -> T {
    try perform { connection in try connection.transaction { try body(connection) } }
  }

  /// Executes the body after all earlier calls. Returns without waiting for the body.
  func later(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// Executes the body after all earlier calls, even after `close`.
  func wait(_ body: () -> Void) { queue.sync(execute: body) }

  /// Closes the connection after all earlier calls. Does nothing if the connection is already
  /// closed.
  func close() { queue.sync { connection = nil } }

  private func opened() throws(SQLFault) -> SQLConnection {
    guard let connection else {
      throw SQLFault(code: SQLITE_MISUSE, detail: "Connection is closed")
    }
    return connection
  }
}

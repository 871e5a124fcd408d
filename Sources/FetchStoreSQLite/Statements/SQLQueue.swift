internal import Dispatch
internal import SQLiteLibrary

/// A connection with the serial queue on which alone it is used.
///
/// A call inside another one of the same queue would wait for itself.
final class SQLQueue: Sendable {
  private let queue: DispatchQueue
  // SAFETY: touched only on `queue`. Nil once closed.
  private nonisolated(unsafe) var connection: SQLConnection?

  init(_ label: String, _ connection: SQLConnection) {
    queue = DispatchQueue(label: label, qos: .userInitiated)
    self.connection = connection
  }

  /// Executes the body in its turn. Throws after `close`.
  func perform<T>(_ body: (SQLConnection) throws -> T) throws -> T {
    try queue.sync { try body(try opened()) }
  }

  /// Executes the body in a transaction: all that it reads is from one instant.
  func read<T>(_ body: (SQLConnection) throws -> T) throws -> T {
    try perform { connection in try connection.transaction { try body(connection) } }
  }

  /// Executes the body in its turn, and does not wait for it.
  func later(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// Executes the body in its turn, also after `close`.
  func wait(_ body: () -> Void) { queue.sync(execute: body) }

  /// Closes the connection after all that was asked for before. Harmless when it is closed already.
  func close() { queue.sync { connection = nil } }

  private func opened() throws(SQLFault) -> SQLConnection {
    guard let connection else {
      throw SQLFault(code: SQLITE_MISUSE, detail: "Connection is closed")
    }
    return connection
  }
}

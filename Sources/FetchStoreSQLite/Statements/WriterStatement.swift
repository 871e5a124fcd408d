internal import Synchronization

/// A statement that the writing connection executes repeatedly.
///
/// Each one is a constant next to the functions on its table. A connection prepares it on first
/// use, because most commands need few of them.
final class WriterStatement: Sendable {
  let sql: String
  /// The index of the prepared statement in the connection's list; this is faster than a hash.
  let number: Int

  private static let count = Atomic(0)

  init(_ sql: String) {
    self.sql = sql
    number = Self.count.add(1, ordering: .relaxed).oldValue
  }
}

extension WriterStatement {
  static let begin = WriterStatement("BEGIN IMMEDIATE")
  static let beginRead = WriterStatement("BEGIN")
  static let commit = WriterStatement("COMMIT")
  static let rollback = WriterStatement("ROLLBACK")
}

internal import Synchronization

/// A statement that the writing connection executes repeatedly.
///
/// Each statement is a constant, next to the functions that use its table. A connection prepares a
/// statement on first use, because most commands need only a few statements.
final class WriterStatement: Sendable {
  let sql: String
  /// The index of the statement in the connection's list of prepared statements. A list is faster
  /// than a hash table.
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

internal import Synchronization

/// A statement that the connection which writes executes again and again.
///
/// Each is a constant beside the table that it is about. A connection prepares it when it is first
/// needed: most commands need few of them.
final class WriterStatement: Sendable {
  let sql: String
  /// The place of the prepared statement in the connection's list: found faster than by a hash.
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

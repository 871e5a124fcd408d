internal import FetchModel
internal import GRDB
internal import GRDBSQLite

/// The one connection that writes, with its statements.
///
/// Not Sendable: used on the queue of its database only.
final class WriterConnection {
  let db: Database
  let statements: WriterStatements
  var transferStatements: [TransferStatement: SQLStatement] = [:]
  /// Prepared when it is first needed.
  var insertDelivery: SQLStatement?

  init(_ db: Database) throws {
    self.db = db
    statements = try WriterStatements(db)
  }

  var lastInsertedRow: Int64 { db.lastInsertedRowID }
  var changedRowCount: Int { db.changesCount }

  /// Runs the body in one transaction, which is on the disk when this returns and undone when it
  /// throws.
  func transaction<T>(_ begin: SQLStatement, _ body: () throws -> T) throws -> T {
    try begin.run()
    do {
      let result = try body()
      try statements.commit.run()
      return result
    } catch {
      // Some errors (a full disk) have ended the transaction already.
      if sqlite3_get_autocommit(db.sqliteConnection) == 0 { try? statements.rollback.run() }
      throw error
    }
  }
}

internal import FetchModel
internal import GRDB
internal import GRDBSQLite

/// The one connection that writes, with its statements.
///
/// Not Sendable: used on the queue of its database only.
final class WriterConnection {
  let db: Database
  /// By the statement's number.
  private var prepared: [SQLStatement?]

  init(_ db: Database) {
    self.db = db
    prepared = Array(repeating: nil, count: WriterStatement.allCases.count)
  }

  /// Ready to be bound, and to be used by one at a time.
  func statement(_ statement: WriterStatement) throws -> SQLStatement {
    if let found = prepared[statement.rawValue] { return found }
    let made = try SQLStatement(db, statement.sql)
    prepared[statement.rawValue] = made
    return made
  }

  var lastInsertedRow: Int64 { db.lastInsertedRowID }
  var changedRowCount: Int { db.changesCount }

  /// Runs the body in one transaction, which is on the disk when this returns and undone when it
  /// throws.
  func transaction<T>(_ begin: WriterStatement, _ body: () throws -> T) throws -> T {
    try statement(begin).run()
    do {
      let result = try body()
      try statement(.commit).run()
      return result
    } catch {
      // Some errors (a full disk) have ended the transaction already.
      if sqlite3_get_autocommit(db.sqliteConnection) == 0 { try? statement(.rollback).run() }
      throw error
    }
  }
}

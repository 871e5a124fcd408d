import FetchValues
internal import SQLiteLibrary

/// A connection to an SQLite database.
///
/// The class is not Sendable: only one thread at a time may use a connection and its statements.
/// For an error of SQLite, the functions throw `SQLFault` with SQLite's extended result code.
package final class SQLConnection {
  package enum Access {
    case readOnly
    case readWrite
    /// Opens the database for writing, and creates the file if it is missing.
    case create
  }

  let handle: OpaquePointer

  /// Opens the database at the path. The path `:memory:` opens an in-memory database.
  ///
  /// SQLite takes no lock and reads no page before the first statement.
  package init(at path: String, _ access: Access) throws(SQLFault) {
    _ = Self.isPrepared
    let flags =
      switch access {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var handle: OpaquePointer?
    // The connection needs no mutex, since one thread at a time uses it.
    let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else {
      defer { sqlite3_close(handle) }
      throw SQLFault(ofConnection: handle)
    }
    self.handle = handle
    sqlite3_busy_timeout(handle, Self.busyMilliseconds)
  }

  /// Whether SQLite was prepared before its first use in this process. Otherwise, SQLite works the
  /// same, only slower.
  private static let isPrepared = sqlite3_leave_memory_uncounted() == SQLITE_OK

  /// The maximum time for which a statement waits for another connection's lock, in milliseconds.
  private static let busyMilliseconds: Int32 = 10_000

  /// Closes the connection after its last statement is freed.
  deinit { sqlite3_close_v2(handle) }

  // MARK: Statements that are executed once

  /// Executes any number of statements and ignores the rows that they return.
  package func execute(_ sql: String) throws(SQLFault) {
    if sqlite3_exec(handle, sql, nil, nil, nil) != SQLITE_OK {
      throw SQLFault(ofConnection: handle)
    }
  }

  /// Executes one statement with its arguments in order, and ignores the rows that it returns.
  package func run(_ sql: String, _ arguments: any SQLArgument...) throws(SQLFault) {
    try statement(sql, arguments).run()
  }

  /// Returns the value in the first column of the first row. Returns nil if there is no row, or if
  /// the value is NULL.
  package func integer(_ sql: String, _ arguments: any SQLArgument...) throws(SQLFault) -> Int64? {
    let row = try statement(sql, arguments)
    defer { row.reset() }
    return try row.step() ? row.optionalInteger(0) : nil
  }

  /// Returns the value in the first column of the first row. Returns nil if there is no row, or if
  /// the value is NULL.
  package func text(_ sql: String, _ arguments: any SQLArgument...) throws(SQLFault) -> String? {
    let row = try statement(sql, arguments)
    defer { row.reset() }
    return try row.step() ? row.text(0) : nil
  }

  /// Returns the values in the first column of all rows. Leaves out NULL.
  package func integers(_ sql: String, _ arguments: any SQLArgument...) throws(SQLFault) -> [Int64]
  {
    let row = try statement(sql, arguments)
    var integers: [Int64] = []
    while try row.step() { if let integer = row.optionalInteger(0) { integers.append(integer) } }
    return integers
  }

  /// Returns the values in the first column of all rows. Leaves out NULL.
  package func texts(_ sql: String, _ arguments: any SQLArgument...) throws(SQLFault) -> [String] {
    let row = try statement(sql, arguments)
    var texts: [String] = []
    while try row.step() { if let text = row.text(0) { texts.append(text) } }
    return texts
  }

  private func statement(
    _ sql: String, _ arguments: [any SQLArgument]
  ) throws(SQLFault) -> SQLStatement {
    let row = try SQLStatement(self, sql)
    var index: Int32 = 1
    for argument in arguments {
      argument.bind(to: row, index)
      index += 1
    }
    return row
  }

  // MARK: Transactions

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Executes the body in one transaction. If the body throws, the transaction is rolled back.
  package func transaction<T>(_ begin: String = "BEGIN", _ body: () throws -> T) throws -> T {
    try execute(begin)
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // Some errors, such as a full disk, have already ended the transaction.
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }
  /// The number of rows that the last INSERT, UPDATE or DELETE has changed.
  var changedRowCount: Int { Int(sqlite3_changes64(handle)) }

  /// Returns the database in the form of an SQLite file.
  func bytes() throws(SQLFault) -> [UInt8] {
    var count: Int64 = 0
    let start = sqlite3_serialize(handle, "main", &count, 0)
    defer { sqlite3_free(start) }
    guard let start else { throw SQLFault(ofConnection: handle) }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }
}

/// A value that can be bound to a statement.
package protocol SQLArgument {
  func bind(to statement: SQLStatement, _ index: Int32)
}

extension Int64: SQLArgument {
  package func bind(to statement: SQLStatement, _ index: Int32) { statement.bind(index, self) }
}

extension Int: SQLArgument {
  package func bind(to statement: SQLStatement, _ index: Int32) { statement.bind(index, self) }
}

extension String: SQLArgument {
  package func bind(to statement: SQLStatement, _ index: Int32) { statement.bind(index, self) }
}

extension Name: SQLArgument {
  package func bind(to statement: SQLStatement, _ index: Int32) { statement.bind(index, self) }
}

extension [UInt8]: SQLArgument {
  package func bind(to statement: SQLStatement, _ index: Int32) { statement.bind(index, self) }
}

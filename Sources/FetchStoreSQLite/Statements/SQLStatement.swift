import FetchStore
internal import FetchValues
internal import SQLiteLibrary
internal import Synchronization

/// A prepared statement of a connection.
package final class SQLStatement: StoreRow {
  private let pointer: OpaquePointer

  init(_ db: SQLConnection, _ sql: String) throws(SQLFault) {
    var pointer: OpaquePointer?
    sqlite3_prepare_v2(db.handle, sql, -1, &pointer, nil)
    guard let pointer else { throw SQLFault(ofConnection: db.handle) }
    self.pointer = pointer
  }

  deinit { sqlite3_finalize(pointer) }

  // MARK: Binding (columns from 1)

  func bind(_ index: Int32, _ number: Int64) { sqlite3_bind_int64(pointer, index, number) }
  func bind(_ index: Int32, _ number: Int) { bind(index, Int64(number)) }
  func bind(_ index: Int32, _ time: Timestamp) { bind(index, time.milliseconds) }

  func bind(_ index: Int32, _ number: Int64?) {
    if let number { bind(index, number) } else { sqlite3_bind_null(pointer, index) }
  }

  func bind(_ index: Int32, _ text: String?) {
    guard var text else { return _ = sqlite3_bind_null(pointer, index) }
    text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { bytes in
        // SQLite would bind text with a null pointer as NULL.
        guard let address = bytes.baseAddress else {
          return _ = sqlite3_bind_text(pointer, index, "", 0, Self.transient)
        }
        _ = sqlite3_bind_text64(
          pointer, index, address, UInt64(bytes.count), Self.transient, UInt8(SQLITE_UTF8))
      }
    }
  }

  func bind<Kind>(_ index: Int32, _ name: Name<Kind>?) { bind(index, name?.text) }

  func bind(_ index: Int32, _ bytes: [UInt8]?) {
    guard let bytes else { return _ = sqlite3_bind_null(pointer, index) }
    if bytes.isEmpty { return _ = sqlite3_bind_zeroblob(pointer, index, 0) }
    _ = sqlite3_bind_blob64(pointer, index, bytes, UInt64(bytes.count), Self.transient)
  }

  // MARK: Stepping

  /// Executes the statement up to its next row. Returns whether there is a row. If this function
  /// returns false or throws, the statement can be executed again.
  func step() throws(SQLFault) -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(pointer)
      return false
    default:
      let fault = SQLFault(ofConnection: sqlite3_db_handle(pointer))
      sqlite3_reset(pointer)
      throw fault
    }
  }

  func run() throws(SQLFault) {
    while try step() {}
  }

  /// Executes the statement with a UTF-8 string at `index`. The string is bound without a copy.
  func run(with utf8: [UInt8], at index: Int32) throws(SQLFault) {
    try utf8.withUnsafeBufferPointer { bytes throws(SQLFault) in
      let text = UnsafeRawBufferPointer(bytes).bindMemory(to: CChar.self)
      guard let address = text.baseAddress else {
        bind(index, "")
        return try run()
      }
      // No destructor (SQLITE_STATIC): the statement is reset before the bytes are freed.
      sqlite3_bind_text64(
        pointer, index, address, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
      defer { sqlite3_bind_null(pointer, index) }
      try run()
    }
  }

  /// Resets a statement whose rows have not all been read.
  func reset() { sqlite3_reset(pointer) }

  // MARK: Columns (from 0)

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }
  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }
  package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  /// Returns the text in a column as it was bound; nil for NULL. Repairs bytes that are not UTF-8:
  /// a damaged file may have such bytes.
  package func text(_ column: Int32) -> String? {
    guard let start = sqlite3_column_text(pointer, column) else { return nil }
    let count = Int(sqlite3_column_bytes(pointer, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package func bytes(_ column: Int32) -> [UInt8]? {
    if isNull(column) { return nil }
    let count = Int(sqlite3_column_bytes(pointer, column))
    guard count > 0, let start = sqlite3_column_blob(pointer, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// SQLITE_TRANSIENT: SQLite copies the value before the call returns.
  private static var transient: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}

/// A result code of SQLite that reports an error.
package struct SQLFault: Error {
  var code: Int32
  var detail: String

  init(code: Int32, detail: String) {
    self.code = code
    self.detail = detail
  }

  /// Creates the fault from the last error of a connection.
  init(ofConnection connection: OpaquePointer?) {
    code = sqlite3_extended_errcode(connection)
    detail = sqlite3_errmsg(connection).map { String(cString: $0) } ?? "unknown error"
  }
}

/// A statement that the writing connection executes repeatedly.
///
/// A connection prepares a statement on first use, because most commands need only a few
/// statements.
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

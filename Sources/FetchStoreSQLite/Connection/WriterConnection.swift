import FetchStore
internal import FetchValues

/// The only writing connection, with its statements.
///
/// It is not Sendable: only its database's queue uses it.
final class WriterConnection {
  let db: SQLConnection
  /// The prepared statements by number.
  private var prepared: [SQLStatement?] = []
  /// The store's files; nil if they could not be found.
  private var files: OpenFiles?
  let path: String

  init(_ db: SQLConnection, files: OpenFiles?, path: String) {
    self.db = db
    self.files = files
    self.path = path
  }

  /// Returns a statement ready for binding, for one user at a time.
  func statement(_ statement: WriterStatement) throws -> SQLStatement {
    let number = statement.number
    if number < prepared.count, let found = prepared[number] { return found }
    let made = try SQLStatement(db, statement.sql)
    while prepared.count <= number { prepared.append(nil) }
    prepared[number] = made
    return made
  }

  var lastInsertedRow: Int64 { db.lastInsertedRow }
  var changedRowCount: Int { db.changedRowCount }

  /// Throws `replaced` if the store's files are no longer those that were opened.
  func checkFiles() throws(StoreError) {
    // A file too damaged to read counts as truncated.
    guard let loss = files?.loss(bytesNeeded: { (try? bytesNeeded()) ?? .max }) else { return }
    var isSaved = false
    // The store itself exists, and the log is still open here.
    if case .logGone = loss {
      // The first column reports whether another connection blocked the checkpoint.
      isSaved = (try? db.integer("PRAGMA wal_checkpoint(FULL)")) == 0
    }
    throw StoreError(loss, path: path, isSaved: isSaved)
  }

  private func bytesNeeded() throws -> Int64 {
    try db.integer("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0
  }

  /// Runs the body in one transaction, which is durable when this returns and rolled back when it
  /// throws.
  func transaction<T>(_ begin: WriterStatement, _ body: () throws -> T) throws -> T {
    try statement(begin).run()
    do {
      let result = try body()
      try statement(.commit).run()
      return result
    } catch {
      // Some errors, such as a full disk, have already ended the transaction.
      if db.isInTransaction { try? statement(.rollback).run() }
      throw error
    }
  }

  /// Returns the cause of an error. Damage may come from a truncated file, and a store that is full
  /// on a disk with room has reached its own limit.
  func explained(_ error: StoreError) -> StoreError {
    if error.isDisk {
      do throws(StoreError) { try checkFiles() } catch { return error }
    }
    guard error.code == .full, StoreFiles.hasRoom(path),
      let pages = try? db.integer("PRAGMA max_page_count")
    else { return error }
    return StoreError(
      .full,
      "the store \(path) has reached its maximum size of \(ByteSize(bytes: pages * Self.pageBytes)): "
        + "raise `size` under `keep` in the config, or let it keep less")
  }

  static let pageBytes: Int64 = 4096
}

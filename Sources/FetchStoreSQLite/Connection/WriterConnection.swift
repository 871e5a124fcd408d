import FetchStore
internal import FetchValues

/// The store's only writing connection, with its prepared statements.
///
/// The class is not Sendable: once the store is open, only the queue of the database uses it.
final class WriterConnection {
  let db: SQLConnection
  /// The prepared statements. The index is `WriterStatement.number`; an entry is nil until its
  /// statement is prepared.
  private var prepared: [SQLStatement?] = []
  /// The store's files, for `checkFiles`; nil if the store's file could not be found.
  private var files: OpenFiles?
  let path: String
  /// The numbers that runs receive when they end.
  var ends = RunEnds()
  /// The memory to store in the ledger at the end of the transaction: see `setShared`.
  var shared = SharedMemory()

  init(_ db: SQLConnection, files: OpenFiles?, path: String) {
    self.db = db
    self.files = files
    self.path = path
  }

  /// Returns a prepared statement that is ready for binding. Only one caller may use it at a time.
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

  /// Throws `replaced` if the store's files were lost: see `OpenFiles.Loss`. Checks nothing if
  /// `files` is nil.
  func checkFiles() throws(StoreError) {
    // If the file has shrunk and cannot be read, it counts as truncated.
    guard let loss = files?.loss(bytesNeeded: { (try? bytesNeeded()) ?? .max }) else { return }
    var isSaved = false
    // The log is still open in this process, so its content can be copied into the store's file.
    if case .logGone = loss {
      // The first column reports whether another connection blocked the checkpoint.
      isSaved = (try? db.integer("PRAGMA wal_checkpoint(FULL)")) == 0
    }
    throw StoreError(loss, path: path, isSaved: isSaved)
  }

  private func bytesNeeded() throws -> Int64 {
    try db.integer("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0
  }

  /// Executes the body in one transaction. When this function returns, the transaction is durable.
  /// If the body throws, the transaction is rolled back.
  func transaction<T>(_ begin: WriterStatement, _ body: () throws -> T) throws -> T {
    try statement(begin).run()
    do {
      let result = try body()
      try writeShared()
      try statement(.commit).run()
      return result
    } catch {
      // Some errors, such as a full disk, have already ended the transaction.
      if db.isInTransaction { try? statement(.rollback).run() }
      ends = RunEnds()
      shared = SharedMemory()
      throw error
    }
  }

  /// Returns the error with its actual cause. The cause of a disk error may be that the store's
  /// files were deleted, replaced or truncated. If the disk has space but the store is full, the
  /// store has reached its own maximum size.
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
        + "raise `size` under `keep` in the config, or keep less data")
  }

  static let pageBytes: Int64 = 4096

  /// The limit of assigned numbers. The store counts as damaged if a number reaches this limit.
  private static let numberMax: Int64 = 1 << 62

  /// Returns the last number that the store has assigned. Throws `corrupt` if the number is
  /// impossible.
  static func checked(_ number: Int64, path: String) throws(StoreError) -> Int64 {
    guard (0..<numberMax).contains(number) else {
      throw StoreError(
        .corrupt,
        "the store \(path) is damaged: it has an impossible number; move it away, or restore a"
          + " copy")
    }
    return number
  }
}

/// The numbers that runs receive when they end.
///
/// Each stored run has one row, and AUTOINCREMENT counts all rows ever inserted. The number of the
/// last ended run is this count minus the number of rows of unfinished runs. No separate counter is
/// therefore needed. The writer remembers the number until a transaction fails.
struct RunEnds {
  private var last: Int64?

  /// Returns the number of the run that ends now.
  mutating func next(_ db: SQLConnection, path: String) throws -> Int64 {
    let number = try WriterConnection.checked(last ?? Self.last(db), path: path) + 1
    last = number
    return number
  }

  /// Returns the number of the last ended run; 0 if no run has ended.
  static func last(_ db: SQLConnection) throws -> Int64 {
    try db.integer(
      """
      SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'runs'), 0)
        - (SELECT count(*) FROM runs INDEXED BY runs_running
          WHERE outcome = '\(StoreSchema.runningWord)')
      """) ?? 0
  }

  /// Whether the store's format numbers the ends of runs. The format is read each time, because
  /// another process may convert the store while a reader has it open.
  static func areStored(_ db: SQLConnection) throws -> Bool {
    try db.integer("PRAGMA user_version").map { $0 >= StoreSchema.endsVersion } ?? false
  }
}

package import FetchStore

extension SQLiteStore {
  /// Opens the store at that path for writing; creates it if there is none.
  ///
  /// - Parameters:
  ///   - pagesMax: the most pages of 4 KiB in the file; nil means the limit of `options.retention`.
  ///   - clock: the clock for waiting for another process.
  ///   - onWait: called once before waiting for another writing process, with its id if known.
  package static func open(
    at path: String, options: StoreOptions = StoreOptions(), pagesMax: Int? = nil,
    clock: any Clock<Duration> = ContinuousClock(), onWait: (Int32?) -> Void = { _ in }
  ) async throws(StoreError) -> SQLiteStore {
    if !options.creates && !StoreFiles.isThere(path) { throw StoreError.missing(path) }
    try StoreFiles.makeFolder(of: path)
    let lock = try await StoreLock.take(
      for: path, waitMax: options.waitMax, clock: clock, onWait: onWait)
    try NewStore.make(at: path)
    do {
      let db = try writingConnection(path)
      // Checked before any write: a newer fetchrun may have written the store.
      let version = try StoreSchema.version(of: db, path: path)
      try makeDurable(db, path: path)
      try StoreSchema.migrate(db, from: version)
      let connection = WriterConnection(db, files: OpenFiles(path), path: path)
      let share = try connection.setLimits(options.retention, pagesMax: pagesMax)
      let recovery = try connection.recover()
      let database = SQLQueue("fetchrun.store", db)
      let queue = WriteQueue(database, connection: connection, path: path)
      return SQLiteStore(
        reader: StoreReader(sharing: database, path: path), lock: lock, queue: queue,
        recovery: recovery, jobBytesMax: share)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Makes commits durable and readers independent: in WAL mode readers never block a writer, and
  /// `synchronous=FULL` makes every commit durable.
  private static func makeDurable(_ db: SQLConnection, path: String) throws {
    guard try db.text("PRAGMA journal_mode = WAL") == "wal" else {
      throw StoreError(
        .unreachable,
        "the store \(path) cannot be used: its file system has no shared memory"
          + " (is it a network share?): keep it on a local disk")
    }
    try db.execute("PRAGMA synchronous = FULL")
  }

  /// Opens a connection without a memory map, in which an I/O error would be a signal.
  private static func writingConnection(_ path: String) throws -> SQLConnection {
    let connection = try SQLConnection(at: path, .readWrite)
    // The file may be another program's, which a statement could change.
    try StoreHeader.check(connection, path: path)
    try connection.execute(
      """
      PRAGMA mmap_size = 0; PRAGMA foreign_keys = 1; PRAGMA wal_autocheckpoint = \(logPages)
      """)
    return connection
  }

  /// The pages of the log, 16 MB, after which it is copied into the store: a page that many runs
  /// change is copied only once. With SQLite's 1,000 pages, 10,000 runs without news, of jobs in
  /// random order, take a tenth longer.
  private static let logPages = 4000
}

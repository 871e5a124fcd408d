package import FetchStore

extension SQLiteStore {
  /// Opens the store at the path for writing. Creates a missing store if `options.creates` is true;
  /// otherwise throws `missing`.
  ///
  /// - Parameters:
  ///   - pagesMax: the maximum number of pages in the file, of 4 KiB each; nil means that the
  ///     retention sets the maximum size.
  ///   - clock: the clock for waiting for another process.
  ///   - onWait: called at most once while waiting for another process that writes the store.
  ///     Receives that process's id; nil if the id is unknown.
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
      // The version is checked before any write, since a newer fetchrun may have written the store.
      let version = try StoreSchema.version(of: db, path: path)
      try makeDurable(db, path: path)
      try StoreSchema.migrate(db, from: version)
      let connection = WriterConnection(db, files: OpenFiles(path), path: path)
      let share = try connection.setLimits(options.retention, pagesMax: pagesMax)
      let recovery = try connection.transaction(.begin) { try connection.recover() }
      let database = SQLQueue("fetchrun.store", db)
      let queue = WriteQueue(database, connection: connection, path: path)
      return SQLiteStore(
        reader: StoreReader(sharing: database, path: path), lock: lock, queue: queue,
        recovery: recovery, jobBytesMax: share)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Sets the modes of the database. In WAL mode, readers never block a writer. With
  /// `synchronous=FULL`, every commit is durable.
  private static func makeDurable(_ db: SQLConnection, path: String) throws {
    guard try db.text("PRAGMA journal_mode = WAL") == "wal" else {
      throw StoreError(
        .unreachable,
        "the store \(path) cannot be used: its file system has no shared memory"
          + " (is it a network share?): keep the store on a local disk")
    }
    try db.execute("PRAGMA synchronous = FULL")
  }

  /// Opens a connection without a memory map, since an I/O error in a memory map would raise a
  /// signal.
  private static func writingConnection(_ path: String) throws -> SQLConnection {
    let connection = try SQLConnection(at: path, .readWrite)
    // The file is checked first. It may be another program's database, and a statement could change
    // it.
    try StoreHeader.check(connection, path: path)
    try connection.execute(
      """
      PRAGMA mmap_size = 0; PRAGMA foreign_keys = 1; PRAGMA wal_autocheckpoint = \(logPages)
      """)
    return connection
  }

  /// The length of the log, in pages, at which SQLite copies the log into the store: 4,000 pages
  /// have 16 MB. With a long log, a page that many runs change is copied less often. With 1,000
  /// pages, SQLite's default, 10,000 runs without news take a tenth longer if their jobs are in
  /// random order.
  private static let logPages = 4000
}

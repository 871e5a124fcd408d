package import FetchStore

extension SQLiteStore {
  /// Opens the store at that path for writing, and makes it where there is none.
  ///
  /// - Parameters:
  ///   - pagesMax: the file never grows beyond so many pages of 4 KiB; nil: as `options.retention` has
  ///     it.
  ///   - clock: what waiting for another process is measured by.
  ///   - onWait: called once when another process writes to it, with that process's id where known,
  ///     before waiting for it.
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
      // Before anything is written: it may be of a newer fetchrun.
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

  /// Readers never block a writer in WAL mode, and `synchronous=FULL` makes every commit durable in
  /// it.
  private static func makeDurable(_ db: SQLConnection, path: String) throws {
    guard try db.text("PRAGMA journal_mode = WAL") == "wal" else {
      throw StoreError(
        .unreachable,
        "the store \(path) cannot be used: its file system has no shared memory for it"
          + " (is it a network share?)")
    }
    try db.execute("PRAGMA synchronous = FULL")
  }

  /// No memory map, since an I/O error would then be a signal.
  private static func writingConnection(_ path: String) throws -> SQLConnection {
    let connection = try SQLConnection(at: path, .readWrite)
    // It may be another program's, which a statement could change.
    try StoreHeader.check(connection, path: path)
    try connection.execute(
      """
      PRAGMA mmap_size = 0; PRAGMA foreign_keys = 1; PRAGMA wal_autocheckpoint = \(logPages)
      """)
    return connection
  }

  /// Copied into the store when its log has so many pages, 16 MB: a page that many runs change is
  /// copied once for all of them. With SQLite's 1,000 pages, 10,000 runs that find nothing new, of
  /// jobs in no order of the store, take a tenth longer.
  private static let logPages = 4000
}

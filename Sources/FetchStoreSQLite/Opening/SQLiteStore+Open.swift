package import FetchStore
internal import GRDB
internal import GRDBSQLite

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
    if !options.creates && !StoreFiles.isThere(path) { throw StoreReader.missing(path) }
    try StoreFiles.makeFolder(of: path)
    let lock = try await StoreLock.take(
      for: path, waitMax: options.waitMax, clock: clock, onWait: onWait)
    try StoreFiles.makeStore(path)
    do {
      let database = try DatabaseQueue(
        path: path, configuration: writerConfiguration(path: path))
      let (connection, share, recovery) = try database.inDatabase { db in
        // Before anything is written: the file may be somebody else's.
        let version = try StoreReader.version(db, path: path, mayBeEmpty: true)
        try makeDurable(db, path: path)
        try StoreSchema.migrate(db, from: version)
        let connection = WriterConnection(db, files: OpenFiles(path), path: path)
        let share = try connection.setLimits(options.retention, pagesMax: pagesMax)
        if version == 0 { return (connection, share, StoreRecovery()) }
        return (connection, share, try connection.recover())
      }
      let queue = WriteQueue(database, connection: connection, path: path)
      return SQLiteStore(
        reader: StoreReader(sharing: database, path: path), lock: lock, queue: queue,
        recovery: recovery, jobBytesMax: share)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Readers never block a writer in WAL mode, and `synchronous=FULL` makes every commit durable in
  /// it. Set here, not by GRDB's `journalMode`, which sets `synchronous=NORMAL` after all others.
  private static func makeDurable(_ db: Database, path: String) throws {
    guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
      throw StoreError(
        .unreachable,
        "the store \(path) cannot be used: its file system has no shared memory for it"
          + " (is it a network share?)")
    }
    try db.execute(sql: "PRAGMA synchronous = FULL")
  }

  /// No memory map, since an I/O error would then be a signal.
  private static func writerConfiguration(path: String) -> Configuration {
    var configuration = Configuration()
    configuration.label = "fetchrun.store"
    configuration.busyMode = .timeout(busyTimeoutSeconds)
    configuration.prepareDatabase { db in
      let header = try StoreHeader(of: db, path: path)
      // It may be another program's, which opening it for writing could change.
      if header.applicationID == 0 { try StoreReader.checkOwner(of: path) }
      // GRDB has each statement tell of every table and column it touches. Nobody asks for that.
      sqlite3_set_authorizer(db.sqliteConnection, nil, nil)
      try db.execute(sql: "PRAGMA mmap_size = 0")
      try db.execute(sql: "PRAGMA wal_autocheckpoint = \(logPages)")
    }
    return configuration
  }

  /// Copied into the store when its log has so many pages, 16 MB: a page that many runs change is
  /// copied once for all of them. With SQLite's 1,000 pages, 10,000 runs that find nothing new, of
  /// jobs in no order of the store, take a tenth longer.
  private static let logPages = 4000

  /// Readers hold SQLite's locks for moments only (recovery after a crash).
  static let busyTimeoutSeconds = 10.0
}

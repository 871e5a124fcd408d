package import FetchStore

/// A store that is open for reading. The reader does not change the store's data, and works while
/// another process writes. It takes the store's lock only briefly, to check whether another process
/// writes the store.
///
/// Each call blocks until it has read its data. Each `read` sees the store at one instant; a few
/// calls consist of several reads.
package final class StoreReader: Sendable {
  package let path: String
  let database: SQLQueue
  /// Whether the reader shares the writing connection of this process.
  let isWriters: Bool
  /// Whether the store's format had job identities (version 11 or later) when the reader was
  /// created. A reader does not convert older stores.
  let hasIdentities: Bool

  /// Opens the store for reading. Throws `missing` if there is no store at the path.
  package init(at path: String) throws(StoreError) {
    guard StoreFiles.isThere(path) else { throw StoreError.missing(path) }
    self.path = path
    isWriters = false
    do {
      let connection = try Self.connection(path)
      hasIdentities = try StoreSchema.version(of: connection, path: path) >= 11
      database = SQLQueue("fetchrun.reader", connection)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  private static func connection(_ path: String) throws -> SQLConnection {
    let connection = try SQLConnection(at: path, .readOnly)
    try StoreHeader.check(connection, path: path)
    try connection.execute("PRAGMA mmap_size = 0")
    return connection
  }

  /// Creates a reader that shares the writing connection of a store. Such a store always has the
  /// present format.
  init(sharing database: SQLQueue, path: String) {
    self.path = path
    self.database = database
    isWriters = true
    hasIdentities = true
  }

  /// Executes the body, whose reads all see the store at one instant.
  func read<T>(_ body: (SQLConnection) throws -> T) throws(StoreError) -> T {
    do { return try database.read(body) } catch { throw StoreError(error, path: path) }
  }

  /// Returns the faults that SQLite finds in the file, at most `faultsMax`, in SQLite's words. The
  /// list is empty if the file is sound.
  package func check() throws(StoreError) -> [String] {
    try read { db in
      try db.texts("PRAGMA integrity_check(\(Self.faultsMax))")
        .filter { $0 != "ok" }
    }
  }

  private static let faultsMax = 20

  package func facts() throws(StoreError) -> StoreFacts {
    try read { db in
      let pages = try db.integer("PRAGMA page_count") ?? 0
      let version = try db.text("SELECT sqlite_version()") ?? ""
      return StoreFacts(
        format: Int(clamping: try db.integer("PRAGMA user_version") ?? 0),
        database: "SQLite \(version)",
        byteCount: pages * (try db.integer("PRAGMA page_size") ?? 0))
    }
  }
}

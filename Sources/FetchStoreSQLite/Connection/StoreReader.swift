package import FetchStore

/// The store, opened to be read: writes nothing, and works while a process writes. It takes no lock
/// but to see, for a moment, whether a process writes that has runs under way.
///
/// Calls block until they have read; each sees the store as of one instant.
package final class StoreReader: Sendable {
  package let path: String
  let database: SQLQueue
  /// Whether it reads by a connection that writes.
  let isWriters: Bool
  /// Whether jobs may have identities: those of format 11 may. A reader converts no store.
  let hasIdentities: Bool

  /// Throws `missing` when there is no store.
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

  /// Reads by a connection that writes, in its turn; its store is of this version.
  init(sharing database: SQLQueue, path: String) {
    self.path = path
    self.database = database
    isWriters = true
    hasIdentities = true
  }

  /// Reads at one instant.
  func read<T>(_ body: (SQLConnection) throws -> T) throws(StoreError) -> T {
    do { return try database.read(body) } catch { throw StoreError(error, path: path) }
  }

  /// What SQLite finds wrong with the file, in its own words; empty when it is sound.
  package func check() throws(StoreError) -> [String] {
    try read { db in
      try db.texts("PRAGMA integrity_check(\(Self.faultsMax))")
        .filter { $0 != "ok" }
    }
  }

  private static let faultsMax = 20
}

package import FetchStore

/// A store that is open for reading. It writes nothing, and works while a process writes. Its only
/// lock is a brief one, to check whether a writing process has active runs.
///
/// Calls block until they have read; each sees the store at one instant.
package final class StoreReader: Sendable {
  package let path: String
  let database: SQLQueue
  /// Whether it shares a writing connection.
  let isWriters: Bool
  /// Whether jobs may have identities, as they may from format 11 on. A reader converts no store.
  let hasIdentities: Bool

  /// Opens the store; throws `missing` if there is none.
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

  /// Creates a reader that shares a writing connection, in its turn; the store has this version.
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

  /// Returns the faults that SQLite finds in the file, in SQLite's words; empty if it is sound.
  package func check() throws(StoreError) -> [String] {
    try read { db in
      try db.texts("PRAGMA integrity_check(\(Self.faultsMax))")
        .filter { $0 != "ok" }
    }
  }

  private static let faultsMax = 20
}

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
  /// How many migrations the store has been through: a reader makes none.
  private let version: Int

  /// Throws `missing` when there is no store.
  package init(at path: String) throws(StoreError) {
    guard StoreFiles.isThere(path) else { throw StoreError.missing(path) }
    self.path = path
    isWriters = false
    do {
      let connection = try Self.connection(path)
      version = try StoreSchema.version(of: connection, path: path, mayBeEmpty: false)
      database = SQLQueue("fetchrun.reader", connection)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  private static func connection(_ path: String) throws -> SQLConnection {
    let connection = try SQLConnection(at: path, .readOnly)
    _ = try StoreHeader(of: connection, path: path)
    try connection.execute("PRAGMA mmap_size = 0")
    return connection
  }

  /// Throws `corrupt` where the database at that path is another program's, and writes nothing.
  static func checkOwner(of path: String) throws {
    do {
      _ = try StoreSchema.version(of: try connection(path), path: path, mayBeEmpty: true)
    } catch let fault as SQLFault where fault.isUnfinishedTransaction {
      // An early build was killed while it made the store: whoever writes rolls that back.
    }
  }

  /// Reads by a connection that writes, in its turn; its store is of this version.
  init(sharing database: SQLQueue, path: String) {
    self.path = path
    self.database = database
    isWriters = true
    version = StoreSchema.version
  }

  /// Whether the store has what the scheduler remembers.
  var hasScheduling: Bool { version >= 2 }
  /// Whether what was learned stands in a table of its own.
  var hasLearned: Bool { version >= 3 }

  var hasTransfers: Bool { version >= 4 }
  var hasOutbox: Bool { version >= 6 }
  /// Whether transfers may have secrets.
  var hasSealed: Bool { version >= 7 }

  var hasGrants: Bool { version >= 8 }
  /// Whether jobs may have identities.
  var hasIdentities: Bool { version >= 11 }

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

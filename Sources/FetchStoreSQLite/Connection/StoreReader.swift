package import FetchStore
internal import GRDB

/// The store, opened to be read: writes nothing, and works while a process writes. It takes no lock
/// but to see, for a moment, whether a process writes that has runs under way.
///
/// Calls block until they have read; each sees the store as of one instant.
package final class StoreReader: Sendable {
  package let path: String
  let database: DatabaseQueue
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
      database = try DatabaseQueue(path: path, configuration: Self.configuration(path))
      version = try database.inDatabase {
        try StoreSchema.version(of: $0, path: path, mayBeEmpty: false)
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  private static func configuration(_ path: String) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.label = "fetchrun.reader"
    configuration.busyMode = .timeout(SQLiteStore.busyTimeoutSeconds)
    configuration.prepareDatabase { db in
      _ = try StoreHeader(of: db, path: path)
      try db.execute(sql: "PRAGMA mmap_size = 0")
    }
    return configuration
  }

  /// Throws `corrupt` where the database at that path is another program's, and writes nothing.
  static func checkOwner(of path: String) throws {
    do {
      let database = try DatabaseQueue(path: path, configuration: configuration(path))
      _ = try database.inDatabase { try StoreSchema.version(of: $0, path: path, mayBeEmpty: true) }
    } catch let error as DatabaseError
      where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
    {
      // An early build was killed while it made the store: whoever writes rolls that back.
    }
  }

  /// Reads by a connection that writes, in its turn; its store is of this version.
  init(sharing database: DatabaseQueue, path: String) {
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
  func read<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
    do { return try database.read(body) } catch { throw StoreError(error, path: path) }
  }

  /// What SQLite finds wrong with the file, in its own words; empty when it is sound.
  package func check() throws(StoreError) -> [String] {
    try read { db in
      try String.fetchAll(db, sql: "PRAGMA integrity_check(\(Self.faultsMax))")
        .filter { $0 != "ok" }
    }
  }

  private static let faultsMax = 20
}

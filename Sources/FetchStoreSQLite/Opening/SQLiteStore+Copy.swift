package import FetchStore
package import FetchValues

extension SQLiteStore {
  /// Creates a separate store at the path. The new store has the present data of one job: its
  /// items, state, validators, grants and transfers. It also has the ledger and the cooldowns of
  /// all origins. The source store is not changed, and another process may write it at the same
  /// time.
  ///
  /// If the source does not exist, the new store is empty. Throws `rejected` if the source has an
  /// older format.
  package static func copy(
    ofJob job: JobName, from store: String, to path: String
  ) async throws(StoreError) -> SQLiteStore {
    let empty = try await open(at: path)
    guard StoreFiles.isThere(store) else { return empty }
    try await empty.close()
    // The reader throws the usual errors if the file is not a store, or if a newer version of
    // fetchrun has written it.
    _ = try StoreReader(at: store)
    do {
      try fill(try SQLConnection(at: path, .readWrite), job, from: store)
    } catch {
      throw StoreError(error, path: store)
    }
    return try await open(at: path)
  }

  private static func fill(_ db: SQLConnection, _ job: JobName, from store: String) throws {
    try db.run("ATTACH DATABASE ? AS other", store)
    let version = try db.integer("PRAGMA other.user_version")
    guard version == Int64(StoreSchema.version) else {
      throw StoreError(
        .rejected,
        "the store \(store) was written by an older fetchrun: any run other than a dry run upgrades"
          + " it")
    }
    try db.transaction {
      let ofJob = "job IN (SELECT id FROM other.jobs WHERE name = ?1)"
      let parts = [
        ("jobs", "name = ?1"), ("items", ofJob), ("validators", ofJob), ("grants", ofJob),
        ("transfers", ofJob),
        ("changes", "sequence IN (SELECT sequence FROM other.items WHERE \(ofJob))"),
      ]
      for (table, condition) in parts {
        try db.run("INSERT INTO main.\(table) SELECT * FROM other.\(table) WHERE \(condition)", job)
      }
      // These tables contain the grants of hooks, and the origins that have a cooldown.
      for table in ["ledger", "origins"] {
        try db.execute("INSERT OR REPLACE INTO main.\(table) SELECT * FROM other.\(table)")
      }
    }
    try db.execute("DETACH DATABASE other")
  }
}

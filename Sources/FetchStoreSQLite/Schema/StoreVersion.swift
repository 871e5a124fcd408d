import FetchStore

extension StoreSchema {
  /// How many migrations the store has been through.
  static func version(of db: SQLConnection, path: String, mayBeEmpty: Bool) throws -> Int {
    let version = Int(clamping: try db.integer("PRAGMA user_version") ?? 0)
    let application = try db.integer("PRAGMA application_id") ?? 0
    guard application == applicationID else {
      if try application == 0 && isEmpty(db) {
        if mayBeEmpty { return 0 }
        throw StoreError.missing(path)
      }
      throw StoreHeader.foreign(path)
    }
    guard version <= Self.version else {
      throw StoreError(
        .newer,
        "the store \(path) was written by a newer fetchrun (format \(version), this one "
          + "knows \(Self.version)): use that one")
    }
    // They wrote the number after the tables: without it, it is the first.
    return max(version, 1)
  }

  /// The first builds kept their migrations in tables of their own, made before the store's: a
  /// process of theirs that was killed between the two has made no store yet.
  private static func isEmpty(_ db: SQLConnection) throws -> Bool {
    let count = try db.integer(
      """
      SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'grdb@_%' ESCAPE '@'
        AND name NOT LIKE 'sqlite@_%' ESCAPE '@'
      """)
    return count == 0
  }
}

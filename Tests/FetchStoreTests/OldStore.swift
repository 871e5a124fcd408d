import FetchStoreSQLite
import Testing

/// A conversion of a store back to the formats of earlier versions.
enum OldStore {
  /// The SQL that reverses the step to each version, newest first.
  private static let steps: [(version: Int, sql: String)] = [
    (
      14,
      """
      DROP INDEX transfers_pending;
      CREATE UNIQUE INDEX transfers_pending ON transfers (job, path)
        WHERE state IN ('queued', 'running', 'waiting')
      """
    ),
    (13, "DROP TABLE subscriptions"),
    (12, "ALTER TABLE runs DROP COLUMN ended"),
    (11, "DROP INDEX jobs_by_identity; ALTER TABLE jobs DROP COLUMN identity"),
    (10, "ALTER TABLE jobs DROP COLUMN bytes"),
  ]

  /// The earlier versions to which a store can be converted.
  static var versions: [Int] { steps.map { $0.version - 1 } }

  /// Converts a closed store back to the format of `version`.
  static func takeBack(_ path: String, to version: Int) throws {
    let store = try SQLConnection(at: path, .readWrite)
    #expect(try store.integer("PRAGMA user_version") == steps.first.map { Int64($0.version) })
    for step in steps where step.version > version { try store.execute(step.sql) }
    try store.execute("PRAGMA user_version = \(version)")
  }

  /// Returns the definitions of a store's tables and indexes, by name.
  static func shape(of path: String) throws -> [String: [String]] {
    let store = try SQLConnection(at: path, .readOnly)
    var shape: [String: [String]] = [:]
    for name in try store.texts("SELECT name FROM sqlite_schema") {
      shape[name] = try store.texts(
        """
        SELECT json_array(cid, name, type, "notnull", dflt_value, pk) FROM pragma_table_info(?)
        """, name)
      // A table's own SQL shows how its columns were added, so the columns are compared instead.
      shape[name]?.append(
        contentsOf: try store.texts(
          "SELECT sql FROM sqlite_schema WHERE name = ? AND type <> 'table'", name))
    }
    return shape
  }
}

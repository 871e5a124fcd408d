import FetchStoreSQLite
import Testing

/// Makes stores as earlier versions left them, from one of this version.
enum OldStore {
  /// How the step to each version is taken back, newest first.
  private static let steps: [(version: Int, sql: String)] = [
    (11, "DROP INDEX jobs_by_identity; ALTER TABLE jobs DROP COLUMN identity"),
    (10, "ALTER TABLE jobs DROP COLUMN bytes"),
  ]

  /// The versions before this one that can be converted.
  static var versions: [Int] { steps.map { $0.version - 1 } }

  /// Takes a store, which nobody has open, back to that version.
  static func takeBack(_ path: String, to version: Int) throws {
    let store = try SQLConnection(at: path, .readWrite)
    #expect(try store.integer("PRAGMA user_version") == steps.first.map { Int64($0.version) })
    for step in steps where step.version > version { try store.execute(step.sql) }
    try store.execute("PRAGMA user_version = \(version)")
  }

  /// What each table and index of a store is made of, by name.
  static func shape(of path: String) throws -> [String: [String]] {
    let store = try SQLConnection(at: path, .readOnly)
    var shape: [String: [String]] = [:]
    for name in try store.texts("SELECT name FROM sqlite_schema") {
      shape[name] = try store.texts(
        """
        SELECT json_array(cid, name, type, "notnull", dflt_value, pk) FROM pragma_table_info(?)
        """, name)
      // A table's own text keeps how its columns came to it.
      shape[name]?.append(
        contentsOf: try store.texts(
          "SELECT sql FROM sqlite_schema WHERE name = ? AND type <> 'table'", name))
    }
    return shape
  }
}

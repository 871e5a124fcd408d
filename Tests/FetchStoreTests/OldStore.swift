import GRDB
import Testing

/// Makes stores as earlier versions left them, from one of this version.
enum OldStore {
  /// How the step to each version is taken back, newest first.
  private static let steps: [(version: Int, sql: String)] = [
    (11, "DROP INDEX jobs_by_identity; ALTER TABLE jobs DROP COLUMN identity"),
    (10, "ALTER TABLE jobs DROP COLUMN bytes"),
    (9, "ALTER TABLE kept_runs DROP COLUMN answerless"),
    (8, "DROP TABLE grants"),
    (7, "ALTER TABLE transfers DROP COLUMN sealed"),
    (6, "DROP TABLE outbox"),
    (5, "DROP TABLE kept_runs"),
    (4, "DROP TABLE transfers"),
    (3, "DROP TABLE learned"),
    (2, "DROP TABLE ledger; DROP TABLE skips; ALTER TABLE jobs DROP COLUMN schedule"),
  ]

  /// All versions before this one.
  static var versions: [Int] { steps.map { $0.version - 1 } }

  /// Takes a store, which nobody has open, back to that version.
  static func takeBack(_ path: String, to version: Int) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == steps.first?.version)
      for step in steps where step.version > version { try db.execute(sql: step.sql) }
      try db.execute(sql: "PRAGMA user_version = \(version)")
    }
    try queue.close()
  }

  /// What each table and index of a store is made of, by name.
  static func shape(of path: String) throws -> [String: [String]] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { db in
      let names = try Row.fetchAll(db, sql: "SELECT name, type, sql FROM sqlite_schema")
      var shape: [String: [String]] = [:]
      for row in names {
        let name: String = row["name"]
        let columns = try Row.fetchAll(
          db, sql: "SELECT * FROM pragma_table_info(?)", arguments: [name])
        shape[name] = columns.map(\.description)
        // A table's own text keeps how its columns came to it.
        if row["type"] != "table" { shape[name]?.append(row["sql"] ?? "") }
      }
      return shape
    }
  }
}

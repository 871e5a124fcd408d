import FetchStore
import Testing

@testable import FetchStoreSQLite

/// Tests of the behaviour of the SQLite connection that the store needs.
@Suite struct SQLConnectionTests {
  private let folder: TemporaryFolder
  private let db: SQLConnection

  init() throws {
    folder = try TemporaryFolder()
    db = try SQLConnection(at: folder.file("test.sqlite"), .create)
    try db.execute("CREATE TABLE t (x UNIQUE); INSERT INTO t VALUES (1), ('two'), (NULL)")
  }

  @Test func `arguments and values have SQLite's types`() throws {
    #expect(try db.integer("SELECT ? + ?", 1, Int64.max - 1) == .max)
    #expect(try db.text("SELECT ? || x FROM t WHERE x = ?", "ä\0", "two") == "ä\0two")
    #expect(try db.texts("SELECT x FROM t ORDER BY rowid") == ["1", "two"])
    #expect(try db.integers("SELECT rowid FROM t") == [1, 2, 3])
    #expect(try db.integer("SELECT x FROM t WHERE rowid = 3") == nil)
    #expect(try db.integer("SELECT x FROM t WHERE rowid = 4") == nil)
    try db.run("DELETE FROM t WHERE rowid >= ?", 2)
    #expect(db.changedRowCount == 2)
  }

  @Test func `an error has the extended code and the message of SQLite`() throws {
    let duplicate = #expect(throws: SQLFault.self) { try db.run("INSERT INTO t VALUES (?)", 1) }
    #expect(duplicate?.code == 2067)
    #expect(duplicate?.detail == "UNIQUE constraint failed: t.x")
    let unreadable = #expect(throws: SQLFault.self) { try db.execute("SELECT 1; nonsense") }
    #expect(unreadable?.code == 1)
    #expect(unreadable?.detail == #"near "nonsense": syntax error"#)
    let missing = #expect(throws: SQLFault.self) {
      try SQLConnection(at: folder.file("missing.sqlite"), .readWrite)
    }
    #expect(missing?.code == 14)
    #expect(missing?.detail == "unable to open database file")
  }

  @Test func `a transaction whose body throws is rolled back`() throws {
    #expect(throws: CancellationError.self) {
      try db.transaction {
        try db.execute("DELETE FROM t")
        throw CancellationError()
      }
    }
    #expect(!db.isInTransaction)
    #expect(try db.integer("SELECT count(*) FROM t") == 3)
    try db.transaction("BEGIN IMMEDIATE") { try db.execute("DELETE FROM t") }
    #expect(try db.integer("SELECT count(*) FROM t") == 0)
  }

  @Test func `a closed store cannot be read`() async throws {
    let path = folder.file("store.sqlite")
    let store = try await SQLiteStore.open(at: path)
    try await store.close()
    try await store.close()
    #expect(
      #expect(throws: StoreError.self) { try store.reader.runs() }
        == StoreError(.closed, "the store \(path) was closed"))
  }

  @Test func `the writer checks foreign keys and syncs each commit`() async throws {
    let store = try await SQLiteStore.open(at: folder.file("store.sqlite"))
    for (pragma, value) in [("foreign_keys", 1), ("synchronous", 2), ("mmap_size", 0)] {
      #expect(
        try store.reader.read { try $0.integer("PRAGMA \(pragma)") } == Int64(value), "\(pragma)")
    }
    #expect(try store.reader.read { try $0.text("PRAGMA journal_mode") } == "wal")
  }
}

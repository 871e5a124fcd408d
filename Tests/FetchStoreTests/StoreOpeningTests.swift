import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchValues
import Foundation
import GRDB
import Testing

@Suite struct StoreOpeningTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("deep/er/store.sqlite")
  }

  private func code(_ body: () async throws -> Void) async -> StoreError.Code? {
    do { try await body() } catch { return (error as? StoreError)?.code }
    return nil
  }

  private func impatient() -> StoreOptions {
    var options = StoreOptions()
    options.waitMax = .zero
    return options
  }

  @Test func `only the owner can read the store and its folder`() async throws {
    let store = try await SQLiteStore.open(at: path)
    try await Runs.run(1, store, items: [Runs.item("a")])
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(folder.file("deep")) == 0o700)
    #expect(try mode(folder.file("deep/er")) == 0o700)
    for suffix in ["", "-wal", "-shm", ".lock"] { #expect(try mode(path + suffix) == 0o600) }
  }

  @Test func `what was stored is there when the store is opened again`() async throws {
    let store = try await SQLiteStore.open(at: path)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try await store.close()
    #expect(await code { try await Runs.run(2, store, items: []) } == .closed)
    let again = try await SQLiteStore.open(at: path)
    #expect(try await Runs.run(2, again, items: [Runs.item("a")]) == .noData(.sameItems))
  }

  @Test(arguments: OldStore.versions)
  func `a store of each earlier version becomes what a new one is`(_ version: Int) async throws {
    try await SQLiteStore.open(at: path).close()
    let new = try OldStore.shape(of: path)
    try OldStore.takeBack(path, to: version)
    #expect(try OldStore.shape(of: path) != new)
    try await SQLiteStore.open(at: path).close()
    #expect(try OldStore.shape(of: path) == new)
  }

  @Test func `a second writer waits for the first, and says for whom`() async throws {
    let first = try await SQLiteStore.open(at: path)
    var told: [Int32?] = []
    let error = await #expect(throws: StoreError.self) {
      _ = try await SQLiteStore.open(at: path, options: impatient()) { told.append($0) }
    }
    #expect(
      error?.message == "the store \(path) is being written by process \(getpid()): "
        + "wait for it to end, or use another store")
    #expect(told.isEmpty)
    try await first.close()
    _ = try await SQLiteStore.open(at: path, options: impatient())
  }

  @Test func `readers need no lock and see what was committed`() async throws {
    let store = try await SQLiteStore.open(at: path)
    let reader = try StoreReader(at: path)
    #expect(try reader.items(ItemQuery()).isEmpty)
    try await Runs.run(1, store, items: [Runs.item("a")])
    #expect(try reader.items(ItemQuery()).count == 1)
    try await store.close()
    #expect(try StoreReader(at: path).items(ItemQuery()).count == 1)
  }

  @Test func `a reader never changes a store`() async throws {
    try await SQLiteStore.open(at: path).close()
    let before = try Data(contentsOf: URL(filePath: path))
    _ = try StoreReader(at: path).runs()
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `a store that is not there is missing for readers and made for writers`() async throws
  {
    #expect(await code { _ = try StoreReader(at: path) } == .missing)
    var options = StoreOptions()
    options.creates = false
    #expect(await code { _ = try await SQLiteStore.open(at: path, options: options) } == .missing)
    #expect(!FileManager.default.fileExists(atPath: folder.file("deep")))
  }

  @Test(arguments: [
    "text, not a database, and long enough to be sure of it", "SQLite format 3\0xx",
  ])
  func `a file of something else is refused and left alone`(content: String) async throws {
    let path = folder.file("store.sqlite")
    let bytes = Data((content + String(repeating: " x", count: 4000)).utf8)
    try bytes.write(to: URL(filePath: path))
    #expect(await code { _ = try await SQLiteStore.open(at: path) } == .corrupt)
    #expect(await code { _ = try StoreReader(at: path) } == .corrupt)
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
  }

  @Test func `an empty file is refused and left alone`() async throws {
    let path = folder.file("store.sqlite")
    try Data().write(to: URL(filePath: path))
    let message =
      "the store \(path) is an empty file: restore a copy of it, or remove it to begin a new store, "
      + "to which all items are news"
    #expect(
      await #expect(throws: StoreError.self) { _ = try await SQLiteStore.open(at: path) }
        == StoreError(.corrupt, message))
    #expect(
      #expect(throws: StoreError.self) { try StoreReader(at: path) }
        == StoreError(.corrupt, message))
    #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
  }

  @Test func `the log of a store that is gone is not mixed into a new one`() async throws {
    let path = folder.file("store.sqlite")
    try Data("what was stored last".utf8).write(to: URL(filePath: path + "-wal"))
    let error = await #expect(throws: StoreError.self) { _ = try await SQLiteStore.open(at: path) }
    #expect(
      error
        == StoreError(
          .corrupt,
          "the store \(path) is gone, but its log \(path)-wal is there: restore a copy of the store, "
            + "or remove the log to begin a new store, to which all items are news"))
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try Data(contentsOf: URL(filePath: path + "-wal")).count == 20)
  }

  @Test(arguments: [1, 0x1234_5678])
  func `another program's log is not written into its database`(application: Int) async throws {
    let path = folder.file("store.sqlite")
    let other = try DatabaseQueue(path: path)
    let (main, log) = try await other.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
      if application > 1 { try db.execute(sql: "PRAGMA application_id = \(application)") }
      // As after a crash.
      return try (
        Data(contentsOf: URL(filePath: path)), Data(contentsOf: URL(filePath: path + "-wal"))
      )
    }
    let copy = folder.file("copy.sqlite")
    try main.write(to: URL(filePath: copy))
    try log.write(to: URL(filePath: copy + "-wal"))
    #expect(await code { _ = try await SQLiteStore.open(at: copy) } == .corrupt)
    #expect(try Data(contentsOf: URL(filePath: copy)) == main)
    #expect(try Data(contentsOf: URL(filePath: copy + "-wal")) == log)
    try other.close()
  }

  @Test func `what a process left that was killed while it made a store is in nobody's way`()
    async throws
  {
    let path = folder.file("store.sqlite")
    try Data(count: 4096).write(to: URL(filePath: path + ".new"))
    #expect(await code { _ = try StoreReader(at: path) } == .missing)
    let store = try await SQLiteStore.open(at: path)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try await store.close()
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
        == ["store.sqlite", "store.sqlite.lock"])
  }

  @Test func `another program's database is refused and left alone`() async throws {
    let path = folder.file("store.sqlite")
    let other = try DatabaseQueue(path: path)
    try await other.write { try $0.execute(sql: "CREATE TABLE t (x)") }
    try other.close()
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(await code { _ = try await SQLiteStore.open(at: path) } == .corrupt)
    #expect(await code { _ = try StoreReader(at: path) } == .corrupt)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `a store that was killed before its first table was made is made anew`() async throws {
    let path = folder.file("store.sqlite")
    let begun = try DatabaseQueue(path: path)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("never") { _ in throw CancellationError() }
    #expect(throws: CancellationError.self) { try migrator.migrate(begun) }
    try begun.close()
    #expect(await code { _ = try StoreReader(at: path) } == .missing)
    let store = try await SQLiteStore.open(at: path)
    try await Runs.run(1, store, items: [Runs.item("a")])
  }

  @Test func `a store that was killed before it had tables is made anew`() async throws {
    let path = folder.file("store.sqlite")
    let begun = try DatabaseQueue(path: path)
    let mode = try await begun.writeWithoutTransaction { db in
      try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
    }
    try begun.close()
    #expect(mode == "wal")
    #expect(await code { _ = try StoreReader(at: path) } == .missing)
    let store = try await SQLiteStore.open(at: path)
    try await Runs.run(1, store, items: [Runs.item("a")])
    #expect(try store.reader.check().isEmpty)
  }

  @Test func `a store behind a symbolic link is made where the link points`() async throws {
    let (link, target) = (folder.file("link.sqlite"), folder.file("target.sqlite"))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let store = try await SQLiteStore.open(at: link)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try await store.close()
    #expect(try StoreReader(at: target).items(ItemQuery()).count == 1)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
  }

  @Test func `by a link and by its own name a store has one writer`() async throws {
    let (link, target) = (folder.file("link.sqlite"), folder.file("target.sqlite"))
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "target.sqlite")
    for (first, second) in [(link, target), (target, link)] {
      let store = try await SQLiteStore.open(at: first)
      let refused = await code { _ = try await SQLiteStore.open(at: second, options: impatient()) }
      #expect(refused == .locked)
      try await store.close()
    }
  }

  @Test func `a store that was killed before its number was written is taken over`() async throws {
    let path = folder.file("store.sqlite")
    let first = try await SQLiteStore.open(at: path)
    try await Runs.run(1, first, items: [Runs.item("a")])
    try await first.close()
    // As the first builds left it: their tables, the store's first ones, and no number.
    try OldStore.takeBack(path, to: 1)
    let begun = try DatabaseQueue(path: path)
    try await begun.write { db in
      try db.execute(
        sql: """
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
          INSERT INTO grdb_migrations VALUES ('1'); PRAGMA user_version = 0
          """)
    }
    try begun.close()
    #expect(try StoreReader(at: path).items(ItemQuery()).count == 1)
    #expect(try StoreReader(at: path).schedules().isEmpty)
    let store = try await SQLiteStore.open(at: path)
    try await Runs.run(2, store, items: [Runs.item("a"), Runs.item("b")])
    try await store.close()
    #expect(try StoreReader(at: path).items(ItemQuery()).count == 2)
  }

  @Test func `a store killed before it was in WAL mode is missing for readers, made for writers`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    // A transaction larger than the cache leaves a journal that has to be rolled back.
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = 1") }
    let unfinished = try DatabaseQueue(
      path: folder.file("unfinished.sqlite"), configuration: configuration)
    try await unfinished.write { db in
      try db.execute(sql: "CREATE TABLE t (x)")
      for _ in 0..<200 { try db.execute(sql: "INSERT INTO t VALUES (zeroblob(4000))") }
      for ending in ["", "-journal"] {
        try FileManager.default.copyItem(
          atPath: folder.file("unfinished.sqlite") + ending, toPath: path + ending)
      }
    }
    let error = #expect(throws: StoreError.self) { try StoreReader(at: path) }
    #expect(error?.code == .missing)
    #expect(
      error?.message
        == "the store at \(path) was never finished: run a job first, or name another store")
    let store = try await SQLiteStore.open(at: path)
    try await store.close()
    #expect(try StoreReader(at: path).check().isEmpty)
  }

  @Test func `a store of a newer fetchrun is refused`() async throws {
    try await SQLiteStore.open(at: path).close()
    let newer = try DatabaseQueue(path: path)
    try await newer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
    try newer.close()
    #expect(await code { _ = try await SQLiteStore.open(at: path) } == .newer)
    #expect(await code { _ = try StoreReader(at: path) } == .newer)
  }

  @Test func `damage is found by a check or refused`() async throws {
    let store = try await SQLiteStore.open(at: path)
    let items = (0..<200).map { Runs.item("\($0)", content: String(repeating: "x", count: 500)) }
    try await Runs.run(1, store, items: items)
    try await store.close()
    var bytes = try Data(contentsOf: URL(filePath: path))
    for offset in stride(from: 4096, to: bytes.count - 64, by: 4096) {
      bytes.replaceSubrange(offset..<offset + 64, with: Data(repeating: 0xAA, count: 64))
    }
    try bytes.write(to: URL(filePath: path))
    #expect(
      await code {
        let faults = try StoreReader(at: path).check()
        if !faults.isEmpty { throw StoreError(.corrupt, "found") }
      } == .corrupt)
  }

  @Test func `a full store says so, keeps what it had and goes on when there is space`()
    async throws
  {
    let store = try await SQLiteStore.open(at: path, options: impatient(), pagesMax: 60)
    try await Runs.run(1, store, items: [Runs.item("small")])
    let large = Runs.item("large", content: String(repeating: "x", count: 400_000))
    #expect(await code { try await Runs.run(2, store, items: [large]) } == .full)
    #expect(try await Runs.run(3, store, items: [Runs.item("small")]) == .noData(.sameItems))
    #expect(try StoreReader(at: path).items(ItemQuery()).map(\.key.text) == ["small"])
    #expect(try StoreReader(at: path).runs().count == 2)
  }

  @Test func `one run that does not fit does not spoil those that are stored with it`() async throws
  {
    let store = try await SQLiteStore.open(at: path, options: impatient(), pagesMax: 200)
    let large = Runs.item("large", content: String(repeating: "x", count: 2_000_000))
    let codes = await withTaskGroup(of: StoreError.Code?.self) { group in
      for number in 0..<20 {
        group.addTask {
          let items = number == 7 ? [large] : [Runs.item("small")]
          return await self.code {
            try await Runs.run(number, store, job: "job \(number)", items: items)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.compactMap { $0 } == [.full])
    #expect(try StoreReader(at: path).items(ItemQuery()).count == 19)
  }

  @Test(.disabled(if: getuid() == 0, "root may write everywhere"))
  func `a folder that cannot be written is a clear error`() async throws {
    try await SQLiteStore.open(at: path).close()
    let fileManager = FileManager.default
    try fileManager.setAttributes(
      [.posixPermissions: 0o500], ofItemAtPath: folder.path + "/deep/er")
    try fileManager.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
    defer {
      try? fileManager.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: folder.path + "/deep/er")
    }
    #expect(await code { _ = try await SQLiteStore.open(at: path) } == .readOnly)
  }

  @Test func `a path through a file is unreachable`() async throws {
    try Data().write(to: URL(filePath: folder.file("file")))
    let path = folder.file("file/store.sqlite")
    #expect(await code { _ = try await SQLiteStore.open(at: path) } == .unreachable)
  }
}

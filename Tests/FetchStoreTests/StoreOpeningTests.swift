import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
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

  @Test func `stored data is available when the store is opened again`() async throws {
    let store = try await SQLiteStore.open(at: path)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try await store.close()
    #expect(await code { try await Runs.run(2, store, items: []) } == .closed)
    let again = try await SQLiteStore.open(at: path)
    #expect(try await Runs.run(2, again, items: [Runs.item("a")]) == .noData(.sameItems))
  }

  @Test func `a second writer reports the first one and waits for it`() async throws {
    let first = try await SQLiteStore.open(at: path)
    var told: [Int32?] = []
    let error = await #expect(throws: StoreError.self) {
      _ = try await SQLiteStore.open(at: path, options: impatient()) { told.append($0) }
    }
    #expect(
      error?.message == "the store \(path) is being written by process \(getpid()): "
        + "stop it or wait for it to end, or name another store with `--store FILE`")
    #expect(told.isEmpty)
    try await first.close()
    _ = try await SQLiteStore.open(at: path, options: impatient())
  }

  @Test func `a reader that checks the lock for an instant is not reported as a writer`()
    async throws
  {
    try await SQLiteStore.open(at: self.path).close()
    let check = open(self.path + ".lock", O_RDONLY)
    #expect(flock(check, LOCK_SH) == 0)
    let (path, options, clock) = (path, impatient(), ManualClock())
    async let opening = SQLiteStore.open(at: path, options: options, clock: clock) { _ in
      Issue.record("a writer was reported")
    }
    await clock.waitForSleeper()
    #expect(close(check) == 0)
    clock.advanceToSleeper()
    try await opening.close()
  }

  @Test func `readers need no lock and read committed data`() async throws {
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

  @Test func `a missing store is an error for readers and created for writers`() async throws {
    #expect(await code { _ = try StoreReader(at: path) } == .missing)
    var options = StoreOptions()
    options.creates = false
    #expect(await code { _ = try await SQLiteStore.open(at: path, options: options) } == .missing)
    #expect(!FileManager.default.fileExists(atPath: folder.file("deep")))
  }

  @Test(arguments: [
    "text, not a database, and long enough to be sure of it", "SQLite format 3\0xx",
  ])
  func `a file of another kind is refused and not changed`(content: String) async throws {
    let path = folder.file("store.sqlite")
    let bytes = Data((content + String(repeating: " x", count: 4000)).utf8)
    try bytes.write(to: URL(filePath: path))
    #expect(await code { _ = try await SQLiteStore.open(at: path) } == .corrupt)
    #expect(await code { _ = try StoreReader(at: path) } == .corrupt)
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
  }

  @Test func `an empty file is refused and not changed`() async throws {
    let path = folder.file("store.sqlite")
    try Data().write(to: URL(filePath: path))
    let message =
      "the store \(path) is an empty file: restore a copy of it, or remove it to begin a new store, "
      + "where all items count as new"
    #expect(
      await #expect(throws: StoreError.self) { _ = try await SQLiteStore.open(at: path) }
        == StoreError(.corrupt, message))
    #expect(
      #expect(throws: StoreError.self) { try StoreReader(at: path) }
        == StoreError(.corrupt, message))
    #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
  }

  @Test func `the log of a missing store is not used for a new one`() async throws {
    let path = folder.file("store.sqlite")
    try Data("the last change".utf8).write(to: URL(filePath: path + "-wal"))
    let error = await #expect(throws: StoreError.self) { _ = try await SQLiteStore.open(at: path) }
    #expect(
      error
        == StoreError(
          .corrupt,
          "the store \(path) is missing, but its log \(path)-wal exists: restore a copy of the store, "
            + "or remove the log to begin a new store, where all items count as new"))
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try Data(contentsOf: URL(filePath: path + "-wal")).count == 15)
  }

  @Test(arguments: [1, 0x1234_5678])
  func `the log of another program is not written into that program's database`(application: Int)
    async throws
  {
    let path = folder.file("store.sqlite")
    let other = try SQLConnection(at: path, .create)
    try other.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    if application > 1 { try other.execute("PRAGMA application_id = \(application)") }
    // This is the state after a crash.
    let main = try Data(contentsOf: URL(filePath: path))
    let log = try Data(contentsOf: URL(filePath: path + "-wal"))
    let copy = folder.file("copy.sqlite")
    try main.write(to: URL(filePath: copy))
    try log.write(to: URL(filePath: copy + "-wal"))
    #expect(await code { _ = try await SQLiteStore.open(at: copy) } == .corrupt)
    #expect(try Data(contentsOf: URL(filePath: copy)) == main)
    #expect(try Data(contentsOf: URL(filePath: copy + "-wal")) == log)
    #expect(try other.integer("SELECT count(*) FROM t") == 0)
  }

  @Test func `the remains of an interrupted creation do not prevent another one`()
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

  @Test func `another program's database is refused and not changed`() async throws {
    let path = folder.file("store.sqlite")
    try SQLConnection(at: path, .create).execute("CREATE TABLE t (x)")
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(await code { _ = try await SQLiteStore.open(at: path) } == .corrupt)
    #expect(await code { _ = try StoreReader(at: path) } == .corrupt)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `a store behind a symbolic link is created at its target`() async throws {
    let (link, target) = (folder.file("link.sqlite"), folder.file("target.sqlite"))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let store = try await SQLiteStore.open(at: link)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try await store.close()
    #expect(try StoreReader(at: target).items(ItemQuery()).count == 1)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
  }

  @Test func `a store has one writer for all spellings of its path`() async throws {
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

  @Test func `a check finds damage, unless the store is refused because of it`() async throws {
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

  @Test func `a full store reports that, loses no data and continues when it has space`()
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

  @Test func `a run that does not fit does not affect others in the same transaction`() async throws
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
  func `a folder without write permission is reported`() async throws {
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

  @Test func `a path through a file cannot be opened`() async throws {
    try Data().write(to: URL(filePath: folder.file("file")))
    let path = folder.file("file/store.sqlite")
    #expect(await code { _ = try await SQLiteStore.open(at: path) } == .unreachable)
  }
}

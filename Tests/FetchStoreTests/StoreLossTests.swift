import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of a store whose files are deleted, replaced or truncated while it is open.
@Suite struct StoreLossTests {
  let folder: TemporaryFolder
  let path: String
  private let files = FileManager.default

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("store.sqlite")
  }

  /// Opens a store with one run, `a`.
  private func open() async throws -> SQLiteStore {
    let store = try await SQLiteStore.open(at: path)
    try await Runs.run(1, store, items: [Runs.item("a")])
    return store
  }

  /// Returns the messages of the next two commits and of the close.
  private func errors(_ store: SQLiteStore) async throws -> [String] {
    var messages: [String] = []
    for attempt in 1...3 {
      let error = await #expect(throws: StoreError.self) {
        if attempt == 3 { try await store.close() }
        try await Runs.run(attempt + 1, store, items: [Runs.item("\(attempt)")])
      }
      #expect(error?.code == .replaced)
      messages.append(error?.message ?? "")
    }
    #expect(messages[1] == messages[2])
    #expect(
      messages[1] == messages[0] + "; nothing more is stored until fetchrun is started again")
    return messages
  }

  @Test func `a deleted store accepts no more writes`() async throws {
    let store = try await open()
    for suffix in ["", "-wal", "-shm"] { try files.removeItem(atPath: path + suffix) }
    #expect(
      try await errors(store)[0] == "while fetchrun had it open, the store \(path) was deleted: "
        + "restore a copy of it and start fetchrun again; without a copy, all items count as new")
    #expect(!files.fileExists(atPath: path))
  }

  @Test func `a replaced store accepts no more writes, and the other store stays unchanged`()
    async throws
  {
    let other = try await SQLiteStore.open(at: folder.file("other.sqlite"))
    try await Runs.run(9, other, job: "other", items: [Runs.item("b")])
    try await other.close()
    let store = try await open()
    let bytes = try Data(contentsOf: URL(filePath: folder.file("other.sqlite")))
    try files.removeItem(atPath: path)
    try files.moveItem(atPath: folder.file("other.sqlite"), toPath: path)
    #expect(
      try await errors(store)[0] == "while fetchrun had it open, the store \(path) was replaced "
        + "by another file: start fetchrun again to use that one")
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
  }

  @Test(arguments: [0, 4096]) func `a truncated store accepts no more writes`(
    size: UInt64
  ) async throws {
    let store = try await open()
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: size)
    try file.close()
    #expect(
      try await errors(store)[0] == "while fetchrun had it open, the store \(path) was truncated: "
        + "restore a copy of it and start fetchrun again")
    #expect(try Data(contentsOf: URL(filePath: path)).count == size)
  }

  @Test(arguments: ["-wal", "-shm"])
  func `a store whose log is deleted loses nothing`(suffix: String) async throws {
    let store = try await open()
    try files.removeItem(atPath: path + suffix)
    #expect(
      try await errors(store)[0] == "while fetchrun had it open, the store \(path) lost its "
        + "file \(path)\(suffix), but no data: start fetchrun again")
    let again = try await SQLiteStore.open(at: path, options: impatient)
    #expect(try again.reader.items(ItemQuery()).map(\.key.text) == ["a"])
    try await Runs.run(5, again, items: [Runs.item("b")])
    #expect(try again.reader.check().isEmpty)
  }

  private var impatient: StoreOptions {
    var options = StoreOptions()
    options.waitMax = .zero
    return options
  }

  @Test func `a store whose link now points elsewhere accepts no more writes`() async throws {
    let (link, other) = (folder.file("link.sqlite"), folder.file("other.sqlite"))
    try await SQLiteStore.open(at: other).close()
    try files.createSymbolicLink(atPath: link, withDestinationPath: path)
    let store = try await SQLiteStore.open(at: link)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try files.removeItem(atPath: link)
    try files.createSymbolicLink(atPath: link, withDestinationPath: other)
    #expect(try await errors(store)[0].contains("was replaced by another file"))
  }

  @Test func `a store opened by a link misses the log beside the link's target`() async throws {
    let link = folder.file("link.sqlite")
    try await SQLiteStore.open(at: path).close()
    try files.createSymbolicLink(atPath: link, withDestinationPath: path)
    let store = try await SQLiteStore.open(at: link)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try files.removeItem(atPath: path + "-wal")
    #expect(
      try await errors(store)[0] == "while fetchrun had it open, the store \(link) lost its "
        + "file \(path)-wal, but no data: start fetchrun again")
  }

  @Test func `a checkpoint by another program loses no data`() async throws {
    let store = try await open()
    let large = Runs.item("large", content: String(repeating: "x", count: 90_000))
    try await Runs.run(2, store, items: [large])
    try SQLConnection(at: path, .readWrite).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try await Runs.run(3, store, items: [Runs.item("b")])
    #expect(try store.reader.items(ItemQuery()).count == 3)
  }
}

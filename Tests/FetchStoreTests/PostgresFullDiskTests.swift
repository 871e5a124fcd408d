import FetchModel
import FetchStore
import FetchTestSupport
import Testing

@testable import FetchStorePostgres

/// Tests of a store in a PostgreSQL database on a disk that is full. Each test has a server and a
/// disk of its own.
@Suite(
  .enabled(if: PostgresServer.isInstalled),
  .enabled(if: SmallDisk.canBeMade, "only root can mount a small disk"), .serialized,
  .timeLimit(.minutes(5)))
struct PostgresFullDiskTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns an empty disk of the server's user.
  private func newDisk(bytes: Int) throws -> SmallDisk {
    let disk = try SmallDisk(at: folder.file("disk"), bytes: bytes)
    try PostgresServer.own(disk.folder)
    return disk
  }

  /// Returns an item that needs new pages of its table, since random text cannot be compressed.
  private static func largeItem(_ id: String) -> ParsedItem {
    let words = (0..<10_000).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }
    return Runs.item(id, content: words.joined())
  }

  @Test func `a full disk of the tables stops the store, which continues when there is room`()
    async throws
  {
    let disk = try newDisk(bytes: 16 << 20)
    defer { disk.remove() }
    let server = try PostgresServer()
    defer { try? server.crash() }
    let all = server.address(of: "postgres")
    try server.execute("CREATE TABLESPACE small LOCATION '\(disk.folder)'", in: all)
    try server.execute("CREATE DATABASE news TEMPLATE template0 TABLESPACE small", in: all)
    let address = server.address(of: "news")
    let store = try await PostgresStore.open(at: address)
    try await Runs.run(1, store, items: [Runs.item("a")])
    // Until the first checkpoint, the files of a new database have holes.
    try server.execute("CHECKPOINT", in: address)
    try disk.fill()
    let item = Self.largeItem("b")
    for number in 2...4 {
      let error = await #expect(throws: StoreError.self) {
        try await Runs.run(number, store, items: [item])
      }
      #expect(error?.code == .full)
      let words = "the server of the store \(address.path) is out of disk space (could not extend "
      #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
      #expect(error?.message.hasSuffix("): free some there") == true)
      #expect(error?.failure.retryable == true)
    }
    // A separate connection sees nothing of these runs.
    let reader = try await PostgresReader(at: address)
    #expect(try await reader.allItems(ItemQuery()).map(\.key.text) == ["a"])
    #expect(try await reader.allRuns().map(\.run) == [Runs.id(1)])
    try disk.makeRoom()
    #expect(try await Runs.run(5, store, items: [item]) == .newData(ChangeCounts(added: 1)))
    #expect(try await reader.allItems(ItemQuery()).map(\.sequence).sorted() == [1, 2])
    #expect(try await Set(reader.allRuns().map(\.run)) == [Runs.id(1), Runs.id(5)])
    try await store.close()
  }

  @Test func `a commit that fills the disk of the log ends the server, and is stored once`()
    async throws
  {
    let disk = try newDisk(bytes: 40 << 20)
    defer { disk.remove() }
    let server = try PostgresServer(logFolder: disk.folder)
    defer { try? server.crash() }
    let address = try server.newDatabase()
    let store = try await PostgresStore.open(at: address)
    try await Runs.run(1, store, items: [Runs.item("a")])
    // A commit then writes 16 MB to the log, as a first run with many items does. The log has files
    // for at most 6 MB.
    try server.execute(
      """
      CREATE FUNCTION public.write_log() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_logical_emit_message(true, 'test', repeat('x', 1000))
          FROM generate_series(1, 16000);
        RETURN NULL;
      END $$;
      CREATE TRIGGER write_log AFTER INSERT ON fetchrun.changes
        EXECUTE FUNCTION public.write_log()
      """, in: address)
    try await store.onQueue { writer in writer.doubtMax = .seconds(100) }
    try disk.fill()
    async let outcome = Runs.run(2, store, items: [Runs.item("b")])
    // The server cannot recover either, since that also needs a new file of the log.
    #expect(await server.waitForEnd())
    try disk.makeRoom()
    try server.start()
    let ended = try await outcome
    #expect(ended == .newData(ChangeCounts(added: 1)))
    #expect(try await store.allItems(ItemQuery()).map(\.sequence).sorted() == [1, 2])
    #expect(try await Set(store.allRuns().map(\.run)) == [Runs.id(1), Runs.id(2)])
    try await store.close()
  }
}

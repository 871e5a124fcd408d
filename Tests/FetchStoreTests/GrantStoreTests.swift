import FetchModel
import FetchStore
import Testing

@Suite struct GrantStoreTests {
  let folder: TemporaryFolder
  private var path: String { folder.file("store.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func grant(
    _ plugin: String, _ hosts: String..., hash: UInt8 = 1
  ) -> PinnedGrant {
    PinnedGrant(
      plugin: plugin, hash: [hash, 0, 255],
      granted: AskedPermissions(hosts.map(AskedPermission.reach)), at: Runs.start,
      source: .firstRun)
  }

  @Test func `a grant is stored with its run and read with what the next one needs`() async throws {
    let store = try await SQLiteStore.open(at: path)
    let first = grant("./news.lua", "a.example")
    let run = Runs.id(1)
    #expect(try await store.openJob("news", run: run, plugin: "./news.lua").grant == nil)
    var commit = RunCommit(record: Runs.record(1))
    commit.grant = first
    _ = try await store.commit(commit)
    #expect(
      try await store.openJob("news", run: Runs.id(2), plugin: "./news.lua").grant == first)
    store.abandon("news", run: Runs.id(2))
    #expect(try store.reader.grant(of: "news", plugin: "./news.lua") == first)
    try await store.close()
    #expect(try StoreReader(at: path).grant(of: "news", plugin: "./news.lua") == first)
  }

  @Test func `each name of a plugin has its own, and a reset leaves them`() async throws {
    let store = try await SQLiteStore.open(at: path)
    try await store.keep(grant("a", "a.example"), of: "news", manifestName: "news")
    try await store.keep(grant("b", "b.example"), of: "news", manifestName: "news")
    try await store.keep(grant("a", "c.example", hash: 2), of: "news", manifestName: "news")
    try await store.keep(grant("a", "d.example"), of: "other", manifestName: "news")
    #expect(try await store.reset(job: "news"))
    #expect(try await store.grant(of: "news", plugin: "a") == grant("a", "c.example", hash: 2))
    #expect(try await store.grant(of: "news", plugin: "b") == grant("b", "b.example"))
    #expect(try await store.grant(of: "other", plugin: "a") == grant("a", "d.example"))
    #expect(try await store.grant(of: "other", plugin: "b") == nil)
    #expect(try await store.grant(of: "none", plugin: "a") == nil)
    #expect(
      try store.reader.grants(of: "news") == [
        grant("a", "c.example", hash: 2), grant("b", "b.example"),
      ])
    #expect(try store.reader.grants(of: "none").isEmpty)
    #expect(try store.reader.jobs().map(\.name) == ["news", "other"])
    try await store.close()
  }

  @Test func `a hook has its own, by its name`() async throws {
    let store = try await SQLiteStore.open(at: path)
    #expect(try await store.grant(ofHook: "tidy") == nil)
    let granted = PinnedGrant(
      plugin: "./tidy.lua", hash: [1, 0, 255],
      granted: AskedPermissions([.reach("a.example"), .send(secret: "s\n", to: "*")]),
      at: Runs.start, source: .agreement)
    try await store.keep(grant("./old.lua", "b.example"), ofHook: "tidy")
    try await store.keep(granted, ofHook: "tidy")
    try await store.keep(grant("./tidy.lua", "c.example"), ofHook: "other")
    #expect(try await store.grant(ofHook: "tidy") == granted)
    try await store.close()
    #expect(try StoreReader(at: path).grant(ofHook: "tidy") == granted)
    #expect(try StoreReader(at: path).grant(ofHook: "none") == nil)
  }
}

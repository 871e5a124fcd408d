import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Foundation
import Testing

@Suite struct GrantStoreTests {
  private func grant(
    _ plugin: String, _ hosts: String..., hash: UInt8 = 1
  ) -> PinnedGrant {
    PinnedGrant(
      plugin: plugin, hash: [hash, 0, 255],
      granted: AskedPermissions(hosts.map(AskedPermission.reach)), at: Runs.start,
      source: .firstRun)
  }

  @Test(arguments: StoreKind.allCases)
  func `a grant is stored with its run and read for the next one`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let first = grant("./news.lua", "a.example")
    let run = Runs.id(1)
    let opened = try await store.openJob("news", run: run, plugin: "./news.lua", noting: nil)
    #expect(opened.grant == nil)
    var commit = RunCommit(record: Runs.record(1))
    commit.grant = first
    _ = try await store.commit(commit)
    let again = try await store.openJob(
      "news", run: Runs.id(2), plugin: "./news.lua", noting: nil)
    #expect(again.grant == first)
    store.abandon("news", run: Runs.id(2))
    #expect(try await store.grant(of: "news", plugin: "./news.lua") == first)
    let next = try await bench.restarted().store
    #expect(try await next.grant(of: "news", plugin: "./news.lua") == first)
  }

  @Test(arguments: StoreKind.allCases)
  func `each pair of a job and a plugin has its own grant, which a reset keeps`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
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
      try await store.grants(of: "news") == [
        grant("a", "c.example", hash: 2), grant("b", "b.example"),
      ])
    #expect(try await store.grants(of: "none").isEmpty)
    #expect(try await store.jobs().map(\.name) == ["news", "other"])
    let opened = try await store.openJob("news", run: Runs.id(1), plugin: "a", noting: nil)
    #expect(opened.grant == grant("a", "c.example", hash: 2))
  }

  @Test(arguments: StoreKind.allCases)
  func `a hook has its own grant, by its name`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    #expect(try await store.grant(ofHook: "tidy", plugin: "./tidy.lua") == nil)
    let granted = PinnedGrant(
      plugin: "./tidy.lua", hash: [1, 0, 255],
      granted: AskedPermissions([.reach("a.example"), .send(secret: "s\n", to: "*")]),
      at: Runs.start, source: .agreement)
    try await store.keep(grant("./old.lua", "b.example"), ofHook: "tidy")
    try await store.keep(granted, ofHook: "tidy")
    try await store.keep(grant("./tidy.lua", "c.example"), ofHook: "other")
    #expect(try await store.grant(ofHook: "tidy", plugin: "./tidy.lua") == granted)
    let again = try await bench.restarted().store
    #expect(try await again.grant(ofHook: "tidy", plugin: "./tidy.lua") == granted)
    #expect(try await again.grant(ofHook: "none", plugin: "./tidy.lua") == nil)
  }

  @Test func `a file has one grant, however its path is spelled`() throws {
    let folder = try TemporaryFolder()
    let real = GrantName.of(path: folder.file("p.lua"))
    try FileManager.default.createDirectory(
      atPath: folder.file("in"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("in"))
    for spelled in ["./p.lua", "/p.lua", "in/../p.lua", "link/../p.lua", "././/p.lua"] {
      #expect(GrantName.of(path: folder.file(spelled)) == real, "\(spelled)")
    }
    #expect(
      GrantName.of(path: folder.file("link/q.lua")) == GrantName.of(path: folder.file("in/q.lua")))
    #expect(GrantName.of(path: "/none/./a//../b/p.lua") == "/none/b/p.lua")
    #expect(GrantName.of(path: "none/p.lua").hasSuffix("/none/p.lua"))
    #expect(GrantName.of(path: "none/p.lua").hasPrefix("/"))
    #expect(GrantName.of(path: "/none/\0/../p.lua") == "/none/p.lua")
    for odd in ["/", "//", "/..", ".."] { #expect(GrantName.of(path: odd).hasPrefix("/")) }
  }

  /// Other paths under which an earlier version may have stored a file's grant: other spellings,
  /// relative paths, and a path in another folder.
  private static let otherNames = [
    "plugins/p.lua", "./plugins/p.lua", "../plugins/p.lua", "p.lua", "/srv/./plugins/p.lua",
    "/srv//plugins/p.lua", "/srv/x/../plugins/p.lua", "/releases/1/p.lua",
  ]

  @Test(arguments: StoreKind.allCases, otherNames)
  func `a grant under another spelling of the file's path still limits the file`(
    kind: StoreKind, name: String
  ) async throws {
    let file = "/srv/plugins/p.lua"
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await store.keep(grant(name, "a.example"), of: "news", manifestName: "news")
    try await store.keep(grant(name, "a.example"), ofHook: "tidy")
    let opened = try await store.openJob("news", run: Runs.id(1), plugin: file, noting: nil)
    store.abandon("news", run: Runs.id(1))
    let pins = [
      opened.grant, try await store.grant(of: "news", plugin: file),
      try await store.grant(ofHook: "tidy", plugin: file),
    ]
    for pin in pins {
      func decision(_ hash: UInt8, _ hosts: String...) -> GrantDecision {
        GrantRule.decide(
          GrantRule.Claim(
            plugin: file, hash: [hash, 0, 255],
            asked: AskedPermissions(hosts.map(AskedPermission.reach))),
          pin, now: Runs.start)
      }
      #expect(decision(1, "a.example") == .runs(keeping: grant(file, "a.example")))
      #expect(decision(2, "a.example").isRun)
      #expect(
        decision(2, "a.example", "evil.example") == .beyondGrant([.reach("evil.example")]))
    }
    // From now on the grant is stored under the file's path.
    try await store.keep(grant(file, "a.example"), of: "news", manifestName: "news")
    #expect(try await store.grant(of: "news", plugin: file) == grant(file, "a.example"))
    #expect(try await store.grant(of: "news", plugin: "/srv/plugins/q.lua") == nil)
    #expect(try await store.grant(of: "news", plugin: "p") == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `a granted read remains limited to the file that the user approved`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let asked = AskedPermissions([.reach("a.example"), .read("/etc/news")])
    for name in ["/releases/1/p.lua", "plugins/p.lua"] {
      let agreed = PinnedGrant(
        plugin: name, hash: [1], granted: asked, at: Runs.start, source: .agreement)
      try await store.keep(agreed, ofHook: "tidy")
      let pin = try await store.grant(ofHook: "tidy", plugin: "/srv/plugins/p.lua")
      #expect(pin?.granted == (name.isAbsolutePath ? asked.withoutReads : asked))
      #expect(pin?.source == (name.isAbsolutePath ? .firstRun : .agreement))
    }
  }
}

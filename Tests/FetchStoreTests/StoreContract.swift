import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchValues
import Testing

/// What every store keeps. A second kind of store must pass the same tests.
@Suite struct StoreContract {
  let folder: TemporaryFolder
  let store: SQLiteStore

  init() async throws {
    folder = try TemporaryFolder()
    store = try await SQLiteStore.open(at: folder.file("store.sqlite"))
  }

  private func reader() throws -> StoreReader { try StoreReader(at: store.path) }

  @Test func `the first run brings news and the same again brings none`() async throws {
    let items = [Runs.item("a", title: "A"), Runs.item("b", title: "B")]
    #expect(try await Runs.run(1, store, items: items) == .newData(ChangeCounts(added: 2)))
    #expect(try await Runs.run(2, store, items: items) == .noData(.sameItems))
    #expect(try await Runs.run(3, store, items: []) == .noData(.empty))
    #expect(try reader().items(ItemQuery()).map(\.key.text) == ["a", "b"])
    #expect(try reader().runs().map(\.outcome.word) == ["noData", "noData", "newData"])
  }

  @Test func `an item comes back from the store as the plugin gave it`() async throws {
    var item = Runs.item("ä", title: "T\u{0}itle \"quoted\"", url: "https://x.test/?a=1&b=2")
    item.published = "2026-11-20T10:00:00Z"
    item.author = "somebody"
    item.tags = ["one", "two"]
    item.fields = ValueObject([("n", 1), ("deep", ["list": [1, 2.5, nil, true]])])
    try await Runs.run(1, store, items: [item])
    let stored = try #require(try reader().items(ItemQuery()).first)
    #expect(
      stored.json == """
        {"sequence":1,"job":"news","id":"ä","change":"added","title":"T\\u0000itle \\"quoted\\"",\
        "url":"https://x.test/?a=1&b=2","publishedAt":"2026-11-20T10:00:00Z",\
        "seenAt":"2027-01-15T08:00:00.000Z","fields":{"author":"somebody",\
        "tags":["one","two"],"n":1,"deep":{"list":[1,2.5,null,true]}}}
        """)
  }

  @Test func `ids that differ only in Unicode normalisation are two items`() async throws {
    let items = [Runs.item("\u{E9}", title: "x"), Runs.item("e\u{301}", title: "x")]
    #expect(try await Runs.run(1, store, items: items) == .newData(ChangeCounts(added: 2)))
    #expect(try await Runs.run(2, store, items: items) == .noData(.sameItems))
  }

  @Test func `each version of an item is kept, newest first`() async throws {
    for number in 1...3 {
      try await Runs.run(number, store, items: [Runs.item("a", title: "version \(number)")])
    }
    let versions = try reader().versions(job: "news", key: ItemKey("a"))
    #expect(versions.map(\.title) == ["version 3", "version 2", "version 1"])
    #expect(versions.map(\.change) == [.updated, .updated, .added])
    #expect(try reader().items(ItemQuery()).map(\.title) == ["version 3"])
    #expect(try reader().versions(job: "news", key: ItemKey("b")).isEmpty)
  }

  @Test func `what a complete source took away is removed, and added when it is back`() async throws
  {
    var rules = ItemRules()
    rules.complete = true
    let a = Runs.item("a", title: "A")
    let b = Runs.item("b", title: "B")
    try await Runs.run(1, store, items: [a, b], rules: rules)
    #expect(
      try await Runs.run(2, store, items: [a], rules: rules)
        == .newData(ChangeCounts(removed: 1)))
    #expect(try reader().items(ItemQuery()).map(\.key.text) == ["a"])
    #expect(try await Runs.run(3, store, items: [a], rules: rules) == .noData(.sameItems))
    #expect(
      try await Runs.run(4, store, items: [a, b], rules: rules)
        == .newData(ChangeCounts(added: 1)))
    let log = try reader().items(ItemQuery(since: 0))
    #expect(log.map(\.change) == [.added, .added, .removed, .added])
    #expect(log.map(\.sequence) == [1, 2, 3, 4])
    #expect(log[2].title == "B")
  }

  @Test func `a reader goes on from the last sequence it has`() async throws {
    try await Runs.run(1, store, items: [Runs.item("a", title: "1")])
    try await Runs.run(2, store, job: "other", items: [Runs.item("a", title: "1")])
    try await Runs.run(3, store, items: [Runs.item("a", title: "2")])
    let reader = try reader()
    #expect(try reader.items(ItemQuery(since: 1)).map(\.sequence) == [2, 3])
    #expect(try reader.items(ItemQuery(job: "news", since: 1)).map(\.sequence) == [3])
    #expect(try reader.items(ItemQuery(job: "news", since: 0, limit: 1)).map(\.sequence) == [1])
    #expect(try reader.items(ItemQuery(limit: 1)).map(\.sequence) == [3])
    #expect(try reader.items(ItemQuery(job: "other", limit: 5)).map(\.sequence) == [2])
  }

  @Test func `state and validators belong to the job that stored them`() async throws {
    var commit = RunCommit(record: Runs.record(1))
    commit.state = ["cursor": "ü", "n": 7, "raw": .bytes([0xFF])]
    let validators = Validators(
      etag: "W/\"x\"", lastModified: "yesterday", bodyHash: [1, 2], lastFullAnswerAt: Runs.start)
    commit.validators[ExactText("https://x.test/")] = validators
    _ = try await store.commit(commit)
    let snapshot = try await store.openJob("news", run: Runs.id(2))
    #expect(snapshot.state == commit.state)
    #expect(snapshot.validators == [ExactText("https://x.test/"): validators])
    #expect(!snapshot.isFirstRun)
    let other = try await store.openJob("other", run: Runs.id(3))
    #expect(other.state == nil && other.validators.isEmpty && other.isFirstRun)
  }

  @Test func `a null state is no state`() async throws {
    let states: [Value?] = [.string("x"), Optional.none, .some(.null)]
    for (number, state) in states.enumerated() {
      var commit = RunCommit(record: Runs.record(number))
      commit.state = state
      _ = try await store.commit(commit)
      let snapshot = try await store.openJob("news", run: Runs.id(number))
      #expect(snapshot.state == (number < 2 ? "x" : nil))
      store.abandon("news", run: Runs.id(number))
    }
  }

  @Test func `a failed run is recorded and does not end the time before the first result`()
    async throws
  {
    let failure = Failure(
      .pluginError, "it broke", retryable: true, file: "rss.lua", line: 7)
    _ = try await store.commit(RunCommit(record: Runs.record(1, outcome: .failed(failure))))
    #expect(try reader().runs().map(\.outcome) == [.failed(failure)])
    #expect(try await store.openJob("news", run: Runs.id(2)).isFirstRun)
  }

  @Test func `a job runs once at a time`() async throws {
    _ = try await store.openJob("news", run: Runs.id(1))
    await #expect(
      throws: StoreError(.jobRunning, "the job 'news' is running already: wait for it to end")
    ) { try await store.openJob("news", run: Runs.id(2)) }
    store.abandon("news", run: Runs.id(2))
    await #expect(throws: StoreError.self) { try await store.openJob("news", run: Runs.id(2)) }
    _ = try await store.commit(RunCommit(record: Runs.record(1)))
    _ = try await store.openJob("news", run: Runs.id(2))
  }

  @Test func `what a checkpoint stored is not news twice`() async throws {
    let rules = ItemRules()
    let snapshot = try await store.openJob("news", run: Runs.id(1))
    var sequences: [Int64?] = []
    for (part, items) in [
      (RunCommit.Part.checkpoint, [Runs.item("a", title: "A")]),
      (.end, [Runs.item("a", title: "A"), Runs.item("b", title: "B")]),
    ] {
      let result = IdentifiedItems(items, rules: rules)
      let known = try await store.known(result, of: snapshot, rules: rules)
      let changes = Diff.decide(
        result, rules: rules, known: known, isFirstRun: true, isWhole: true, now: Runs.start)
      var commit = RunCommit(
        record: Runs.record(1, outcome: .newData(ChangeCounts(added: items.count))))
      commit.part = part
      commit.changes = changes
      sequences.append(try await store.commit(commit).firstSequence)
      #expect(try reader().runs().count == (part == .end ? 1 : 0))
    }
    #expect(sequences == [1, 2])
    #expect(try reader().items(ItemQuery()).map(\.key.text) == ["b", "a"])
    #expect(try reader().runs().map(\.outcome) == [.newData(ChangeCounts(added: 2))])
  }

  @Test func `a run that stopped after a checkpoint is recorded as abandoned`() async throws {
    var commit = RunCommit(record: Runs.record(1))
    commit.part = .checkpoint
    _ = try await store.commit(commit)
    try await store.close()
    let again = try await SQLiteStore.open(at: folder.file("store.sqlite"))
    #expect(try reader().runs().map { $0.outcome.failure?.code } == [.abandoned])
    _ = try await again.openJob("news", run: Runs.id(2))
  }

  @Test func `many runs at once are all stored, each once`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask { [store] in
          let items = (0..<5).map { Runs.item("\(number)-\($0)", title: "x") }
          try await Runs.run(
            number, store, job: "job \(number % 100 + number / 100 * 100)", items: items)
        }
      }
      try await group.waitForAll()
    }
    #expect(try reader().runs().count == 200)
    let items = try reader().items(ItemQuery(since: 0))
    #expect(items.map(\.sequence) == (1...1000).map(Int64.init))
    #expect(Set(items.map(\.key)).count == 1000)
    #expect(try reader().check().isEmpty)
  }

  @Test func `a job that was reset begins anew`() async throws {
    let items = [Runs.item("a", title: "A")]
    try await Runs.run(1, store, items: items)
    #expect(try await store.reset(job: "news"))
    #expect(try await store.reset(job: "unknown") == false)
    #expect(try reader().items(ItemQuery()).isEmpty)
    #expect(try await Runs.run(2, store, items: items) == .newData(ChangeCounts(added: 1)))
    #expect(try reader().items(ItemQuery()).map(\.sequence) == [2])
    #expect(try reader().runs().count == 2)
  }

  @Test func `cool-downs only get longer and end by themselves`() async throws {
    let origin = ExactText("https://x.test")
    for seconds: Int64 in [100, 50] {
      var commit = RunCommit(record: Runs.record(1))
      commit.coolDowns[origin] = Runs.start + .seconds(seconds)
      _ = try await store.commit(commit)
    }
    #expect(
      try StoreReader(at: store.path).coolDowns(after: Runs.start)
        == [origin: Runs.start + .seconds(100)])
    #expect(try StoreReader(at: store.path).coolDowns(after: Runs.start + .seconds(100)).isEmpty)
  }

  @Test func `job status tells quiet from broken`() async throws {
    try await Runs.run(1, store, items: [Runs.item("a", title: "A")], at: Runs.start)
    try await Runs.run(2, store, items: [], at: Runs.start + .seconds(1))
    let failed = Runs.record(
      3, outcome: .failed(Failure(.tls, "no")), at: Runs.start + .seconds(2))
    _ = try await store.commit(RunCommit(record: failed))
    let status = try #require(try reader().jobs().first)
    #expect(status.name == "news" && status.plugin == "rss" && status.itemCount == 1)
    #expect(status.lastRunAt == Runs.start + .seconds(2))
    #expect(status.lastSuccessAt == Runs.start + .seconds(1))
    #expect(status.lastNewDataAt == Runs.start)
  }
}

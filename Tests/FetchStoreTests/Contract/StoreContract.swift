import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

/// The contract of every store, with the same tests for each kind. Suites with `StoreKind` as an
/// argument, such as `TransferStoreTests`, are parts of the contract too. SQLite's details (files,
/// locks, page sizes) have separate suites.
@Suite struct StoreContract {
  @Test(arguments: StoreKind.allCases)
  func `the first run brings news, and a repeated one brings none`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let items = [Runs.item("a", title: "A"), Runs.item("b", title: "B")]
    #expect(try await Runs.run(1, store, items: items) == .newData(ChangeCounts(added: 2)))
    #expect(try await Runs.run(2, store, items: items) == .noData(.sameItems))
    #expect(try await Runs.run(3, store, items: []) == .noData(.empty))
    #expect(try await store.allItems(ItemQuery()).map(\.key.text) == ["a", "b"])
    #expect(try await store.allRuns().map(\.outcome.word) == ["noData", "noData", "newData"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a source that uses the keys of other items as ids is stored`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let before = Runs.item("b http://h/", title: "A")
    let changed = Runs.item("b http://h/", title: "A!")
    let rules = ItemRules()
    let alternates = IdentifiedItems([changed], rules: rules).items[0].alternates
    let content = try #require(alternates.last?.text)
    let items = [Runs.item("b", title: "B", url: "http://h/"), Runs.item(content), changed]
    try await Runs.run(1, store, items: [before])
    #expect(
      try await Runs.run(2, store, items: items)
        == .newData(ChangeCounts(added: 1, updated: 1)))
    #expect(Set(try await store.allItems(ItemQuery()).map(\.key.text)) == ["b http://h/", content])
    #expect(try await store.check().isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `an item is read back as the plugin returned it`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    var item = Runs.item("ä", title: "T\u{0}itle \"quoted\"", url: "https://x.test/?a=1&b=2")
    item.published = "2026-11-20T10:00:00Z"
    item.author = "somebody"
    item.tags = ["one", "two"]
    item.fields = ValueObject([("n", 1), ("deep", ["list": [1, 2.5, nil, true]])])
    try await Runs.run(1, store, items: [item])
    let stored = try #require(try await store.allItems(ItemQuery()).first)
    #expect(
      stored.json == """
        {"sequence":1,"job":"news","id":"ä","change":"added","title":"T\\u0000itle \\"quoted\\"",\
        "url":"https://x.test/?a=1&b=2","publishedAt":"2026-11-20T10:00:00Z",\
        "seenAt":"2027-01-15T08:00:00.000Z","fields":{"author":"somebody",\
        "tags":["one","two"],"n":1,"deep":{"list":[1,2.5,null,true]}}}
        """)
  }

  @Test(arguments: StoreKind.allCases)
  func `ids that differ only in Unicode normalisation are two items`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let items = [Runs.item("\u{E9}", title: "x"), Runs.item("e\u{301}", title: "x")]
    #expect(try await Runs.run(1, store, items: items) == .newData(ChangeCounts(added: 2)))
    #expect(try await Runs.run(2, store, items: items) == .noData(.sameItems))
  }

  @Test(arguments: StoreKind.allCases)
  func `each version of an item is kept, newest first`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    for number in 1...3 {
      try await Runs.run(number, store, items: [Runs.item("a", title: "version \(number)")])
    }
    let versions = try await store.versions(job: "news", key: ItemKey("a"))
    #expect(versions.map(\.title) == ["version 3", "version 2", "version 1"])
    #expect(versions.map(\.change) == [.updated, .updated, .added])
    #expect(try await store.allItems(ItemQuery()).map(\.title) == ["version 3"])
    #expect(try await store.versions(job: "news", key: ItemKey("b")).isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `an item missing from a whole result is removed, and added again later`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    var rules = ItemRules()
    rules.complete = true
    let a = Runs.item("a", title: "A")
    let b = Runs.item("b", title: "B")
    try await Runs.run(1, store, items: [a, b], rules: rules)
    #expect(
      try await Runs.run(2, store, items: [a], rules: rules)
        == .newData(ChangeCounts(removed: 1)))
    #expect(try await store.allItems(ItemQuery()).map(\.key.text) == ["a"])
    #expect(try await Runs.run(3, store, items: [a], rules: rules) == .noData(.sameItems))
    #expect(
      try await Runs.run(4, store, items: [a, b], rules: rules)
        == .newData(ChangeCounts(added: 1)))
    let log = try await store.allItems(ItemQuery(since: 0))
    #expect(log.map(\.change) == [.added, .added, .removed, .added])
    #expect(log.map(\.sequence) == [1, 2, 3, 4])
    #expect(log[2].title == "B")
  }

  @Test(arguments: StoreKind.allCases)
  func `a reader continues after its last sequence`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await Runs.run(1, store, items: [Runs.item("a", title: "1")])
    try await Runs.run(2, store, job: "other", items: [Runs.item("a", title: "1")])
    try await Runs.run(3, store, items: [Runs.item("a", title: "2")])
    let reader = store
    #expect(try await reader.allItems(ItemQuery(since: 1)).map(\.sequence) == [2, 3])
    #expect(try await reader.allItems(ItemQuery(job: "news", since: 1)).map(\.sequence) == [3])
    #expect(
      try await reader.allItems(ItemQuery(job: "news", since: 0, limit: 1)).map(\.sequence) == [1])
    #expect(try await reader.allItems(ItemQuery(limit: 1)).map(\.sequence) == [3])
    #expect(try await reader.allItems(ItemQuery(job: "other", limit: 5)).map(\.sequence) == [2])
  }

  @Test(arguments: StoreKind.allCases)
  func `state and validators are stored for each job`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
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

  @Test(arguments: StoreKind.allCases)
  func `a null state removes the state`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
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

  @Test(arguments: StoreKind.allCases)
  func `a failed run is recorded and does not count as a first result`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let failure = Failure(
      .pluginError, "it broke", retryable: true, file: "rss.lua", line: 7)
    _ = try await store.commit(RunCommit(record: Runs.record(1, outcome: .failed(failure))))
    #expect(try await store.allRuns().map(\.outcome) == [.failed(failure)])
    #expect(try await store.openJob("news", run: Runs.id(2)).isFirstRun)
  }

  @Test(arguments: StoreKind.allCases)
  func `a run whose end was refused ends with the next commit`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    for number in 1...2 {
      let job = JobName("news\(number)")
      let record = Runs.record(number, job: job)
      _ = try await store.openJob(job, run: Runs.id(number), plugin: nil, noting: record)
    }
    let full = Failure(.storeUnavailable, "the disk is full", retryable: true)
    var refused = Runs.record(1, job: "news1", outcome: .failed(full))
    refused.duration = Duration.seconds(2)
    refused.requestCount = 3
    refused.checkpointed = ChangeCounts(added: 4)
    var planned = refused
    planned.nextDueAt = Runs.start
    store.abandon(planned)
    // A run without a lease or without a row ends nothing.
    store.abandon(refused)
    _ = try await store.openJob("news3", run: Runs.id(3))
    store.abandon(Runs.record(3, job: "news3", outcome: .failed(full)))
    #expect(try await store.allRuns().isEmpty)
    _ = try await store.openJob("news1", run: Runs.id(4))
    _ = try await store.commit(RunCommit(record: Runs.record(4, job: "news1")))
    let runs = try await store.allRuns()
    #expect(runs.map(\.run) == [Runs.id(4), Runs.id(1)])
    #expect(runs.last == refused)
    let restarted = try await bench.restarted()
    #expect(try await restarted.store.recover().abandonedJobs == ["news2"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a job has one run at a time`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    _ = try await store.openJob("news", run: Runs.id(1))
    await #expect(
      throws: StoreError(.jobRunning, "the job 'news' is running already: wait for the run to end")
    ) { try await store.openJob("news", run: Runs.id(2)) }
    store.abandon("news", run: Runs.id(2))
    await #expect(throws: StoreError.self) { try await store.openJob("news", run: Runs.id(2)) }
    _ = try await store.commit(RunCommit(record: Runs.record(1)))
    _ = try await store.openJob("news", run: Runs.id(2))
  }

  @Test(arguments: StoreKind.allCases)
  func `items from a checkpoint are not news twice`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
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
      #expect(try await store.allRuns().count == (part == .end ? 1 : 0))
    }
    #expect(sequences == [1, 2])
    #expect(try await store.allItems(ItemQuery()).map(\.key.text) == ["b", "a"])
    #expect(try await store.allRuns().map(\.outcome) == [.newData(ChangeCounts(added: 2))])
  }

  @Test(arguments: StoreKind.allCases)
  func `a run that stopped after a checkpoint is recorded as abandoned`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    var commit = RunCommit(record: Runs.record(1))
    commit.part = .checkpoint
    _ = try await store.commit(commit)
    let again = try await bench.restarted().store
    #expect(try await again.recover().abandonedJobs == ["news"])
    #expect(try await again.abandoned() == ["news"])
    #expect(try await again.allRuns().map { $0.outcome.failure?.code } == [.abandoned])
    _ = try await again.openJob("news", run: Runs.id(2))
    // The run is reported until a scheduler acknowledges it.
    try await again.forgetAbandoned("news")
    #expect(try await again.abandoned() == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `many concurrent runs are all stored, each once`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
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
    #expect(try await store.allRuns().count == 200)
    let items = try await store.allItems(ItemQuery(since: 0))
    #expect(items.map(\.sequence) == (1...1000).map(Int64.init))
    #expect(Set(items.map(\.key)).count == 1000)
    #expect(try await store.check().isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `a reset job begins without items`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let items = [Runs.item("a", title: "A")]
    try await Runs.run(1, store, items: items)
    #expect(try await store.reset(job: "news"))
    #expect(try await store.reset(job: "unknown") == false)
    #expect(try await store.allItems(ItemQuery()).isEmpty)
    #expect(try await Runs.run(2, store, items: items) == .newData(ChangeCounts(added: 1)))
    #expect(try await store.allItems(ItemQuery()).map(\.sequence) == [2])
    #expect(try await store.allRuns().count == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func `cool-downs are only extended, and expire`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let origin = ExactText("https://x.test")
    for seconds: Int64 in [100, 50] {
      var commit = RunCommit(record: Runs.record(1))
      commit.coolDowns[origin] = Runs.start + .seconds(seconds)
      _ = try await store.commit(commit)
    }
    #expect(
      try await store.coolDowns(after: Runs.start)
        == [origin: Runs.start + .seconds(100)])
    #expect(try await store.coolDowns(after: Runs.start + .seconds(100)).isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `a cool-down of a wrong clock is replaced`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let origin = ExactText("https://x.test")
    let (end, wrong) = (Runs.start + .seconds(100), Runs.start + RetryAfter.delayMax * 2)
    for (number, until) in [wrong, end].enumerated() {
      var commit = RunCommit(record: Runs.record(number))
      commit.coolDowns[origin] = until
      _ = try await store.commit(commit)
    }
    #expect(try await store.coolDowns(after: Runs.start) == [origin: end])
    // The scheduler stores cooldowns by the same rule.
    for until in [wrong, end] {
      var memory = SchedulerMemory()
      memory.coolDowns[origin] = until
      try await store.remember(memory)
    }
    #expect(try await store.coolDowns(after: Runs.start) == [origin: end])
  }

  @Test(arguments: StoreKind.allCases)
  func `a job's status distinguishes a job without news from a failing one`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await Runs.run(1, store, items: [Runs.item("a", title: "A")], at: Runs.start)
    try await Runs.run(2, store, items: [], at: Runs.start + .seconds(1))
    let failed = Runs.record(
      3, outcome: .failed(Failure(.tls, "no")), at: Runs.start + .seconds(2))
    _ = try await store.commit(RunCommit(record: failed))
    // A run that is under way is not a success yet.
    _ = try await store.openJob(
      "news", run: Runs.id(4), plugin: nil, noting: Runs.record(4, at: Runs.start + .seconds(3)))
    let status = try #require(try await store.jobs().first)
    #expect(status.name == "news" && status.plugin == "rss" && status.itemCount == 1)
    #expect(status.lastRunAt == Runs.start + .seconds(3))
    #expect(status.lastSuccessAt == Runs.start + .seconds(1))
    #expect(status.lastNewDataAt == Runs.start)
  }
}

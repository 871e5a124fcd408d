import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of automatic retention, which runs once a day in small steps. Each step continues from the
/// previous step.
@Suite struct RetentionStepTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("store.sqlite")
  }

  private func day(_ number: Int64) -> Timestamp { Runs.start + .seconds(number * 86_400) }

  private func open(_ retention: Retention? = nil, pagesMax: Int? = nil) async throws -> SQLiteStore
  {
    var options = StoreOptions()
    options.waitMax = .zero
    options.retention = retention
    return try await SQLiteStore.open(at: path, options: options, pagesMax: pagesMax)
  }

  /// Does all due steps of retention and returns their number.
  private func keepUp(
    _ store: any Store, _ retention: Retention? = nil, at now: Timestamp
  ) async throws -> Int {
    var count = 0
    while try await store.keepUp(retention, now: now) == .goesOn { count += 1 }
    return count
  }

  @Test(arguments: StoreKind.lasting)
  func `retention is due once a day, but not on a store's first day`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    #expect(try await store.keepUp(nil, now: day(0)) == .rests(until: day(1)))
    try await Runs.run(1, store, items: [Runs.item("a")], at: day(0))
    #expect(try await store.keepUp(nil, now: day(0)) == .rests(until: day(1)))
    #expect(try await keepUp(store, at: day(1)) > 0)
    #expect(try await store.keepUp(nil, now: day(1)) == .rests(until: day(2)))
    let again = try await bench.restarted().store
    #expect(try await again.keepUp(nil, now: day(1)) == .rests(until: day(2)))
    // The clock was wrong by a year.
    #expect(try await keepUp(again, at: day(-365)) > 0)
  }

  @Test(arguments: StoreKind.lasting)
  func `by default runs expire after 90 days, removed items after a year`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    var rules = ItemRules()
    rules.complete = true
    let (a, b) = (Runs.item("a"), Runs.item("b"))
    try await Runs.run(1, store, items: [a, b], rules: rules, at: day(0))
    try await Runs.run(2, store, items: [a], rules: rules, at: day(1))
    try await Runs.run(3, store, items: [a], rules: rules, at: day(200))
    _ = try await keepUp(store, at: day(200))
    #expect(try await store.allRuns().map(\.run) == [Runs.id(3)])
    let versions = try await store.versions(job: "news", key: ItemKey("b"))
    #expect(versions.map(\.change) == [.removed, .added])
    try await Runs.run(4, store, items: [a], rules: rules, at: day(380))
    _ = try await keepUp(store, at: day(380))
    #expect(try await store.versions(job: "news", key: ItemKey("b")).isEmpty)
    #expect(try await store.versions(job: "news", key: ItemKey("a")).count == 1)
  }

  @Test(arguments: StoreKind.lasting)
  func `a config's retention also applies to commands without one`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    for number in 1...5 {
      try await Runs.run(number, store, items: [Runs.item("a", title: "\(number)")], at: day(0))
    }
    var retention = Retention()
    retention.runDays = 500
    retention.versionCount = 2
    _ = try await keepUp(store, retention, at: day(100))
    #expect(try await store.retention() == retention)
    #expect(try await store.allRuns().count == 5)
    let versions = try await store.versions(job: "news", key: ItemKey("a"))
    #expect(versions.map(\.title) == ["5", "4"])
    _ = try await keepUp(store, at: day(200))
    #expect(try await store.allRuns().count == 5)
    // A different retention is due immediately.
    retention.runDays = 50
    #expect(try await keepUp(store, retention, at: day(200)) > 0)
    #expect(try await store.allRuns().isEmpty)
  }

  @Test(arguments: StoreKind.lasting)
  func `a step is small, and another process continues where the last one ended`(
    kind: StoreKind
  ) async throws {
    var bench = try await StoreBench(kind)
    for number in 0..<40 {
      let items = (0..<50).map { Runs.item("\($0)", title: "\(number)") }
      try await Runs.run(number, bench.store, items: items, at: day(0))
    }
    var retention = Retention()
    retention.versionCount = 3
    var steps = 0
    while try await bench.store.keepUp(retention, now: day(2)) == .goesOn {
      steps += 1
      if steps % 3 == 0 { bench = try await bench.restarted() }
      try #require(steps < 100, "each process begins again")
    }
    // At most 500 of the 2,000 changes are checked in a step.
    #expect(steps >= 10)
    for key in (0..<50).map({ ItemKey("\($0)") }) {
      let versions = try await bench.store.versions(job: "news", key: key)
      #expect(versions.map(\.title) == ["39", "38", "37"])
    }
    #expect(try await bench.store.allItems(ItemQuery(since: 0)).count == 150)
    #expect(try await bench.store.check().isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `the size of a job has its versions and its state`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    func size(_ number: Int) async throws -> Int {
      let snapshot = try await store.openJob("news", run: Runs.id(number))
      store.abandon("news", run: Runs.id(number))
      return snapshot.storedBytes
    }
    #expect(try await size(9) == 0)
    for number in 0..<5 {
      try await Runs.run(number, store, items: [Runs.item("ä", title: "ü \(number)", content: "x")])
    }
    let items = try await store.allItems(ItemQuery(since: 0))
    let sizes = items.map { ItemChange.storedBytes(key: $0.key, fields: $0.fieldsJSON.utf8.count) }
    #expect(try await size(9) == sizes.reduce(0, +))
    var commit = RunCommit(record: Runs.record(9))
    let state: Value = ["seen": .string(String(repeating: "x", count: 1000))]
    commit.state = state
    _ = try await store.commit(commit)
    #expect(try await size(10) == sizes.reduce(0, +) + state.encoded.count)
    if kind != .memory {
      var retention = Retention()
      retention.versionCount = 2
      _ = try await store.prune(retention, now: day(1))
      #expect(try await size(10) == sizes.suffix(2).reduce(0, +) + state.encoded.count)
    }
    #expect(try await store.reset(job: "news"))
    #expect(try await size(10) == 0)
  }

  @Test func `large versions are removed a few at a time, and none is skipped`() async throws {
    let store = try await open()
    for number in 0..<12 {
      let item = Runs.item("a", content: String(repeating: "\(number % 10)", count: 600_000))
      try await Runs.run(number, store, items: [item], at: day(0))
    }
    var retention = Retention()
    retention.versionCount = 1
    // Ten versions are removed, two in a step.
    #expect(try await keepUp(store, retention, at: day(2)) > 10)
    #expect(try store.reader.items(ItemQuery(since: 0)).count == 1)
  }

  @Test func `the pages that pruning frees are used again`() async throws {
    let store = try await open()
    func pages() throws -> Int64 {
      try #require(try SQLConnection(at: path, .readOnly).integer("PRAGMA page_count"))
    }
    func month(_ number: Int) async throws {
      for day in 0..<30 {
        let item = Runs.item("a", content: String(repeating: "\(day) \(number) ", count: 20_000))
        let time = self.day(Int64(number * 30 + day))
        try await Runs.run(number * 30 + day, store, items: [item], at: time)
        _ = try await keepUp(store, at: time)
      }
    }
    for number in 0..<3 { try await month(number) }
    let before = try pages()
    for number in 3..<6 { try await month(number) }
    #expect(try pages() <= before + before / 20)
    try await store.close()
  }

  @Test func `a store with little space drops old versions and keeps every item`() async throws {
    let store = try await open(pagesMax: 250)
    var failed = 0
    for number in 0..<60 {
      let items = (0..<3).map {
        Runs.item("\($0)", content: String(repeating: "\(number) ", count: 4000))
      }
      do { try await Runs.run(number, store, items: items, at: day(0)) } catch {
        #expect((error as? StoreError)?.code == .full)
        failed += 1
      }
      // The steps are more than an hour apart.
      _ = try await keepUp(store, at: Runs.start + .seconds(Int64(number) * 4000))
    }
    #expect(failed == 0)
    #expect(try store.reader.items(ItemQuery()).count == 3)
  }

  @Test func `a full store reports its limit, and accepts more after the limit is raised`()
    async throws
  {
    var retention = Retention()
    retention.bytesMax = 1_000_000
    let store = try await open(retention)
    let large = Runs.item("large", content: String(repeating: "x", count: 2_000_000))
    let error = await #expect(throws: StoreError.self) {
      try await Runs.run(1, store, items: [large])
    }
    #expect(
      error
        == StoreError(
          .full,
          "the store \(path) has reached its maximum size of 976 KiB: raise `size` under `keep` in the "
            + "config, or keep less data"))
    retention.bytesMax = 10_000_000
    try await store.setLimits(retention)
    #expect(store.jobBytesMax == 2_500_000)
    try await Runs.run(2, store, items: [large])
  }

  @Test func `a store of an earlier version gets the sizes of its jobs`() async throws {
    let store = try await open()
    for number in 0..<5 {
      try await Runs.run(number, store, items: [Runs.item("ä", title: "ü \(number)", content: "x")])
    }
    let size = try await store.openJob("news", run: Runs.id(9)).storedBytes
    #expect(size > 0)
    try await store.close()
    try OldStore.takeBack(path, to: 9)
    let again = try await open()
    #expect(try await again.openJob("news", run: Runs.id(9)).storedBytes == size)
  }

  @Test func `a pruned store can be compacted`() async throws {
    let store = try await open()
    for number in 0..<10 {
      let item = Runs.item("a", content: String(repeating: "\(number)", count: 300_000))
      try await Runs.run(number, store, items: [item])
    }
    var retention = Retention()
    retention.versionCount = 1
    _ = try await store.prune(retention, now: day(1))
    try await store.compact()
    try await store.close()
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(try #require(size) < 700_000)
    #expect(try StoreReader(at: path).items(ItemQuery()).count == 1)
  }
}

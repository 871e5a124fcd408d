import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Testing

/// Tests of stores with values that fetchrun has not written. Such a value may fail a request, but
/// must neither end the process nor stop the other jobs.
@Suite struct DamagedStoreTests {
  @Test(arguments: StoreKind.lasting)
  func `a job with a damaged state is refused, and the other jobs continue`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let items = [Runs.item("a")]
    try await Runs.run(1, store, items: items)
    let type = kind == .sqlite ? "BLOB" : "bytea"
    try bench.execute("UPDATE jobs SET state = CAST('~~~' AS \(type))")
    let damage = StoreError(
      .rejected,
      "the stored state of the job 'news' is damaged: `fetchrun reset` removes the state and the"
        + " items of the job")
    await #expect(throws: damage) { _ = try await store.openJob("news", run: Runs.id(2)) }
    await #expect(throws: damage) {
      _ = try await store.openJob("news", run: Runs.id(2), plugin: nil, noting: Runs.record(2))
    }
    #expect(
      try await Runs.run(3, store, job: "other", items: items)
        == .newData(ChangeCounts(added: 1)))
    #expect(try await store.reset(job: "news"))
    #expect(try await Runs.run(4, store, items: items) == .newData(ChangeCounts(added: 1)))
  }

  @Test(.timeLimit(.minutes(5)), arguments: StoreKind.lasting)
  func `a cycle of versions ends`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    for number in 1...3 {
      try await Runs.run(number, store, items: [Runs.item("a", title: "\(number)")])
    }
    try bench.execute("UPDATE changes SET previous = 3 WHERE sequence = 1")
    #expect(
      try await store.versions(job: "news", key: ItemKey("a")).map(\.title) == ["3", "2", "1"])
    var retention = Retention()
    retention.versionCount = 1
    #expect(try await store.prune(retention, now: Runs.start) == 2)
    #expect(try await store.versions(job: "news", key: ItemKey("a")).map(\.title) == ["3"])
  }

  @Test(arguments: StoreKind.lasting, [Int64.max, .min])
  func `impossible counts are limited`(kind: StoreKind, count: Int64) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    var commit = RunCommit(record: Runs.record(1, outcome: .newData(ChangeCounts(added: 1))))
    commit.state = "x"
    let transfer = try await store.newTransferID()
    commit.transfers = [
      QueuedTransfer(
        id: transfer, request: TransferRequest(url: "https://a.test/", to: try FilePath("a")))
    ]
    commit.deliveries = [
      NewDelivery(
        hook: "chat", job: "news", run: nil, event: .newData, payload: "{}", key: "1",
        createdAt: Runs.start)
    ]
    _ = try await store.commit(commit)
    // An expression, since the lowest integer has no literal in every database.
    let value = count == .max ? "9223372036854775807" : "-9223372036854775807 - 1"
    try bench.execute(
      """
      UPDATE jobs SET bytes = \(value);
      UPDATE runs SET added = \(value), updated = \(value), removed = \(value);
      UPDATE transfers SET attempts = \(value), failures = \(value), changes = \(value);
      UPDATE outbox SET attempts = \(value)
      """)
    let most = count == .max ? 1 << 40 : 0
    #expect(try await store.openJob("news", run: Runs.id(2)).storedBytes >= 0)
    let counts = ChangeCounts(added: most, updated: most, removed: most)
    let outcomes = try await store.allRuns().map(\.outcome)
    #expect(outcomes == [.newData(counts)])
    #expect(counts.total >= 0)
    let record = try #require(try await store.transfer(transfer))
    #expect([record.attemptCount, record.failureCount, record.changeCount] == [most, most, most])
    let deliveries = try await store.pendingDeliveries(after: 0)
    #expect(deliveries.map(\.attemptCount) == [most])
  }

  @Test(arguments: ["runs", "transfers"])
  func `an impossible number of a SQLite store is reported as damage`(table: String) async throws {
    let bench = try await StoreBench(.sqlite)
    let record = Runs.record(1)
    _ = try await bench.store.openJob("news", run: record.run, plugin: nil, noting: record)
    let old = bench.store
    let id = try await old.newTransferID()
    var commit = RunCommit(record: record)
    commit.transfers = [
      QueuedTransfer(
        id: id, request: TransferRequest(url: "https://a.test/", to: try FilePath("a")))
    ]
    _ = try await old.commit(commit)
    try bench.execute(
      "UPDATE sqlite_sequence SET seq = \(Int64.max) WHERE name = '\(table)'")
    let again = try await bench.restarted()
    let error = await #expect(throws: StoreError.self) {
      if table == "runs" {
        _ = try await again.store.commit(RunCommit(record: Runs.record(2)))
      } else {
        _ = try await again.store.newTransferID()
      }
    }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("is damaged: it has an impossible number") == true)
  }

  @Test func `retention survives impossible times of items`() async throws {
    let bench = try await StoreBench(.sqlite)
    try await Runs.run(1, bench.store, items: [Runs.item("a")])
    try bench.execute("UPDATE items SET last_seen_at = -9223372036854775807 - 1, presence = 1")
    var retention = Retention()
    retention.itemDays = 1
    _ = try await bench.store.prune(retention, now: Runs.start)
    #expect(try await bench.store.check().isEmpty)
  }
}

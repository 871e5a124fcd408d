import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of deliveries in the store, which are written together with their run or not at all.
@Suite struct OutboxStoreTests {
  let folder: TemporaryFolder
  let store: SQLiteStore

  init() async throws {
    folder = try TemporaryFolder()
    store = try await SQLiteStore.open(at: folder.file("store.sqlite"))
  }

  private func new(
    _ key: String, hook: HookName = "chat", notBefore: Timestamp? = nil
  ) -> NewDelivery {
    NewDelivery(
      hook: hook, job: "news", run: Runs.id(1), event: .newData, payload: #"{"id":"\#(key)"}"#,
      key: key, notBefore: notBefore, createdAt: Runs.start)
  }

  @discardableResult
  private func commit(_ number: Int, _ deliveries: [NewDelivery]) async throws -> CommitReceipt {
    _ = try await store.openJob("news", run: Runs.id(number))
    var commit = RunCommit(record: Runs.record(number, job: "news"))
    commit.deliveries = deliveries
    return try await store.commit(commit)
  }

  @Test func `deliveries are read back as written, in their order`() async throws {
    let later = Runs.start + .seconds(60)
    let receipt = try await commit(1, [new("a"), new("b", hook: "mail", notBefore: later)])
    #expect(receipt.deliveryCount == 2)
    let reader = try StoreReader(at: store.path)
    let pending = try reader.pendingDeliveries()
    #expect(pending.map(\.id) == [1, 2])
    #expect(pending.map(\.payload) == ["", ""])
    #expect(pending[1].nextAttemptAt == later)
    var expected = Delivery(
      id: 1, hook: "chat", job: "news", event: .newData, payload: #"{"id":"a"}"#, key: "a",
      createdAt: Runs.start)
    expected.run = Runs.id(1)
    #expect(try reader.deliveries([1, 7]) == [expected])
    #expect(try reader.pendingDeliveries(after: 1).map(\.id) == [2])
    #expect(try reader.listedDeliveries(onlyDead: false, hook: "mail").map(\.id) == [2])
  }

  @Test func `deliveries contain the sequences of their items`()
    async throws
  {
    try await Runs.run(1, store, items: [Runs.item("a")])
    _ = try await store.openJob("news", run: Runs.id(2))
    let result = IdentifiedItems([Runs.item("b"), Runs.item("c")], rules: ItemRules())
    var commit = RunCommit(record: Runs.record(2, outcome: .newData(ChangeCounts(added: 2))))
    commit.changes = Diff.decide(
      result, rules: ItemRules(), known: KnownItems(), isFirstRun: false, isWhole: true,
      now: Runs.start)
    let hook = HookConfig(name: "chat", sink: .command(CommandSettings(words: ["true"])))
    commit.deliveries = DeliveryRule(hooks: [hook], record: commit.record, now: Runs.start)
      .deliveries(of: commit.changes.changes, history: nil)
    _ = try await store.commit(commit)
    let delivery = try #require(try store.reader.deliveries([1]).first)
    let items = try #require(try JSONReader.decode(delivery.payload)["items"]?.arrayValue)
    let stored = try store.reader.items(ItemQuery(job: "news", since: 1))
    #expect(try items.map { try JSONWriter.text($0) } == stored.map(\.json))
    #expect(items.count == 2)
  }

  @Test func `a commit that fails leaves no delivery`() async throws {
    let small = try await SQLiteStore.open(at: folder.file("small.sqlite"), pagesMax: 60)
    _ = try await small.openJob("news", run: Runs.id(1))
    var commit = RunCommit(record: Runs.record(1))
    let long = String(repeating: "x", count: 1 << 20)
    commit.deliveries = [
      new("a"),
      NewDelivery(
        hook: "chat", job: "news", run: nil, event: .newData, payload: DeliveryPayload(long),
        key: "b", createdAt: Runs.start),
    ]
    await #expect(throws: StoreError.self) { _ = try await small.commit(commit) }
    #expect(try small.reader.deliveryCounts() == (0, 0))
    #expect(try small.reader.runs().isEmpty)
  }

  @Test func `a delivery's state is read back, and a delivered one is removed`() async throws {
    try await commit(1, [new("a"), new("b"), new("c")])
    var pending = try store.reader.pendingDeliveries()
    pending[0].state = .dead
    pending[0].failure = "the receiver answered 410"
    pending[0].attemptCount = 3
    pending[0].failingSince = Runs.start
    pending[1].digest = 2
    pending[1].nextAttemptAt = Runs.start
    try await store.update(Array(pending.prefix(2)))
    try await store.removeDeliveries([3])
    let listed = try store.reader.listedDeliveries(onlyDead: false)
    #expect(listed == Array(pending.prefix(2)))
    #expect(try store.reader.listedDeliveries(onlyDead: true) == [pending[0]])
    #expect(try store.reader.deliveryCounts() == (1, 1))
    try await commit(2, [new("d")])
    #expect(try store.reader.pendingDeliveries().map(\.id) == [2, 4], "no id is assigned twice")
  }

  @Test func `a delivery without a run is written only once for each mark`() async throws {
    #expect(try await store.notifyStale(new("a"), what: .success, since: Runs.start))
    #expect(try await !store.notifyStale(new("b"), what: .success, since: Runs.start))
    #expect(
      try await store.notifyStale(
        new("c"), what: .success, since: Runs.start + .seconds(1)))
    #expect(try store.reader.pendingDeliveries().map(\.key) == ["a", "c"])
  }

  @Test func `given-up deliveries are kept as long as runs`() async throws {
    try await commit(1, [new("a"), new("b")])
    var pending = try store.reader.pendingDeliveries()
    pending[0].state = .dead
    try await store.update(pending)
    _ = try await store.prune(Retention(), now: Runs.start + .seconds(91 * 86_400))
    #expect(try store.reader.listedDeliveries(onlyDead: false).map(\.key) == ["b"])
  }
}

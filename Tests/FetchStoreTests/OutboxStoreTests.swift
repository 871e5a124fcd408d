import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

/// Tests of deliveries in the store, which are written together with their run or not at all.
@Suite struct OutboxStoreTests {
  private func new(
    _ key: String, hook: HookName = "chat", notBefore: Timestamp? = nil
  ) -> NewDelivery {
    NewDelivery(
      hook: hook, job: "news", run: Runs.id(1), event: .newData, payload: #"{"id":"\#(key)"}"#,
      key: key, notBefore: notBefore, createdAt: Runs.start)
  }

  @discardableResult
  private func commit(
    _ store: any Store, _ number: Int, _ deliveries: [NewDelivery]
  ) async throws -> CommitReceipt {
    _ = try await store.openJob("news", run: Runs.id(number))
    var commit = RunCommit(record: Runs.record(number, job: "news"))
    commit.deliveries = deliveries
    return try await store.commit(commit)
  }

  @Test(arguments: StoreKind.allCases)
  func `deliveries are read back as written, in their order`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let later = Runs.start + .seconds(60)
    let receipt = try await commit(store, 1, [new("a"), new("b", hook: "mail", notBefore: later)])
    #expect(receipt.deliveryCount == 2)
    let pending = try await store.pendingDeliveries(after: 0)
    #expect(pending.map(\.id) == [1, 2])
    #expect(pending.map(\.payload) == ["", ""])
    #expect(pending[1].nextAttemptAt == later)
    var expected = Delivery(
      id: 1, hook: "chat", job: "news", event: .newData, payload: #"{"id":"a"}"#, key: "a",
      createdAt: Runs.start)
    expected.run = Runs.id(1)
    #expect(try await store.deliveries([1, 7]) == [expected])
    #expect(try await store.deliveries([2, 9, 1]).map(\.id) == [2, 1])
    #expect(try await store.pendingDeliveries(after: 1).map(\.id) == [2])
    #expect(try await store.listedDeliveries(onlyDead: false, hook: "mail").map(\.id) == [2])
  }

  @Test(arguments: StoreKind.allCases)
  func `a delivery's state is read back, and a delivered one is removed`(kind: StoreKind)
    async throws
  {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await commit(store, 1, [new("a"), new("b"), new("c")])
    var pending = try await store.pendingDeliveries(after: 0)
    pending[0].state = .dead
    pending[0].failure = "the receiver answered 410"
    pending[0].attemptCount = 3
    pending[0].failingSince = Runs.start
    pending[1].digest = 2
    pending[1].nextAttemptAt = Runs.start
    try await store.update(Array(pending.prefix(2)))
    try await store.removeDeliveries([3])
    let listed = try await store.listedDeliveries(onlyDead: false, hook: nil)
    #expect(listed == Array(pending.prefix(2)))
    #expect(try await store.listedDeliveries(onlyDead: true, hook: nil) == [pending[0]])
    #expect(try await store.deliveryCounts() == (1, 1))
    try await commit(store, 2, [new("d")])
    // No id is assigned twice.
    #expect(try await store.pendingDeliveries(after: 0).map(\.id) == [2, 4])
  }

  @Test(arguments: StoreKind.allCases)
  func `only a delivery without an attempt gets a new time, and a revived one has no failure`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await commit(store, 1, [new("a"), new("b", hook: "mail"), new("c")])
    var dead = try #require(try await store.deliveries([1]).first)
    dead.state = .dead
    dead.failure = "gone"
    dead.attemptCount = 3
    try await store.update([dead])
    let later = Runs.start + .seconds(60)
    try await store.setDeliveryTimes([1: later, 2: later])
    let listed = try await store.listedDeliveries(onlyDead: false, hook: nil)
    #expect(listed.map(\.nextAttemptAt) == [nil, later, nil])
    #expect(try await store.revive(1)?.state == .pending)
    let revived = try await store.pendingDeliveries(after: 0)
    #expect(revived.map(\.id) == [1, 2, 3])
    #expect(revived[0].failure == nil && revived[0].attemptCount == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func `a delivery without a run is written only once for each mark`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    #expect(try await store.notifyStale(new("a"), what: .success, since: Runs.start))
    #expect(try await !store.notifyStale(new("b"), what: .success, since: Runs.start))
    #expect(
      try await store.notifyStale(
        new("c"), what: .success, since: Runs.start + .seconds(1)))
    #expect(try await store.notifyStale(new("d"), what: .newData, since: Runs.start))
    #expect(try await store.pendingDeliveries(after: 0).map(\.key) == ["a", "c", "d"])
  }

  @Test(arguments: StoreKind.lasting)
  func `given-up deliveries are kept as long as runs`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await commit(store, 1, [new("a"), new("b")])
    var pending = try await store.pendingDeliveries(after: 0)
    pending[0].state = .dead
    try await store.update(pending)
    _ = try await store.prune(Retention(), now: Runs.start + .seconds(91 * 86_400))
    #expect(try await store.listedDeliveries(onlyDead: false, hook: nil).map(\.key) == ["b"])
  }
}

import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

/// Tests of retention that a user orders, which removes everything at once.
@Suite struct RetentionTests {
  private func day(_ number: Int64) -> Timestamp { Runs.start + .seconds(number * 86_400) }

  private func retention(
    versions: Int? = nil, runDays: Int? = nil, itemDays: Int? = nil, tombstoneDays: Int? = nil
  ) -> Retention {
    var retention = Retention()
    retention.versionCount = versions
    retention.runDays = runDays
    retention.itemDays = itemDays
    retention.tombstoneDays = tombstoneDays
    return retention
  }

  @Test(arguments: StoreKind.lasting)
  func `the newest versions of an item are kept`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    for number in 1...5 {
      try await Runs.run(number, store, items: [Runs.item("a", title: "\(number)")])
    }
    #expect(try await store.prune(retention(versions: 2), now: Runs.start) == 3)
    #expect(try await store.versions(job: "news", key: ItemKey("a")).map(\.title) == ["5", "4"])
  }

  @Test(arguments: StoreKind.lasting)
  func `old run records are removed, but their items are kept`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await Runs.run(1, store, items: [Runs.item("a")], at: day(0))
    try await Runs.run(2, store, items: [Runs.item("a")], at: day(10))
    _ = try await store.prune(retention(runDays: 5), now: day(11))
    #expect(try await store.allRuns().map(\.run) == [Runs.id(2)])
    #expect(try await store.allItems(ItemQuery()).count == 1)
  }

  @Test(arguments: StoreKind.lasting)
  func `a reader learns that a run between two others was removed`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    // The second run began long before the others, and ended between them.
    for (number, start) in [(1, day(9)), (2, day(0)), (3, day(9))] {
      try await Runs.run(number, store, items: [Runs.item("a")], at: start)
    }
    _ = try await store.prune(retention(runDays: 5), now: day(10))
    #expect(Set(try await store.allRuns().map(\.run)) == [Runs.id(1), Runs.id(3)])
    let ends = try await store.endedRuns(after: 0, limit: 9)
    #expect(ends.hasGap && ends.runs.isEmpty && ends.end == 3)
    #expect(try await store.endedRuns(after: 2, limit: 9).runs.map(\.ended) == [3])
  }

  @Test(arguments: StoreKind.lasting)
  func `a pruned item does not come back as new`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let old = Runs.item("old", title: "O")
    try await Runs.run(1, store, items: [old], at: day(0))
    try await Runs.run(2, store, items: [Runs.item("new", title: "N")], at: day(40))
    _ = try await store.prune(retention(itemDays: 30), now: day(40))
    #expect(try await store.allItems(ItemQuery()).map(\.key.text) == ["new"])
    #expect(
      try await Runs.run(3, store, items: [old], at: day(41)) == .noData(.sameItems))
    _ = try await store.prune(retention(itemDays: 30, tombstoneDays: 60), now: day(41))
    #expect(try await Runs.run(4, store, items: [old], at: day(42)) == .noData(.sameItems))
  }

  @Test(arguments: StoreKind.lasting)
  func `the record of a removed item expires`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let old = Runs.item("old", title: "O")
    try await Runs.run(1, store, items: [old], at: day(0))
    try await Runs.run(2, store, items: [Runs.item("new", title: "N")], at: day(100))
    _ = try await store.prune(retention(itemDays: 30, tombstoneDays: 60), now: day(100))
    #expect(
      try await Runs.run(3, store, items: [old], at: day(101))
        == .newData(ChangeCounts(added: 1)))
  }

  @Test(arguments: StoreKind.lasting)
  func `an item that the source still has is kept, however old it is`(kind: StoreKind) async throws
  {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let items = [Runs.item("a", title: "A")]
    for number in 0..<20 {
      try await Runs.run(number, store, items: items, at: day(Int64(number * 10)))
    }
    _ = try await store.prune(retention(itemDays: 30), now: day(200))
    #expect(try await store.allItems(ItemQuery()).count == 1)
  }

  @Test(arguments: StoreKind.lasting)
  func `an item that the source still has is kept with any retention`(kind: StoreKind) async throws
  {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let items = [Runs.item("a", title: "A")]
    try await Runs.run(1, store, items: items, at: day(0))
    // The store updates the last-seen time of the first item only once a week.
    let both = items + [Runs.item("b", title: "B")]
    try await Runs.run(2, store, items: both, at: day(6))
    _ = try await store.prune(retention(itemDays: 1, tombstoneDays: 1), now: day(6))
    #expect(try await store.allItems(ItemQuery()).count == 2)
  }

  @Test(arguments: StoreKind.lasting)
  func `a job that was paused for a year loses no items`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let items = [Runs.item("a", title: "A")]
    try await Runs.run(1, store, items: items, at: day(0))
    _ = try await store.prune(retention(itemDays: 30, tombstoneDays: 60), now: day(365))
    #expect(try await store.allItems(ItemQuery()).count == 1)
  }
}

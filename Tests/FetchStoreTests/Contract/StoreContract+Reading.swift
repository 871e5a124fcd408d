import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

/// The contract for pages, sequences and the search for runs.
extension StoreContract {
  private static let manyCount = 2 * PageMark.countMax + 100

  private func fill(_ store: any Store) async throws {
    let items = (0..<Self.manyCount).map { Runs.item("\($0)", title: "item \($0)") }
    try await Runs.run(1, store, items: items)
    try await Runs.run(2, store, job: "other", items: [Runs.item("a")])
  }

  @Test(arguments: StoreKind.allCases)
  func `pages have every item once, in the order of the query`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await fill(store)
    let all = (1...Int64(Self.manyCount + 1)).map { $0 }
    #expect(try await store.allItems(ItemQuery(since: 0)).map(\.sequence) == all)
    #expect(try await store.allItems(ItemQuery()).map(\.sequence) == all.reversed())
    let news = try await store.allItems(ItemQuery(job: "news"))
    #expect(news.map(\.sequence) == all.dropLast().reversed())
    let log = try await store.allItems(ItemQuery(job: "news", since: 10))
    #expect(log.map(\.sequence) == Array(all.dropLast().dropFirst(10)))
    let first = try await store.items(ItemQuery(), after: nil)
    #expect(first.elements.count == PageMark.countMax && first.next != nil)
  }

  /// `others` is the number of changes of another job between the large items.
  @Test(arguments: StoreKind.allCases, [0, 30])
  func `a page ends with the item that reaches the limit in bytes`(
    kind: StoreKind, others: Int
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let content = String(repeating: "x", count: ReadBounds.pageBytesMax / 2)
    let keys = (0..<5).map { "\($0)" }
    for (number, key) in keys.enumerated() {
      try await Runs.run(2 * number, store, items: [Runs.item(key, content: content)])
      let rest = (0..<others).map { Runs.item("\(key)-\($0)") }
      try await Runs.run(2 * number + 1, store, job: "other", items: rest)
    }
    for query in [
      ItemQuery(), ItemQuery(since: 0), ItemQuery(job: "news"), ItemQuery(job: "news", since: 0),
      ItemQuery(job: "news", limit: 5),
    ] {
      var found: [String] = []
      var mark: PageMark?
      repeat {
        let page = try await store.items(query, after: mark)
        let large = page.elements.filter { $0.job == "news" }.map(\.key.text)
        #expect(large.count <= 2)
        found += large
        mark = page.next
      } while mark != nil
      #expect(found == (query.since == nil ? keys.reversed() : keys))
    }
  }

  /// `others` is the number of changes of other jobs between the changes of the job.
  @Test(arguments: StoreKind.allCases, [0, 30])
  func `the pages of a job have its newest versions, wherever they are stored`(
    kind: StoreKind, others: Int
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    // Each part changes some items of earlier parts.
    let (parts, share) = (60, 20)
    var versions: [String: Int] = [:]
    for part in 0..<parts {
      let changed = part == 0 ? [] : [part, part * share / 2]
      let numbers = Array(part * share..<(part + 1) * share) + changed
      for number in numbers { versions["\(number)"] = part }
      let items = numbers.map { Runs.item("\($0)", title: "\(part)") }
      try await Runs.run(2 * part, store, items: items)
      let rest = (0..<others * share).map { Runs.item("\(part)-\($0)") }
      try await Runs.run(2 * part + 1, store, job: "other", items: rest)
    }
    let found = try await store.allItems(ItemQuery(job: "news"))
    #expect(found.count == versions.count && found.count > PageMark.countMax)
    #expect(Dictionary(grouping: found, by: \.key).count == found.count)
    #expect(found.allSatisfy { versions[$0.key.text].map(String.init) == $0.title })
    #expect(found.allSatisfy { $0.job == "news" })
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.sequence > $1.sequence })
  }

  @Test(arguments: StoreKind.allCases)
  func `a limit applies to all pages together`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await fill(store)
    for limit in [0, 1, PageMark.countMax, PageMark.countMax + 1, 2 * Self.manyCount] {
      for query in [
        ItemQuery(limit: limit), ItemQuery(job: "news", limit: limit),
        ItemQuery(since: 0, limit: limit), ItemQuery(job: "news", since: 0, limit: limit),
      ] {
        let total = Self.manyCount + (query.job == nil ? 1 : 0)
        #expect(try await store.allItems(query).count == min(limit, total))
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `after a sequence was read, no lower sequence appears`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let count = 100
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask {
          let items = (0..<3).map { Runs.item("\($0)", title: "\(number)") }
          try await Runs.run(number, store, job: "job \(number)", items: items)
        }
      }
      // A reader that continues from its last sequence finds all changes in their order.
      var last: Int64 = 0
      while last < 3 * count {
        for item in try await store.allItems(ItemQuery(since: last)) {
          #expect(item.sequence == last + 1)
          last = item.sequence
        }
        await Task.yield()
      }
      try await group.waitForAll()
    }
    #expect(try await store.lastSequence() == Int64(3 * count))
  }

  @Test(arguments: StoreKind.allCases)
  func `a commit has consecutive sequences, and its deliveries contain them`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await Runs.run(1, store, items: [Runs.item("a")])
    let result = IdentifiedItems([Runs.item("b"), Runs.item("c")], rules: ItemRules())
    var commit = RunCommit(record: Runs.record(2, outcome: .newData(ChangeCounts(added: 2))))
    commit.changes = Diff.decide(
      result, rules: ItemRules(), known: KnownItems(), isFirstRun: false, isWhole: true,
      now: Runs.start)
    let hook = HookConfig(name: "chat", sink: .command(CommandSettings(words: ["true"])))
    commit.deliveries = DeliveryRule(hooks: [hook], record: commit.record, now: Runs.start)
      .deliveries(of: commit.changes.changes, history: nil)
    _ = try await store.openJob("news", run: Runs.id(2))
    let receipt = try await store.commit(commit)
    #expect(receipt.firstSequence == 2 && receipt.deliveryCount == 1)
    #expect(receipt.news(of: commit) == (try await store.allItems(ItemQuery(since: 1))))
    let delivery = try #require(try await store.deliveries([1]).first)
    let items = try #require(try JSONReader.decode(delivery.payload)["items"]?.arrayValue)
    #expect(
      try items.map { try JSONWriter.text($0) }
        == (try await store.allItems(ItemQuery(since: 1)).map(\.json)))
  }

  @Test(arguments: StoreKind.allCases)
  func `a run is found by its id, by the beginning of its id, and by its job`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    for number in 1...3 {
      try await Runs.run(number, store, job: number == 3 ? "other" : "news", items: [])
    }
    let ids = (1...3).map { Runs.id($0).description }
    for (number, id) in ids.enumerated() {
      #expect(try await store.run(named: id)?.run == Runs.id(number + 1))
      #expect(try await store.run(named: id.uppercased())?.run == Runs.id(number + 1))
    }
    #expect(try await store.run(named: String(ids[0].dropLast()))?.run == Runs.id(1))
    // All runs have started at the same time, so their ids begin alike.
    #expect(try await store.run(named: String(ids[0].prefix(8))) == nil)
    #expect(try await store.run(named: ids[0] + "0") == nil)
    #expect(try await store.run(named: "news")?.run == Runs.id(2))
    #expect(try await store.run(named: "other")?.run == Runs.id(3))
    #expect(try await store.run(named: "nobody") == nil)
    try await store.close()
  }
}

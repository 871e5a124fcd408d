import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchStorePostgres

/// Tests of a store in a PostgreSQL database behind a network that fails.
@Suite(.enabled(if: PostgresServer.isInstalled), .serialized, .timeLimit(.minutes(5)))
struct PostgresNetworkTests {
  private let relay: ServerRelay
  /// The address of the database behind the relay.
  private let relayed: StoreAddress
  /// The address of the database without the relay.
  private let address: StoreAddress

  init() throws {
    let server = try #require(PostgresServer.shared)
    relay = try ServerRelay(to: server.socketPath)
    address = try server.newDatabase()
    let name = address.path.split(separator: "/").last ?? ""
    relayed = .server(
      "postgresql://fetchrun@127.0.0.1:\(relay.port)/\(name)", folder: "\(server.folder)/\(name)")
  }

  /// Sets the limit for answers on the open connection that writes. A later connection has the
  /// usual limit.
  private func limitAnswers(_ store: PostgresStore, milliseconds: Int64) async throws {
    try await store.look { _, connection in connection.answerMilliseconds = milliseconds }
  }

  /// Checks that the runs 1 to `count` are stored once, with one new item each.
  private func expectStored(_ count: Int) async throws {
    let reader = try await PostgresReader(at: address)
    let items = try await reader.allItems(ItemQuery())
    #expect(items.map(\.sequence).sorted() == Array(1...Int64(count)))
    let runs = try await reader.allRuns()
    #expect(runs.count == count)
    #expect(Set(runs.map(\.run)) == Set((1...count).map(Runs.id)))
  }

  /// Runs until the store answers again, and returns the outcome. The store tries to connect once a
  /// second.
  private func runAgain(
    _ number: Int, _ store: PostgresStore, items: [ParsedItem]
  ) async -> Outcome {
    while true {
      if let outcome = try? await Runs.run(number, store, items: items) { return outcome }
      await Task.yield()
    }
  }

  @Test func `runs that end while connections are cut are stored once`() async throws {
    let store = try await PostgresStore.open(at: relayed)
    let (roundCount, runCount) = (10, 20)
    for round in 0..<roundCount {
      let first = round * runCount + 1
      try await Runs.runAll(first...(first + runCount - 1), store) {
        relay.become(.isCut, alsoNew: false)
      }
    }
    try await expectStored(roundCount * runCount)
    #expect(relay.connectionCount >= roundCount)
    try await store.close()
  }

  @Test func `a commit whose answer is lost is looked up and stored once`() async throws {
    let store = try await PostgresStore.open(at: relayed)
    try await Runs.run(1, store, items: [Runs.item("a")])
    let outcome = try await Runs.run(2, store, items: [Runs.item("a"), Runs.item("b")]) {
      try await limitAnswers(store, milliseconds: 1_000)
      relay.become(.losesAnswers, alsoNew: false)
    }
    #expect(outcome == .newData(ChangeCounts(added: 1)))
    #expect(relay.lostByteCount > 0)
    try await expectStored(2)
    try await Runs.run(3, store, items: [Runs.item("c")])
    try await expectStored(3)
    try await store.close()
  }

  @Test func `if all answers are lost, a commit is in doubt, and its items are not new again`()
    async throws
  {
    let store = try await PostgresStore.open(at: relayed)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try await store.onQueue { writer throws(StoreError) in writer.doubtMax = .zero }
    let items = [Runs.item("a"), Runs.item("b")]
    let error = await #expect(throws: StoreError.self) {
      try await Runs.run(2, store, items: items) {
        try await limitAnswers(store, milliseconds: 1_000)
        relay.become(.losesAnswers)
      }
    }
    #expect(error?.code == .inDoubt)
    let words = """
      timeout expired), so the data may be stored or not: check that the server runs; a daemon \
      connects again by itself
      """
    #expect(error?.message.hasSuffix(words) == true, "\(error?.message ?? "")")
    relay.become(.passes)
    #expect(await runAgain(3, store, items: items) == .noData(.sameItems))
    let reader = try await PostgresReader(at: address)
    #expect(try await reader.allItems(ItemQuery()).map(\.sequence).sorted() == [1, 2])
    #expect(try await reader.allRuns().map(\.run) == [3, 2, 1].map(Runs.id))
    try await store.close()
  }

  @Test func `a commit that the network delivers after the reconnection changes nothing`()
    async throws
  {
    let store = try await PostgresStore.open(at: relayed)
    try await Runs.run(1, store, items: [Runs.item("a")])
    let outcome = try await Runs.run(2, store, items: [Runs.item("a"), Runs.item("b")]) {
      try await limitAnswers(store, milliseconds: 100)
      relay.become(.isSilent, alsoNew: false)
    }
    #expect(outcome == .newData(ChangeCounts(added: 1)))
    try await expectStored(2)
    // The first request for the commit reaches the server's side only now.
    relay.become(.passes)
    while relay.endCount == 0 { await Task.yield() }
    try await Runs.run(3, store, items: [Runs.item("c")])
    try await expectStored(3)
    try await store.close()
  }

  @Test func `in a silent network, calls fail with advice, and work resumes by itself`()
    async throws
  {
    let store = try await PostgresStore.open(at: relayed)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try await limitAnswers(store, milliseconds: 100)
    relay.become(.isSilent)
    let error = await #expect(throws: StoreError.self) {
      try await Runs.run(2, store, items: [Runs.item("b")])
    }
    #expect(error?.code == .unreachable)
    let words = "fetchrun cannot connect to the server of the store \(relayed.path) ("
    #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("timeout expired): check that the server runs") == true)
    #expect(error?.failure.retryable == true)
    #expect(error?.reconnects == true)
    relay.become(.passes)
    #expect(
      await runAgain(2, store, items: [Runs.item("b")]) == .newData(ChangeCounts(added: 1)))
    try await expectStored(2)
    try await store.close()
  }

  @Test func `reads in a silent network fail together instead of one after the other`()
    async throws
  {
    try await PostgresStore.open(at: address).close()
    let reader = try await PostgresReader(at: relayed)
    try await reader.read { $0.answerMilliseconds = 100 }
    let count = relay.connectionCount
    relay.become(.isSilent)
    await withTaskGroup(of: StoreError.Code?.self) { group in
      for _ in 1...20 {
        group.addTask {
          do throws(StoreError) {
            _ = try await reader.allItems(ItemQuery())
            return nil
          } catch { return error.code }
        }
      }
      for await code in group { #expect(code == .unreachable) }
    }
    // Each attempt to connect takes two seconds.
    #expect((count + 1...count + 2).contains(relay.connectionCount))
    relay.become(.passes)
    var items: [StoredItem]?
    while items == nil {
      items = try? await reader.allItems(ItemQuery())
      await Task.yield()
    }
    #expect(items?.isEmpty == true)
  }

  @Test func `requests and answers that come in small pieces are read whole`() async throws {
    relay.become(.passesPieces)
    let store = try await PostgresStore.open(at: relayed)
    let long = String(repeating: "ä", count: 10_000)
    let items = (1...5).map { Runs.item("i\($0)", title: "\($0)" + long) }
    #expect(try await Runs.run(1, store, items: items) == .newData(ChangeCounts(added: 5)))
    #expect(try await Runs.run(2, store, items: items) == .noData(.sameItems))
    let read = try await store.allItems(ItemQuery())
    #expect(read.map(\.sequence).sorted() == [1, 2, 3, 4, 5])
    #expect(Set(read.map(\.title)) == Set(items.map(\.title)))
    #expect(try await store.allRuns().map(\.run) == [2, 1].map(Runs.id))
    try await store.close()
  }
}

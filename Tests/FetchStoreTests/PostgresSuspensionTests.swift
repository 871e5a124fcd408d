import FetchModel
import FetchStore
import FetchTestSupport
import Testing

@testable import FetchStorePostgres

/// Tests of a store in a PostgreSQL database whose server is stopped with SIGSTOP for a while. Each
/// test has a server of its own.
@Suite(.enabled(if: PostgresServer.isInstalled), .serialized, .timeLimit(.minutes(5)))
struct PostgresSuspensionTests {
  private let server: PostgresServer
  private let address: StoreAddress

  init() throws {
    server = try PostgresServer()
    address = try server.newDatabase()
  }

  @Test func `runs that end while the server is stopped are stored once`() async throws {
    let store = try await PostgresStore.open(at: address)
    let (roundCount, runCount) = (2, 30)
    for round in 0..<roundCount {
      let first = round * runCount + 1
      try await Runs.runAll(first...(first + runCount - 1), store) {
        let reader = try await PostgresReader(at: address)
        try await reader.read { $0.answerMilliseconds = 500 }
        try await store.look { _, connection in connection.answerMilliseconds = 500 }
        try server.suspend()
        defer { server.resume() }
        // The server is stopped until this call has failed.
        let error = await #expect(throws: StoreError.self) {
          try await reader.allItems(ItemQuery())
        }
        #expect(error?.code == .unreachable)
        #expect(error?.message.contains("timeout expired): check that the server runs") == true)
      }
    }
    let count = roundCount * runCount
    let items = try await store.allItems(ItemQuery())
    #expect(items.map(\.sequence).sorted() == Array(1...Int64(count)))
    #expect(Set(items.map(\.job)).count == count)
    #expect(try await store.allRuns().count == count)
    try await store.close()
  }

  @Test func `a lost connection that still locks the store is named until the server ends it`()
    async throws
  {
    let store = try await PostgresStore.open(at: address)
    try await Runs.run(1, store, items: [Runs.item("a")])
    let found = try await store.look { _, connection in
      let row = try connection.run(PostgresStatement("SELECT pg_backend_pid()")).first
      connection.answerMilliseconds = 100
      return row?.integer(0)
    }
    let process = Int32(try #require(found))
    PostgresServer.suspend(process)
    defer { PostgresServer.resume(process) }
    try await store.onQueue { writer throws(StoreError) in writer.lockMax = .zero }
    let error = await #expect(throws: StoreError.self) {
      try await Runs.run(2, store, items: [Runs.item("b")])
    }
    #expect(error?.code == .unreachable)
    #expect(
      error?.message == "the connection to the store \(address.path) was lost (the server has not"
        + " yet ended the lost connection, which still locks the store): try again; a daemon"
        + " connects again by itself")
    PostgresServer.resume(process)
    var outcome: Outcome?
    // The store tries to connect once a second. In between, each call fails at once.
    while outcome == nil { outcome = try? await Runs.run(3, store, items: [Runs.item("b")]) }
    #expect(outcome == .newData(ChangeCounts(added: 1)))
    #expect(try await store.allItems(ItemQuery()).map(\.sequence).sorted() == [1, 2])
    try await store.close()
  }
}

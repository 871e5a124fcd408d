import FetchModel
import FetchStore
import FetchStorePostgres
import FetchTestSupport
import Testing

/// Tests of a store in a PostgreSQL database that a standby copies, and of the promotion of the
/// standby after the primary is lost. Each test has two servers of its own.
@Suite(.enabled(if: PostgresServer.isInstalled), .serialized, .timeLimit(.minutes(5)))
struct PostgresStandbyTests {
  private let primary: PostgresServer
  private let standby: PostgresServer
  private let address: StoreAddress
  private let copy: StoreAddress
  /// The address with both servers. libpq connects to the one that accepts writes.
  private let both: StoreAddress

  /// Starts both servers. A commit in the store ends when the standby shows its changes, and other
  /// commits do not wait for the standby.
  init() throws {
    primary = try PostgresServer(
      settings: ["synchronous_standby_names=walreceiver", "synchronous_commit=local"])
    address = try primary.newDatabase(named: "news")
    standby = try primary.newStandby()
    copy = standby.address(of: "news")
    let hosts = [primary, standby].map { $0.folder.replacing("/", with: "%2F") }
    both = .server(
      "postgresql://fetchrun@\(hosts.joined(separator: ","))/news?target_session_attrs=read-write",
      folder: primary.folder + "/both")
    try primary.execute("ALTER DATABASE news SET synchronous_commit = remote_apply", in: address)
  }

  /// Returns the sequence numbers of all items, in order.
  private func sequences(_ store: any ReadableStore) async throws -> [Int64] {
    try await store.allItems(ItemQuery()).map(\.sequence).sorted()
  }

  /// Makes the standby the only server.
  private func failOver() throws {
    try primary.crash()
    try standby.promote()
  }

  @Test func `a standby answers reads, and names the primary to a process that wants to write`()
    async throws
  {
    let store = try await PostgresStore.open(at: address)
    try await Runs.run(1, store, items: [Runs.item("a")])
    let reader = try await PostgresReader(at: copy)
    #expect(try await sequences(reader) == [1])
    try await Runs.run(2, store, items: [Runs.item("b")])
    #expect(try await sequences(reader) == [1, 2])
    #expect(try await reader.allRuns().count == 2)
    #expect(
      try await reader.facts().weaknesses.contains(
        "the server of the store \(copy.path) is a standby, which accepts no writes: runs need the"
          + " address of the primary"))
    // The second database has no store yet.
    for (place, verb) in [(copy, "UPDATE"), (standby.address(of: "postgres"), "CREATE SCHEMA")] {
      let error = await #expect(throws: StoreError.self) {
        _ = try await PostgresStore.open(at: place)
      }
      #expect(error?.code == .readOnly)
      #expect(
        error?.message == "the server of the store \(place.path) accepts no writes (cannot execute"
          + " \(verb) in a read-only transaction): if it is a standby, use the address of the"
          + " primary server")
    }
    // The attempts have changed nothing.
    try await Runs.run(3, store, items: [Runs.item("c")])
    #expect(try await sequences(reader) == [1, 2, 3])
    try await store.close()
  }

  @Test func `after a failover, a writer that knows both servers continues without a loss`()
    async throws
  {
    let store = try await PostgresStore.open(at: both)
    for number in 1...3 {
      try await Runs.run(number, store, items: [Runs.item("i\(number)")])
    }
    let reader = try await PostgresReader(at: copy)
    #expect(try await sequences(reader) == [1, 2, 3])
    try failOver()
    #expect(
      try await Runs.run(4, store, items: [Runs.item("i4")]) == .newData(ChangeCounts(added: 1)))
    #expect(try await sequences(store) == [1, 2, 3, 4])
    // The reader has been connected to the standby all the while.
    #expect(try await sequences(reader) == [1, 2, 3, 4])
    #expect(try await reader.allRuns().count == 4)
    #expect(
      try await reader.facts().weaknesses.contains { $0.contains("is a standby") } == false)
    try await store.close()
  }

  @Test func `after a failover, a writer that knows only the old primary stores nothing more`()
    async throws
  {
    let old = try await PostgresStore.open(at: address)
    try await Runs.run(1, old, items: [Runs.item("a")])
    try failOver()
    // The right to write was a lock on the primary, so the new process need not wait.
    let store = try await PostgresStore.open(at: copy)
    try await Runs.run(2, store, items: [Runs.item("b")])
    for _ in 1...2 {
      let error = await #expect(throws: StoreError.self) {
        try await Runs.run(3, old, items: [Runs.item("c")])
      }
      #expect(error?.code == .unreachable)
      #expect(error?.message.contains("the server runs") == true, "\(error?.message ?? "")")
    }
    #expect(try await store.allItems(ItemQuery()).map(\.key.text) == ["b", "a"])
    #expect(try await sequences(store) == [1, 2])
    try await old.close()
    try await store.close()
  }

  @Test func `a process that opens the promoted standby ends the work of the earlier writer`()
    async throws
  {
    let old = try await PostgresStore.open(at: both)
    try await Runs.run(1, old, items: [Runs.item("a")])
    try failOver()
    let store = try await PostgresStore.open(at: copy)
    try await Runs.run(2, store, items: [Runs.item("b")])
    let first = await #expect(throws: StoreError.self) {
      try await Runs.run(3, old, items: [Runs.item("c")])
    }
    #expect(first?.code == .locked)
    try await store.close()
    var second: StoreError?
    // The server releases the lock a little after the connection is closed.
    repeat {
      second = await #expect(throws: StoreError.self) {
        try await Runs.run(4, old, items: [Runs.item("d")])
      }
    } while second?.code == .locked
    #expect(second?.code == .fenced)
    #expect(second?.message.contains("start fetchrun again") == true, "\(second?.message ?? "")")
    let reader = try await PostgresReader(at: copy)
    #expect(try await reader.allItems(ItemQuery()).map(\.key.text) == ["b", "a"])
    try await old.close()
  }

  @Test func `a writer that has met the standby is refused if another process writes meanwhile`()
    async throws
  {
    let anyServer = StoreAddress.server(
      both.path.replacing("?target_session_attrs=read-write", with: ""), folder: both.localStem)
    let old = try await PostgresStore.open(at: anyServer)
    try await Runs.run(1, old, items: [Runs.item("a")])
    try primary.crash()
    let first = await #expect(throws: StoreError.self) {
      try await Runs.run(2, old, items: [Runs.item("b")])
    }
    #expect(first?.code == .readOnly)
    #expect(first?.message.contains("accepts no writes (it is in recovery)") == true)
    try primary.start()
    let store = try await PostgresStore.open(at: address)
    try await Runs.run(3, store, items: [Runs.item("c")])
    try failOver()
    var second: StoreError?
    // The store tries to connect once a second.
    repeat {
      second = await #expect(throws: StoreError.self) {
        try await Runs.run(4, old, items: [Runs.item("d")])
      }
    } while second?.code == .readOnly
    #expect(second?.code == .fenced)
    let reader = try await PostgresReader(at: copy)
    #expect(try await reader.allItems(ItemQuery()).map(\.key.text) == ["c", "a"])
    try await old.close()
    try await store.close()
  }

  @Test func `an old primary that comes back is refused until it is gone again`() async throws {
    let store = try await PostgresStore.open(at: both)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try failOver()
    try await Runs.run(2, store, items: [Runs.item("b")])
    try standby.crash()
    try primary.start()
    var refused: StoreError?
    // The store tries to connect once a second.
    repeat {
      refused = await #expect(throws: StoreError.self) {
        try await Runs.run(3, store, items: [Runs.item("c")])
      }
    } while refused?.code == .unreachable
    #expect(refused?.code == .readOnly)
    #expect(
      refused?.message == "the server of the store \(both.path) was replaced by its standby (its"
        + " timeline is 1, and the newest is 2): stop this server, or use the address of the new"
        + " primary server")
    try primary.crash()
    try standby.start()
    var outcome: Outcome?
    repeat {
      outcome = try? await Runs.run(4, store, items: [Runs.item("d")])
    } while outcome == nil
    #expect(outcome == .newData(ChangeCounts(added: 1)))
    #expect(try await store.allItems(ItemQuery()).map(\.key.text) == ["d", "b", "a"])
    try await store.close()
  }

  @Test func `items of a run that the standby lacks are found again, with new numbers`()
    async throws
  {
    let store = try await PostgresStore.open(at: both)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try primary.execute("ALTER DATABASE news RESET synchronous_commit", in: address)
    // The next connection of the store does not wait for the standby.
    try primary.execute(
      """
      SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
      WHERE application_name LIKE 'fetchrun%'
      """, in: address)
    try standby.crash()
    try await Runs.run(2, store, items: [Runs.item("b")])
    #expect(try await sequences(store) == [1, 2])
    try primary.crash()
    try standby.start()
    try standby.promote()
    #expect(
      try await Runs.run(3, store, items: [Runs.item("a"), Runs.item("b")])
        == .newData(ChangeCounts(added: 1)))
    #expect(try await store.allItems(ItemQuery()).map(\.key.text) == ["b", "a"])
    #expect(try await sequences(store) == [1, 3])
    #expect(try await Set(store.allRuns().map(\.run)) == [Runs.id(1), Runs.id(3)])
    try await store.close()
  }
}

import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

@testable import FetchStorePostgres

/// Tests of a store in a PostgreSQL database whose server fails. Each test has a server of its own.
@Suite(.enabled(if: PostgresServer.isInstalled), .serialized, .timeLimit(.minutes(5)))
struct PostgresFailureTests {
  private let server: PostgresServer
  private let address: StoreAddress

  init() throws {
    server = try PostgresServer()
    address = try server.newDatabase()
  }

  /// Returns the sequence numbers of all items, in order.
  private func sequences(_ store: any Store) async throws -> [Int64] {
    try await store.allItems(ItemQuery()).map(\.sequence).sorted()
  }

  @Test func `a server that restarts during the work loses nothing`() async throws {
    let store = try await PostgresStore.open(at: address)
    for number in 1...6 {
      try await Runs.run(number, store, items: [Runs.item("i\(number)")])
      if number % 2 == 0 {
        try server.crash()
        try server.start()
      }
    }
    #expect(
      try await store.allItems(ItemQuery()).map(\.key.text) == (1...6).reversed().map { "i\($0)" })
    #expect(try await sequences(store) == Array(1...6))
    #expect(try await store.allRuns().count == 6)
    try await store.close()
  }

  @Test func `while the server is gone, calls fail with advice, and work resumes by itself`()
    async throws
  {
    let store = try await PostgresStore.open(at: address)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try server.crash()
    for _ in 1...3 {
      let error = await #expect(throws: StoreError.self) {
        try await Runs.run(2, store, items: [Runs.item("b")])
      }
      #expect(error?.code == .unreachable)
      #expect(error?.message.contains("the server runs") == true, "\(error?.message ?? "")")
      #expect(error?.failure.retryable == true)
      #expect(error?.reconnects == true)
    }
    try server.start()
    var outcome: Outcome?
    // The store tries to connect once a second. In between, each call fails at once.
    while outcome == nil { outcome = try? await Runs.run(3, store, items: [Runs.item("b")]) }
    #expect(outcome == .newData(ChangeCounts(added: 1)))
    #expect(try await sequences(store) == [1, 2])
    try await store.close()
  }

  @Test func `a connection that an administrator ends is replaced within the call`() async throws {
    let store = try await PostgresStore.open(at: address)
    for number in 1...5 {
      try await Runs.run(number, store, job: JobName("j\(number)"), items: [Runs.item("a")])
      try server.execute(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name LIKE 'fetchrun%'
        """, in: address)
    }
    #expect(try await sequences(store) == Array(1...5))
    #expect(Set(try await store.allItems(ItemQuery()).map(\.job)).count == 5)
    try await store.close()
  }

  @Test func `runs that end while the server crashes or is killed are stored once`() async throws {
    let store = try await PostgresStore.open(at: address)
    try await store.onQueue { writer in writer.doubtMax = .seconds(100) }
    let (roundCount, runCount) = (8, 30)
    for round in 0..<roundCount {
      let first = round * runCount + 1
      // The server ends by itself or by SIGKILL.
      try await Runs.runAll(first...(first + runCount - 1), store) {
        if round % 2 == 0 { try server.crash() } else { try server.kill() }
        try server.start()
      }
    }
    let count = roundCount * runCount
    let items = try await store.allItems(ItemQuery())
    #expect(try await sequences(store) == Array(1...Int64(count)))
    #expect(Set(items.map(\.job)).count == count)
    #expect(try await store.allRuns().filter { $0.outcome.failure == nil }.count == count)
    try await store.close()
  }

  @Test func `a commit whose answer is lost is not repeated`() async throws {
    let store = try await PostgresStore.open(at: address)
    let (server, database) = (self.server, self.address)
    let attempts = Runs.Progress()
    var end = RunCommit(record: Runs.record(1, outcome: .newData(ChangeCounts(added: 1))))
    end.changes = Diff.decide(
      IdentifiedItems([Runs.item("a")], rules: ItemRules()), rules: ItemRules(),
      known: KnownItems(), isFirstRun: true, isWhole: true, now: Runs.start)
    let receipt = try await store.onQueue { [end] writer throws(StoreError) in
      try writer.attempt { connection, numbers, batch in
        attempts.count.add(1, ordering: .relaxed)
        numbers.job += 1
        var call = PostgresCommit()
        let job = numbers.job
        call.addJob(job, "news", plugin: "rss")
        let added = call.add(end, job: job, hasRow: false, known: writer.memory, &numbers)
        let arguments = call.arguments(numbers, batch: batch)
        let commit: () throws -> Void = {
          try connection.run(PostgresCommit.statement, arguments)
          // The server has committed, but the connection ends before the caller knows it.
          try server.execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name LIKE 'fetchrun % on %'
            """, in: database)
          while true { try connection.execute("SELECT 1") }
        }
        return (added.receipt, commit)
      }
    }
    #expect(attempts.count.load(ordering: .relaxed) == 1)
    #expect(receipt.firstSequence == 1)
    #expect(try await store.allRuns().map(\.run) == [Runs.id(1)])
    // The next run finds the item, and continues the numbers.
    let items = [Runs.item("a"), Runs.item("b")]
    #expect(try await Runs.run(2, store, items: items) == .newData(ChangeCounts(added: 1)))
    #expect(try await sequences(store) == [1, 2])
    try await store.close()
  }

  @Test func `a commit whose server is lost and does not come back is reported as in doubt`()
    async throws
  {
    let store = try await PostgresStore.open(at: address)
    let server = server
    let error = await #expect(throws: StoreError.self) {
      try await store.onQueue { writer throws(StoreError) in
        writer.doubtMax = .zero
        try writer.attempt { connection, _, _ in
          let commit: () throws -> Void = {
            try server.crash()
            try connection.execute("SELECT 1")
          }
          return ((), commit)
        }
      }
    }
    #expect(error?.code == .inDoubt)
    #expect(error?.message.contains("may be stored or not") == true, "\(error?.message ?? "")")
    try server.start()
    var outcome: Outcome?
    // The store tries to connect once a second. In between, each call fails at once.
    while outcome == nil { outcome = try? await Runs.run(1, store, items: [Runs.item("a")]) }
    #expect(try await sequences(store) == [1])
    try await store.close()
  }

  @Test func `an opening that may not wait reports no wait`() async throws {
    let store = try await PostgresStore.open(at: address)
    let error = await #expect(throws: StoreError.self) {
      var options = StoreOptions()
      options.waitMax = .zero
      _ = try await PostgresStore.open(at: address, options: options) { _ in
        Issue.record("the opening does not wait")
      }
    }
    #expect(error?.code == .locked)
    try await store.close()
  }

  @Test func `a closed store can be opened without waiting`() async throws {
    var options = StoreOptions()
    options.waitMax = .zero
    for number in 1...20 {
      let store = try await PostgresStore.open(at: address, options: options)
      try await store.onQueue { writer in writer.releaseMilliseconds = 100_000 }
      try await Runs.run(number, store, items: [])
      try await store.close()
    }
  }

  @Test func `another process that took the store meanwhile ends the work of this one`()
    async throws
  {
    let store = try await PostgresStore.open(at: address)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try server.execute(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name LIKE 'fetchrun % on %'
      """, in: address)
    var options = StoreOptions()
    options.waitMax = .seconds(5)
    let other = try await PostgresStore.open(at: address, options: options)
    try await other.onQueue { writer in writer.releaseMilliseconds = 100_000 }
    try await Runs.run(2, other, items: [Runs.item("b")])
    let error = await #expect(throws: StoreError.self) {
      try await Runs.run(3, store, items: [Runs.item("c")])
    }
    #expect(error?.code == .locked)
    #expect(
      error?.message.hasSuffix(
        "while the connection was lost: stop that process, or this fetchrun") == true)
    try await other.close()
    // The other process has written in between, so this store does not know the new numbers.
    let second = await #expect(throws: StoreError.self) {
      try await Runs.run(4, store, items: [Runs.item("d")])
    }
    #expect(second?.code == .fenced)
    #expect(second?.message.contains("start fetchrun again") == true, "\(second?.message ?? "")")
    let items = try await PostgresReader(at: address).allItems(ItemQuery())
    #expect(items.map(\.key.text) == ["b", "a"])
    try await store.close()
  }

  @Test func `the lock of a store in a copy of the database belongs to that store alone`()
    async throws
  {
    try await makeStore()
    let name = address.path.split(separator: "/").last ?? ""
    try server.execute(
      "CREATE DATABASE copied TEMPLATE \(name)", in: server.address(of: "postgres"))
    let other = try await PostgresStore.open(at: server.address(of: "copied"))
    let process = try await other.look { _, connection in
      try connection.run(PostgresStatement("SELECT pg_backend_pid()")).first?.integer(0) ?? 0
    }
    let connection = try PostgresAddress(address).connect(isWriter: false, name: "test")
    #expect(try PostgresLock.holder(connection) == nil)
    var arguments = PostgresArguments()
    arguments.add(process)
    #expect(try connection.run(PostgresStatement(PostgresLock.end), arguments).count == 0)
    try await other.close()
  }

  // MARK: What the server refuses

  /// Returns the error of opening the store.
  private func openingError(_ address: StoreAddress) async throws -> StoreError {
    try #require(
      await #expect(throws: StoreError.self) { _ = try await PostgresStore.open(at: address) })
  }

  private func makeStore() async throws {
    let store = try await PostgresStore.open(at: address)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try await store.close()
  }

  @Test func `a database in another encoding is refused with the command that makes a right one`()
    async throws
  {
    let error = try await openingError(try server.newDatabase(encoding: "LATIN1"))
    #expect(error.code == .rejected)
    #expect(error.message.contains("has the encoding LATIN1, but fetchrun needs UTF8: create "))
  }

  @Test func `a newer store is refused, and may be read if its readers may be older`() async throws
  {
    try await makeStore()
    try server.execute("UPDATE fetchrun.meta SET version = 7, readable_from = 7", in: address)
    let error = try await openingError(address)
    #expect(error.code == .newer)
    #expect(error.message.contains("(format 7, this one supports 1): use the newer one"))
    await #expect(throws: StoreError.self) { try await PostgresReader(at: address) }
    try server.execute("UPDATE fetchrun.meta SET readable_from = 1", in: address)
    #expect(try await PostgresReader(at: address).allItems(ItemQuery()).count == 1)
    #expect(try await openingError(address).code == .newer)
  }

  @Test func `an older store is only converted when asked`() async throws {
    try await makeStore()
    try server.execute("UPDATE fetchrun.meta SET version = 0, readable_from = 0", in: address)
    let error = try await openingError(address)
    #expect(error.code == .rejected)
    #expect(error.message.contains("has the older format 0: run `fetchrun store migrate`"))
    #expect(try await PostgresStore.format(of: address) == 0)
  }

  @Test func `a conversion may take longer than other statements`() async throws {
    try await makeStore()
    let place = try PostgresAddress(address)
    let connection = try place.connect(isWriter: true, name: "fetchrun test")
    // With this limit, every statement fails.
    connection.answerMilliseconds = 0
    try PostgresSchema.migrate(
      connection, place.shown, migrations: [(version: 2, readableFrom: 1, sql: "SELECT 1")])
    #expect(connection.answerMilliseconds == 0)
    #expect(try await PostgresStore.format(of: address) == 2)
  }

  @Test func `a server that accepts no writes is named as such`() async throws {
    try await makeStore()
    let store = try await PostgresStore.open(at: address)
    try server.execute("ALTER SYSTEM SET default_transaction_read_only = on", in: address)
    try server.crash()
    try server.start()
    let error = await #expect(throws: StoreError.self) {
      try await Runs.run(2, store, items: [Runs.item("b")])
    }
    #expect(error?.code == .readOnly)
    #expect(error?.message.contains("use the address of the primary server") == true)
    #expect(try await store.allItems(ItemQuery()).count == 1)
    try await store.close()
    #expect(try await openingError(address).code == .readOnly)
  }

  @Test func `a user without rights is told which right is missing`() async throws {
    try await makeStore()
    try server.execute("CREATE ROLE reader LOGIN", in: address)
    let other = StoreAddress.server(
      address.path.replacing("fetchrun@", with: "reader@"), folder: "/tmp")
    let error = try await openingError(other)
    #expect(error.code == .readOnly)
    #expect(error.message.contains("lacks a permission (permission denied for schema fetchrun)"))
    // A reader needs few rights.
    try server.execute(
      """
      GRANT USAGE ON SCHEMA fetchrun TO reader;
      GRANT SELECT ON ALL TABLES IN SCHEMA fetchrun TO reader
      """, in: address)
    let reader = try await PostgresReader(at: other)
    #expect(try await reader.allItems(ItemQuery()).count == 1)
    #expect(
      try await reader.facts().weaknesses.contains { $0.contains("does not let its user write") })
  }

  @Test func `settings that endanger the store are named`() async throws {
    try await makeStore()
    // On a busy machine, the answer may be late, and the clocks then seem to differ.
    let weaknesses = try await PostgresReader(at: address).facts().weaknesses
      .filter { !$0.contains("has a clock") }
    #expect(weaknesses.count == 1)
    #expect(weaknesses.first?.contains("`fsync = off`: a power cut can destroy") == true)
  }

  @Test func `a full disk of the server stops the store, and nothing else`() async throws {
    try await makeStore()
    let store = try await PostgresStore.open(at: address)
    // The server reports a full disk with this state.
    try server.execute(
      """
      CREATE FUNCTION public.no_room() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER no_room BEFORE INSERT ON fetchrun.changes EXECUTE FUNCTION public.no_room()
      """, in: address)
    let error = await #expect(throws: StoreError.self) {
      try await Runs.run(2, store, items: [Runs.item("b")])
    }
    #expect(error?.code == .full)
    #expect(
      error?.message.contains("is out of disk space (could not extend file): free some")
        == true)
    try server.execute("DROP TRIGGER no_room ON fetchrun.changes", in: address)
    #expect(
      try await Runs.run(3, store, items: [Runs.item("b")]) == .newData(ChangeCounts(added: 1)))
    try await store.close()
  }

  @Test func `a refusal rejects only the commit, unless its reason concerns the whole server`()
    async throws
  {
    try await makeStore()
    let store = try await PostgresStore.open(at: address)
    let codes: [(state: String, code: StoreError.Code)] = [
      ("21000", .rejected), ("42804", .rejected), ("P0001", .rejected), ("22023", .rejected),
      ("42883", .unreachable), ("3F000", .unreachable), ("42501", .readOnly), ("57014", .locked),
      ("53300", .unreachable), ("58030", .unreachable),
      ("XX001", .corrupt),
    ]
    for (state, code) in codes {
      try server.execute(
        """
        CREATE OR REPLACE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '\(state)'; END $$;
        DROP TRIGGER IF EXISTS refuse ON fetchrun.changes;
        CREATE TRIGGER refuse BEFORE INSERT ON fetchrun.changes EXECUTE FUNCTION public.refuse()
        """, in: address)
      let error = await #expect(throws: StoreError.self) {
        try await Runs.run(2, store, items: [Runs.item("b")])
      }
      #expect(error?.code == code, "\(state)")
    }
    try await store.close()
  }

  @Test func `commits with many bytes are stored without the usual time limits`() async throws {
    try await makeStore()
    let store = try await PostgresStore.open(at: address)
    try server.execute(
      """
      CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF current_setting('idle_in_transaction_session_timeout') <> '0' THEN
          RAISE EXCEPTION 'usual limits';
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON fetchrun.changes EXECUTE FUNCTION public.refuse()
      """, in: address)
    let large = Runs.item("b", content: String(repeating: "x", count: 2 << 20))
    #expect(
      try await Runs.run(2, store, items: [large]) == .newData(ChangeCounts(added: 1)))
    let error = await #expect(throws: StoreError.self) {
      try await Runs.run(3, store, items: [Runs.item("c")])
    }
    #expect(error?.message.contains("usual limits") == true, "\(error?.message ?? "")")
    try await store.close()
  }
}

package import FetchModel
package import FetchStore
import FetchValues
import Glibc

extension PostgresStore {
  /// Opens the store for writing. If the database has no store, creates one, or throws `missing` if
  /// `options.creates` is false. The database itself must exist.
  ///
  /// - Parameters:
  ///   - clock: the clock for waiting for another process.
  ///   - onWait: called at most once, before waiting for another process that writes the store.
  ///     Receives the id of that process; nil if the id is unknown.
  package static func open(
    at address: StoreAddress, options: StoreOptions = StoreOptions(),
    clock: any Clock<Duration> = ContinuousClock(), onWait: (Int32?) -> Void = { _ in }
  ) async throws(StoreError) -> PostgresStore {
    let server = try PostgresAddress(address, password: try await address.password?.value())
    do {
      let connection = try server.connect(isWriter: true, name: PostgresLock.ownName)
      try checkEncoding(connection, server)
      let use: PostgresSchema.Use = options.migrates ? .migrating : .writing
      if try !PostgresSchema.check(connection, server.shown, for: use) {
        guard options.creates else { throw PostgresSchema.missing(server.shown) }
        try PostgresSchema.create(connection)
      }
      try await takeLock(connection, server, options.waitMax, clock, onWait)
      if options.migrates { try PostgresSchema.migrate(connection, server.shown) }
      let writer = try PostgresWriter(server, holding: connection)
      // A backup may lock the tables. Runs of days without a partition are then stored in
      // `runs_other`.
      do { try writer.makePartitions(around: Self.now) } catch {
        guard error.code == .locked else { throw error }
      }
      let recovery = try writer.recover()
      let rule = try options.retention ?? writer.read { try RetentionEntry(read: $0).retention }
      return PostgresStore(
        address, writer, recovery, jobBytesMax: RetentionEntry.jobBytesMax(rule ?? Retention()))
    } catch { throw StoreError(any: error, server.shown) }
  }

  /// Throws `rejected` if the encoding of the database is not UTF-8.
  private static func checkEncoding(
    _ connection: PostgresConnection, _ server: PostgresAddress
  ) throws(StoreError) {
    let encoding = connection.setting("server_encoding") ?? "unknown"
    if encoding == "UTF8" { return }
    throw StoreError(
      .rejected,
      "the database \(server.shown) has the encoding \(encoding), but fetchrun needs UTF8: create"
        + " another database with `createdb --encoding=UTF8 --template=template0 NAME`")
  }

  private static func takeLock(
    _ connection: PostgresConnection, _ server: PostgresAddress, _ waitMax: Duration,
    _ clock: any Clock<Duration>, _ onWait: (Int32?) -> Void
  ) async throws {
    var waited: Duration = .zero
    while try !PostgresLock.take(connection) {
      if waited == .zero, waited < waitMax { onWait(try PostgresLock.holder(connection)) }
      guard waited < waitMax else {
        let who = try PostgresLock.holder(connection).map { "process \($0)" } ?? "another process"
        throw StoreError(
          .locked,
          "the store \(server.shown) is being written by \(who): stop it or wait for it to end, or "
            + "name another store with `--store STORE`")
      }
      do { try await clock.sleep(for: lockInterval, tolerance: nil) } catch {
        throw StoreError(.locked, "the wait for the store \(server.shown) was cancelled")
      }
      waited += lockInterval
    }
  }

  /// The time of this machine's clock.
  static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  private static let lockInterval: Duration = .milliseconds(250)

  /// Returns the version of the store's tables. It may be older or newer than the version that this
  /// fetchrun writes.
  package static func format(of address: StoreAddress) async throws(StoreError) -> Int {
    let server = try PostgresAddress(address, password: try await address.password?.value())
    do {
      let connection = try server.connect(isWriter: false, name: "fetchrun")
      guard let found = try PostgresSchema.versions(connection, server.shown) else {
        throw PostgresSchema.missing(server.shown)
      }
      return found.version
    } catch { throw StoreError(any: error, server.shown) }
  }

  package func retention() async throws(StoreError) -> Retention {
    try await look { _, connection in try RetentionEntry(read: connection).retention ?? Retention()
    }
  }
}

extension PostgresSchema {
  /// Returns whether the database has a store. Throws `newer` or `rejected` if the version of the
  /// store's tables does not allow the given use.
  static func check(
    _ connection: PostgresConnection, _ server: String, for use: Use
  ) throws -> Bool {
    guard let found = try versions(connection, server) else { return false }
    let isReadable = use == .reading && found.readableFrom <= version
    if found.version > version, !isReadable {
      throw StoreError(
        .newer,
        "the store \(server) was written by a newer fetchrun (format \(found.version), this one"
          + " supports \(version)): use the newer one")
    }
    if found.version < version, use != .migrating {
      throw StoreError(
        .rejected,
        "the store \(server) has the older format \(found.version): run `fetchrun store migrate`"
          + " while no other fetchrun uses the store")
    }
    return true
  }

  enum Use {
    case reading, writing, migrating
  }

  /// Returns the row of the table `meta`; nil if the database has no store. Throws `corrupt` if the
  /// table is empty.
  static func versions(
    _ connection: PostgresConnection, _ server: String
  ) throws -> (version: Int, readableFrom: Int)? {
    let found = try connection.run(
      PostgresStatement("SELECT to_regclass('fetchrun.meta') IS NOT NULL")
    ).first
    guard found?.integer(0) == 1 else { return nil }
    let row = try connection.run(
      PostgresStatement("SELECT version, readable_from FROM fetchrun.meta")
    ).first
    guard let row else {
      throw StoreError(
        .corrupt,
        "the store \(server) is damaged: its table `meta` is empty; restore the database from a"
          + " backup")
    }
    return (Int(clamping: row.integer(0)), Int(clamping: row.integer(1)))
  }

  static func missing(_ server: String) -> StoreError {
    StoreError(.missing, "the database \(server) has no fetchrun store: a run creates one")
  }

  /// Creates the tables. Does nothing if another process has already created them.
  static func create(_ connection: PostgresConnection) throws {
    do { try connection.execute(newStore) } catch {
      try? connection.execute("ROLLBACK")
      guard case .statement(let state) = error.kind, ["42P07", "42P06", "23505"].contains(state)
      else { throw error }
    }
  }

  /// Converts the tables to the present version, in one transaction. The caller must hold
  /// `PostgresLock`.
  ///
  /// - Parameter migrations: the conversions, each with the version that it produces.
  static func migrate(
    _ connection: PostgresConnection, _ server: String,
    migrations: [(version: Int, readableFrom: Int, sql: String)] = migrations
  ) throws {
    let usual = connection.answerMilliseconds
    connection.answerMilliseconds = PostgresConnection.answerMillisecondsLong
    defer { connection.answerMilliseconds = usual }
    guard let found = try versions(connection, server) else { return }
    let steps = migrations.filter { $0.version > found.version }
    guard let last = steps.last else { return }
    do {
      try connection.execute("BEGIN; SET LOCAL statement_timeout = 0")
      for step in steps { try connection.execute(step.sql) }
      try connection.execute(
        """
        UPDATE fetchrun.meta SET version = \(last.version), readable_from = \(last.readableFrom);
        COMMIT
        """)
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }
}

extension PostgresWriter {
  /// Records the unfinished runs of earlier processes as failed, and stores the names of their jobs
  /// in the ledger. Queues interrupted transfers again.
  func recover() throws(StoreError) -> StoreRecovery {
    try transaction { connection, numbers in
      let requeued = try connection.run(
        PostgresStatement(
          "UPDATE fetchrun.transfers SET state = 'queued' WHERE NOT told AND state = 'running'"))
      let known = AbandonedJobs.list(try Ledger.entry(AbandonedJobs.ledgerName, connection))
      let names = try connection.run(
        PostgresStatement(
          """
          SELECT DISTINCT jobs.name FROM fetchrun.running
          JOIN fetchrun.jobs ON jobs.id = running.job
          """)
      ).compactMap { $0.text(0) }
      let all = AbandonedJobs.joined(known, names)
      if !names.isEmpty {
        var arguments = PostgresArguments()
        arguments.add(numbers.ended)
        arguments.add(content: RunRow.abandoned.json)
        let moved = try connection.run(
          PostgresStatement(
            """
            INSERT INTO fetchrun.runs
            SELECT run, job, plugin, trigger, 'failed', reason, added, updated, removed, started_at,
              duration_ms, cpu_us, requests, received_bytes, $2, next_due_at,
              $1 + row_number() OVER (ORDER BY started_at, run)
            FROM fetchrun.running
            """), arguments)
        numbers.ended += Int64(moved.changedCount)
        try connection.run(PostgresStatement("DELETE FROM fetchrun.running"))
        try Ledger.set([AbandonedJobs.ledgerName: AbandonedJobs.content(all)], connection)
      }
      return StoreRecovery(abandonedJobs: all, requeuedTransferCount: requeued.changedCount)
    }
  }
}

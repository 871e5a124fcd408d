internal import Dispatch
import FetchModel
import FetchStore
import FetchValues
import Glibc

/// The last number that the writer has assigned, for each kind of number.
struct WriterNumbers: Equatable, Sendable {
  var sequence: Int64 = 0
  var ended: Int64 = 0
  var job: Int64 = 0
  var delivery: Int64 = 0
  var transfer: Int64 = 0
  var subscription: Int64 = 0
  var kept: Int64 = 0
  var skip: Int64 = 0
}

/// The connection that writes a store.
///
/// The right to write is an advisory lock, which the server releases when the connection ends.
/// After a lost connection, the writer takes the lock again. If another process has opened the
/// store for writing in the meantime, the writer refuses all later calls. A transaction that a lost
/// connection has interrupted is repeated at most once.
///
/// The class is not Sendable: only one thread at a time may use it.
final class PostgresWriter {
  let server: PostgresAddress
  private(set) var numbers = WriterNumbers()
  /// A cache of the ids of jobs.
  private var jobs: [JobName: Int64] = [:]
  private var addedJobs: [JobName] = []
  var memory = SnapshotMemory()
  private var connection: PostgresConnection?
  /// The random name that identifies this writer in the store.
  private let incarnation: [UInt8]
  /// The time at which the last attempt to connect failed.
  private var failedAt: ContinuousClock.Instant?
  private var lastFault: PostgresFault?
  private var ending: StoreError?
  /// The random name of the last transaction that the server has committed, as read after
  /// connecting.
  private var lastBatch: [UInt8] = []
  /// The newest PostgreSQL timeline of all connections so far. Each promotion of a standby server
  /// begins a new timeline.
  private var timeline: Int64 = 0
  /// The id of the server's process for the last connection.
  private var serverProcess: Int64 = 0
  /// The fault of the last call of `attempt` if the server refused a statement; otherwise nil. In
  /// this case, the call committed nothing. A refusal that makes the connection unusable does not
  /// count: see `PostgresFault.isConnection`.
  private(set) var refusal: PostgresFault?
  var wasRefused: Bool { refusal != nil }

  /// The limit of assigned numbers. The store counts as damaged if a number in `writer` reaches
  /// this limit.
  private static let numberMax: Int64 = 1 << 62

  /// The time for which a call tries to connect again after its connection was lost during a
  /// commit. Tests change this time.
  var doubtMax: Duration = .seconds(10)

  /// The maximum wait for the end of a lost connection that still holds the lock. It is not a count
  /// of attempts, since each attempt may be slow. Tests change it.
  var lockMax: Duration = .seconds(5)

  /// The maximum wait for the release of the lock, in milliseconds. A server that does not answer
  /// must not delay the end of the program. Tests change it.
  var releaseMilliseconds: Int64 = 1000

  /// - Parameters:
  ///   - connection: the connection, which holds the lock.
  init(_ server: PostgresAddress, holding connection: PostgresConnection) throws {
    self.server = server
    self.connection = connection
    incarnation = Self.random(16)
    try begin(connection)
  }

  private static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// Records this process as the writing process, and reads the assigned numbers.
  private func begin(_ connection: PostgresConnection) throws {
    var arguments = PostgresArguments()
    arguments.add(incarnation)
    try connection.run(PostgresStatement("UPDATE fetchrun.writer SET incarnation = $1"), arguments)
    try checkServer(connection)
    try readRow(connection)
  }

  /// Reads the only row of the table `writer`, which shows what the server has committed. Returns
  /// the random name of the process that last opened the store for writing.
  @discardableResult
  private func readRow(_ connection: PostgresConnection) throws -> [UInt8] {
    let rows = try connection.run(
      PostgresStatement(
        """
        SELECT sequence, ended, job, delivery, transfer, subscription, kept, skip, batch,
          incarnation, pg_backend_pid()
        FROM fetchrun.writer
        """))
    guard let row = rows.first else {
      throw StoreError(
        .corrupt,
        "the store \(server.shown) is damaged: its table `writer` is empty; restore the database"
          + " from a backup")
    }
    let found = (0..<8).map { row.integer($0) }
    guard found.allSatisfy({ (0..<Self.numberMax).contains($0) }) else {
      throw StoreError(
        .corrupt,
        "the store \(server.shown) is damaged: its table `writer` has an impossible number; restore"
          + " the database from a backup")
    }
    // After a failover to an asynchronous standby, the row may lack numbers that readers have seen.
    numbers = WriterNumbers(
      sequence: max(numbers.sequence, found[0]), ended: max(numbers.ended, found[1]),
      job: max(numbers.job, found[2]), delivery: max(numbers.delivery, found[3]),
      transfer: max(numbers.transfer, found[4]),
      subscription: max(numbers.subscription, found[5]), kept: max(numbers.kept, found[6]),
      skip: max(numbers.skip, found[7]))
    lastBatch = row.bytes(8) ?? []
    serverProcess = row.integer(10)
    return row.bytes(9) ?? []
  }

  // MARK: The connection

  private func opened() throws -> PostgresConnection {
    if let ending { throw ending }
    if let connection { return connection }
    if let failedAt, let lastFault,
      ContinuousClock.now - failedAt < PostgresConnection.retryInterval
    {
      throw lastFault
    }
    do {
      let new = try server.connect(isWriter: true, name: PostgresLock.ownName)
      try checkServer(new)
      try takeLock(new)
      // The ids of jobs are read again, since the last transaction may not have been committed.
      jobs = [:]
      memory.forgetAll()
      guard try readRow(new) == incarnation else {
        let error = StoreError(
          .fenced,
          "another process opened the store \(server.shown) for writing while the connection was"
            + " lost: start fetchrun again")
        ending = error
        throw error
      }
      failedAt = nil
      connection = new
      return new
    } catch let fault as PostgresFault {
      (failedAt, lastFault) = (.now, fault)
      throw fault
    }
  }

  /// Throws `standby` if the server is a standby. Throws `outdated` if its timeline is older than
  /// that of an earlier connection.
  ///
  /// A standby has locks of its own and may lack recent data. A connection to it would therefore be
  /// unsafe after its promotion.
  private func checkServer(_ new: PostgresConnection) throws {
    guard let found = try new.run(PostgresStatement(Self.timelineNow)).first?.optionalInteger(0)
    else { throw PostgresFault(.standby, "it is in recovery") }
    guard found >= timeline else {
      throw PostgresFault(.outdated, "its timeline is \(found), and the newest is \(timeline)")
    }
    timeline = found
  }

  /// An SQL query for the server's timeline; null on a standby. The name of a WAL file begins with
  /// the timeline, as eight hexadecimal digits.
  private static let timelineNow = """
    SELECT CASE WHEN NOT pg_is_in_recovery() THEN
      ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int8 END
    """

  /// Takes the lock again after a lost connection. Ends the lost connection if it still holds the
  /// lock. Throws if it still holds the lock after `lockMax`. Throws `locked` if another process
  /// has the lock.
  private func takeLock(_ new: PostgresConnection) throws {
    if try PostgresLock.take(new) { return }
    var arguments = PostgresArguments()
    arguments.add(serverProcess)
    let end = ContinuousClock.now + lockMax
    while true {
      // No row means that the lost connection does not hold the lock.
      let ended = try new.run(PostgresStatement(PostgresLock.end), arguments).count
      if try PostgresLock.take(new) { return }
      // This writer can work again if the other process ends before it has called `begin`.
      guard ended > 0 else {
        throw StoreError(
          .locked,
          "another process locked the store \(server.shown) while the connection was lost: stop"
            + " that process, or this fetchrun")
      }
      guard ContinuousClock.now < end else {
        throw PostgresFault(
          .lost, "the server has not yet ended the lost connection, which still locks the store")
      }
      usleep(50_000)
    }
  }

  // MARK: Transactions

  /// Executes the body in one transaction and commits it. If the connection is lost, the body may
  /// be executed twice.
  func transaction<T>(
    _ body: (PostgresConnection, inout WriterNumbers) throws -> T
  ) throws(StoreError) -> T {
    try attempt { connection, numbers, batch in
      try connection.execute("BEGIN")
      do {
        let value = try body(connection, &numbers)
        try connection.run(Self.finish, Self.arguments(numbers, batch))
        return (value, { try connection.execute("COMMIT") })
      } catch {
        if (error as? PostgresFault)?.isConnection != true { try? connection.execute("ROLLBACK") }
        throw error
      }
    }
  }

  func read<T>(_ body: (PostgresConnection) throws -> T) throws(StoreError) -> T {
    try attempt { connection, _, _ in (try body(connection), {}) }
  }

  /// Executes the body, and then the closure that the body returns. The closure commits the
  /// transaction, if there is one. If the connection is lost and the server has not committed, both
  /// are repeated at most once.
  func attempt<T>(
    _ body: (PostgresConnection, inout WriterNumbers, _ batch: [UInt8]) throws -> (
      T, commit: () throws -> Void
    )
  ) throws(StoreError) -> T {
    refusal = nil
    do {
      for isLast in [false, true] {
        let connection = try opened()
        var numbers = numbers
        let batch = Self.random(8)
        addedJobs = []
        var value: T?
        do {
          let (result, commit) = try body(connection, &numbers, batch)
          value = result
          try commit()
          self.numbers = numbers
          return result
        } catch {
          forgetAddedJobs()
          guard let fault = error as? PostgresFault, fault.isConnection else {
            refusal = error as? PostgresFault
            throw error
          }
          self.connection = nil
          if let value, try isCommitted(batch) { return value }
          if isLast { throw fault }
        }
      }
      throw PostgresFault(.lost, "")
    } catch {
      throw StoreError(any: error, server.shown)
    }
  }

  /// Whether the server has committed the transaction during which the connection was lost. Throws
  /// `inDoubt` if the writer cannot connect again within `doubtMax`.
  private func isCommitted(_ batch: [UInt8]) throws -> Bool {
    let end = ContinuousClock.now + doubtMax
    while true {
      do {
        let connection = try opened()
        guard lastBatch == batch else { return false }
        // With a synchronous standby, this statement waits until the standby also has the
        // transaction in doubt.
        try connection.run(PostgresStatement("UPDATE fetchrun.writer SET batch = batch"))
        return true
      } catch let fault as PostgresFault where fault.isConnection {
        connection = nil
        guard ContinuousClock.now < end else { throw StoreError(inDoubt: fault, server.shown) }
        usleep(100_000)
      }
    }
  }

  private static let finish = PostgresStatement(
    """
    UPDATE fetchrun.writer SET batch = $1, sequence = $2, ended = $3, job = $4, delivery = $5,
      transfer = $6, subscription = $7, kept = $8, skip = $9
    """)

  private static func arguments(_ numbers: WriterNumbers, _ batch: [UInt8]) -> PostgresArguments {
    var arguments = PostgresArguments()
    arguments.add(batch)
    for number in [
      numbers.sequence, numbers.ended, numbers.job, numbers.delivery, numbers.transfer,
      numbers.subscription, numbers.kept, numbers.skip,
    ] { arguments.add(number) }
    return arguments
  }

  // MARK: Jobs

  func existingJob(_ name: JobName, _ connection: PostgresConnection) throws -> Int64? {
    if let id = jobs[name] { return id }
    var arguments = PostgresArguments()
    arguments.add(name)
    let row = try connection.run(
      PostgresStatement("SELECT id FROM fetchrun.jobs WHERE name = $1"), arguments
    ).first
    guard let id = row?.integer(0) else { return nil }
    jobs[name] = id
    return id
  }

  func remember(_ id: Int64, of name: JobName) { jobs[name] = id }

  /// Returns the id of a job, and creates the job if the store does not have it.
  func job(
    _ name: JobName, plugin: PluginName, _ connection: PostgresConnection,
    _ numbers: inout WriterNumbers
  ) throws -> Int64 {
    if let id = try existingJob(name, connection) { return id }
    let id = assign(name, &numbers)
    var arguments = PostgresArguments()
    arguments.add(id)
    arguments.add(name)
    arguments.add(plugin)
    try connection.run(
      PostgresStatement("INSERT INTO fetchrun.jobs (id, name, plugin) VALUES ($1, $2, $3)"),
      arguments)
    return id
  }

  /// Assigns an id to a new job. The caller stores the job in the present transaction.
  func assign(_ name: JobName, _ numbers: inout WriterNumbers) -> Int64 {
    numbers.job += 1
    jobs[name] = numbers.job
    addedJobs.append(name)
    return numbers.job
  }

  private func forgetAddedJobs() {
    for name in addedJobs { jobs[name] = nil }
    addedJobs = []
  }

  /// Releases the lock and closes the connection. All later calls fail.
  ///
  /// Without the release, the server would hold the lock until it notices that the connection has
  /// ended, and the next process would have to wait.
  func close() {
    ending = ending ?? StoreError(.closed, "the store \(server.shown) was closed")
    if let connection {
      connection.answerMilliseconds = releaseMilliseconds
      try? PostgresLock.release(connection)
    }
    connection = nil
  }
}

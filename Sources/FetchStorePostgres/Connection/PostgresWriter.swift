internal import Dispatch
import FetchModel
import FetchStore
import FetchValues
internal import Synchronization

/// The last numbers that the writing process has assigned.
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

/// The only connection that writes a store, with the right to write.
///
/// The right is an advisory lock, which the server releases when the connection ends. After a lost
/// connection, the writer takes the lock again. If another process has written in between, it stops
/// for good. If the connection was lost during a transaction, the writer looks up whether the
/// server has committed it, and otherwise repeats it.
///
/// The class is not Sendable: only its queue's thread uses it.
final class PostgresWriter {
  let server: PostgresAddress
  private(set) var numbers = WriterNumbers()
  /// The ids of the jobs that were used.
  private var jobs: [JobName: Int64] = [:]
  private var addedJobs: [JobName] = []
  private var connection: PostgresConnection?
  /// The name of this process in the store.
  private let incarnation: [UInt8]
  /// The time at which the last attempt to connect failed.
  private var failedAt: ContinuousClock.Instant?
  private var lastFault: PostgresFault?
  private var ending: StoreError?
  /// The progress of the present sweep of retention; nil if none is active.
  var sweep: RetentionProgressMark?

  /// The minimum time between two attempts to connect. Without it, every call would block for the
  /// time of an attempt while the server is gone.
  private static let retryInterval: Duration = .seconds(1)

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
    let rows = try connection.run(
      PostgresStatement(
        """
        UPDATE fetchrun.writer SET incarnation = $1
        RETURNING sequence, ended, job, delivery, transfer, subscription, kept, skip
        """), arguments)
    guard let row = rows.first else {
      throw StoreError(
        .corrupt,
        "the store \(server.shown) is damaged: its table `writer` is empty; restore the database"
          + " from a backup")
    }
    numbers = WriterNumbers(
      sequence: row.integer(0), ended: row.integer(1), job: row.integer(2),
      delivery: row.integer(3), transfer: row.integer(4), subscription: row.integer(5),
      kept: row.integer(6), skip: row.integer(7))
  }

  // MARK: The connection

  private func opened() throws -> PostgresConnection {
    if let ending { throw ending }
    if let connection { return connection }
    if let failedAt, let lastFault, ContinuousClock.now - failedAt < Self.retryInterval {
      throw lastFault
    }
    do {
      let new = try PostgresConnection(server.parameters(isWriter: true, name: "fetchrun"))
      guard try PostgresLock.take(new) else {
        throw PostgresFault(.connection, "another process has the store now")
      }
      let row = try new.run(
        PostgresStatement("SELECT incarnation FROM fetchrun.writer")
      ).first
      guard row?.bytes(0) == incarnation else {
        let error = StoreError(
          .locked,
          "another process has written the store \(server.shown) while the connection was lost:"
            + " start fetchrun again")
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

  // MARK: Transactions

  /// Executes the body in one transaction, which is durable when this function returns. The body
  /// may be executed again if the connection was lost.
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

  /// Executes a body that reads only.
  func read<T>(_ body: (PostgresConnection) throws -> T) throws(StoreError) -> T {
    try attempt { connection, _, _ in (try body(connection), {}) }
  }

  /// Executes the body and then the closure that it has returned, which commits. If the connection
  /// is lost, both are repeated once, unless the server has committed.
  func attempt<T>(
    _ body: (PostgresConnection, inout WriterNumbers, _ batch: [UInt8]) throws -> (
      T, commit: () throws -> Void
    )
  ) throws(StoreError) -> T {
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
          guard let fault = error as? PostgresFault, fault.isConnection else {
            forgetAddedJobs()
            throw error
          }
          self.connection = nil
          if let value, try isCommitted(batch) {
            self.numbers = numbers
            return value
          }
          forgetAddedJobs()
          if isLast { throw fault }
        }
      }
      throw PostgresFault(.lost, "")
    } catch {
      throw explained(error)
    }
  }

  /// Whether the server has committed the transaction during which the connection was lost.
  private func isCommitted(_ batch: [UInt8]) throws -> Bool {
    try opened().run(PostgresStatement("SELECT batch FROM fetchrun.writer")).first?.bytes(0)
      == batch
  }

  func explained(_ error: any Error) -> StoreError {
    switch error {
    case let error as StoreError: error
    case let fault as PostgresFault: StoreError(fault, server.shown)
    default: StoreError(.unreachable, "the store \(server.shown) cannot be used: \(error)")
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

  /// Returns the id of a job; nil if the store does not have the job.
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
    _ name: JobName, plugin: String, _ connection: PostgresConnection,
    _ numbers: inout WriterNumbers
  ) throws -> Int64 {
    if let id = try existingJob(name, connection) { return id }
    let id = assign(name, &numbers)
    var arguments = PostgresArguments()
    arguments.add(id)
    arguments.add(name)
    arguments.add(text: plugin)
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

  /// Refuses all later calls.
  func close() {
    ending = ending ?? StoreError(.closed, "the store \(server.shown) was closed")
    connection = nil
  }
}

/// The lock of the process that may write a store.
enum PostgresLock {
  /// Takes the lock for the life of the connection. Returns false if another connection has it.
  static func take(_ connection: PostgresConnection) throws -> Bool {
    try connection.run(PostgresStatement("SELECT pg_try_advisory_lock(\(key))")).first?.integer(0)
      == 1
  }

  /// Whether some connection has the lock. A standby server cannot see it.
  static let isHeld = """
    EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database = (
        SELECT oid FROM pg_database WHERE datname = current_database())
      AND classid = \(PostgresSchema.lock) AND objid = 'fetchrun.writer'::regclass::oid AND granted)
    """

  /// The two numbers of the lock: the program's, and that of the store's table.
  private static let key = "\(PostgresSchema.lock), 'fetchrun.writer'::regclass::oid::integer"
}

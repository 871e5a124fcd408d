package import FetchModel
package import FetchStore
package import FetchValues
internal import Synchronization

extension PostgresWriter {
  /// Stores commits of different jobs in one transaction. Returns their receipts.
  ///
  /// Separate statements store the rare parts of commits before the call of `commit_runs_v1`.
  ///
  /// - Parameter byteCount: the approximate size of the commits: see `PendingCommit.byteCount`.
  func store(
    _ commits: [RunCommit], byteCount: Int, _ openRuns: OpenRuns
  ) throws(StoreError) -> [CommitReceipt] {
    // The rows of checkpoints count as stored from now on, since the server's answer may be lost.
    let hadRows = commits.map { openRuns.rowToWrite($0.record.run, of: $0.record.job) != nil }
    for commit in commits where commit.part == .checkpoint {
      openRuns.setRow(1, of: commit.record.run, of: commit.record.job)
    }
    let stored = try attempt { connection, numbers, batch in
      // A first run may bring a million items, for which the usual time limits are too short.
      let isLarge =
        byteCount > Self.bytesMax
        || commits.reduce(0) { $0 + $1.changes.changes.count } > Self.changesMax
      let isRare = isLarge || commits.contains(where: \.hasRareParts)
      if isRare { try connection.execute("BEGIN") }
      if isLarge {
        try connection.execute(Self.longLimits)
        connection.answerMilliseconds = 615_000
      }
      do {
        var call = PostgresCommit()
        var stored: [(receipt: CommitReceipt, stateBytes: Int?)] = []
        for (commit, hasRow) in zip(commits, hadRows) {
          let name = commit.record.job
          let job = try job(name, commit.record.plugin, connection, &call, &numbers)
          stored.append(call.add(commit, job: job, hasRow: hasRow, known: memory, &numbers))
          if commit.hasRareParts { try storeRareParts(of: commit, job: job, connection, &numbers) }
        }
        let arguments = call.arguments(numbers, batch: batch)
        let after = numbers
        return (
          stored,
          {
            guard isRare else {
              try connection.run(PostgresCommit.statement, arguments)
              return
            }
            defer { connection.answerMilliseconds = PostgresConnection.answerMillisecondsUsual }
            do {
              try connection.run(Self.rareNumbers, Self.rareArguments(after))
              try connection.run(PostgresCommit.statement, arguments)
              try connection.execute("COMMIT")
            } catch {
              if (error as? PostgresFault)?.isConnection != true {
                try? connection.execute("ROLLBACK")
              }
              throw error
            }
          }
        )
      } catch {
        if isLarge { connection.answerMilliseconds = PostgresConnection.answerMillisecondsUsual }
        if isRare { try? connection.execute("ROLLBACK") }
        throw error
      }
    }
    for (commit, stored) in zip(commits, stored) {
      memory.apply(commit, stored.receipt, stateBytes: stored.stateBytes)
      if commit.part == .end { openRuns.end(commit.record.run, of: commit.record.job) }
    }
    return stored.map(\.receipt)
  }

  /// The maximum number of changes that are stored with the usual time limits.
  private static let changesMax = 5_000
  /// The maximum size of commits that are stored with the usual time limits, in bytes. Within the
  /// shortest limit, 10 seconds, a connection with 1 Mbit/s can send them.
  private static let bytesMax = 1 << 20

  /// The time limits of the server for large commits. While a large statement is being sent, the
  /// server counts its transaction as idle.
  private static let longLimits = """
    SET LOCAL statement_timeout = 600000; SET LOCAL idle_in_transaction_session_timeout = 0
    """

  private static let rareNumbers = PostgresStatement(
    "UPDATE fetchrun.writer SET transfer = $1, kept = $2")

  private static func rareArguments(_ numbers: WriterNumbers) -> PostgresArguments {
    var arguments = PostgresArguments()
    arguments.add(numbers.transfer)
    arguments.add(numbers.kept)
    return arguments
  }

  private func storeRareParts(
    of commit: RunCommit, job: Int64, _ connection: PostgresConnection,
    _ numbers: inout WriterNumbers
  ) throws {
    if let grant = commit.grant { try setGrant(grant, job: job, connection) }
    for transfer in commit.transfers {
      try queue(transfer, job: job, at: commit.record.startedAt, connection, &numbers)
    }
    if let told = commit.toldTransfer { try markTold(told, connection) }
    for (origin, until) in commit.coolDowns { try setCoolDown(origin, until: until, connection) }
    if let kept = commit.kept { try keep(kept, of: commit.record, connection, &numbers) }
  }

  /// Stores the records of runs that have begun.
  func note(_ records: [RunRecord]) throws(StoreError) {
    if records.isEmpty { return }
    try attempt { connection, numbers, batch in
      let arguments = try note(records, connection, &numbers, batch)
      return ((), { _ = try connection.run(PostgresCommit.statement, arguments) })
    }
  }

  /// Moves the rows of runs to the ended runs, with these records. Ignores runs without a row. Such
  /// a run may have ended in a commit whose answer was lost.
  func end(_ records: [RunRecord]) throws(StoreError) {
    try transaction { connection, numbers in
      for record in records {
        var arguments = PostgresArguments()
        arguments.add(record.run.bytes)
        arguments.add(text: record.outcome.word)
        arguments.add(text: record.outcome.reason?.rawValue)
        arguments.add(record.counts.added)
        arguments.add(record.counts.updated)
        arguments.add(record.counts.removed)
        arguments.add(record.duration.wholeMilliseconds)
        arguments.add(record.cpu.wholeMicroseconds)
        arguments.add(record.requestCount)
        arguments.add(record.receivedBytes)
        arguments.add(content: record.outcome.failure?.json)
        arguments.add(record.nextDueAt?.milliseconds)
        arguments.add(numbers.ended + 1)
        numbers.ended += Int64(try connection.run(Self.endRow, arguments).changedCount)
      }
    }
  }

  private static let endRow = PostgresStatement(
    """
    WITH row AS (
      DELETE FROM fetchrun.running WHERE run = $1
      RETURNING run, job, plugin, trigger, started_at)
    INSERT INTO fetchrun.runs
      SELECT run, job, plugin, trigger, $2, $3, $4, $5, $6, started_at, $7, $8, $9, $10, $11, $12, $13
      FROM row
    """)

  private func note(
    _ records: [RunRecord], _ connection: PostgresConnection, _ numbers: inout WriterNumbers,
    _ batch: [UInt8]
  ) throws -> PostgresArguments {
    var call = PostgresCommit()
    for record in records {
      let job = try job(record.job, record.plugin, connection, &call, &numbers)
      call.note(record, job: job)
    }
    return call.arguments(numbers, batch: batch)
  }

  /// Returns the id of a job. A job that the store does not have is added to the call.
  private func job(
    _ name: JobName, _ plugin: PluginName, _ connection: PostgresConnection,
    _ call: inout PostgresCommit, _ numbers: inout WriterNumbers
  ) throws -> Int64 {
    if let id = try existingJob(name, connection) { return id }
    let id = assign(name, &numbers)
    call.addJob(id, name, plugin: plugin)
    return id
  }
}

extension RunCommit {
  /// Whether the commit has parts that few runs have.
  fileprivate var hasRareParts: Bool {
    grant != nil || !transfers.isEmpty || toldTransfer != nil || !coolDowns.isEmpty || kept != nil
  }
}

extension PostgresStore {
  package func openJob(
    _ name: JobName, run: RunID, plugin: String?, noting record: RunRecord?
  ) async throws(StoreError) -> JobSnapshot {
    guard openRuns.begin(run, of: name) else {
      throw StoreError(.jobRunning, "the job '\(name)' is running already: wait for the run to end")
    }
    do {
      let snapshot = try await snapshot(of: name, plugin: plugin)
      if let record { try await noteBeginning(of: record) }
      return snapshot
    } catch {
      abandon(name, run: run)
      throw error
    }
  }

  package func note(_ records: [RunRecord]) async throws(StoreError) {
    try await onQueue { [self] _ throws(StoreError) in try noteOnQueue(records) }
  }

  package func commit(_ commit: RunCommit) async throws(StoreError) -> CommitReceipt {
    try await store(commit)
  }

  package func abandon(_ job: JobName, run: RunID) {
    openRuns.end(run, of: job)
    considerCommits()
  }

  package func abandon(_ record: RunRecord) {
    openRuns.abandon(record)
    considerCommits()
  }

  package func claim(
    _ job: JobName, identity key: String, plugin: PluginName
  ) async throws(StoreError) {
    try await write { writer, connection, numbers in
      let id = try writer.job(job, plugin: plugin, connection, &numbers)
      var arguments = PostgresArguments()
      arguments.add(id)
      arguments.add(text: key)
      try connection.run(
        PostgresStatement("UPDATE fetchrun.jobs SET identity = $2 WHERE id = $1"), arguments)
    }
  }

  package var jobBytesMax: Int64 { shareMax.load(ordering: .relaxed) }
}

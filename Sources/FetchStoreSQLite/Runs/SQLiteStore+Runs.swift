package import FetchModel
package import FetchStore
package import FetchValues
internal import Synchronization

extension WriterStatement {
  static let insertRun = WriterStatement(
    """
    INSERT INTO runs VALUES
      (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  static let updateRun = WriterStatement(
    """
    UPDATE runs SET run = ?1, job = ?2, plugin = ?3, trigger = ?4, outcome = ?5, reason = ?6,
      added = ?7, updated = ?8, removed = ?9, started_at = ?10, duration_ms = ?11,
      cpu_us = ?12, requests = ?13, received_bytes = ?14, failure = ?15, next_due_at = ?16,
      ended = ?17
    WHERE number = ?18 AND run = ?1
    """)
  static let markFirstResult = WriterStatement(
    "UPDATE jobs SET first_result_at = ?2 WHERE id = ?1 AND first_result_at IS NULL")
}

extension WriterConnection {
  /// Stores one commit in the open transaction.
  ///
  /// - Parameter number: the number of the run's row; nil if the run has no row yet.
  func apply(_ commit: RunCommit, number: Int64?) throws -> AppliedCommit {
    let record = commit.record
    let job =
      try commit.jobID ?? existingJobID(record.job) ?? makeJob(record.job, plugin: record.plugin)
    if let identity = commit.identity { try setIdentity(identity, job: job) }
    let run = try write(record, job: job, number: number, isRunning: commit.part == .checkpoint)
    let (first, byteCount) = try apply(
      commit.changes, job: job, run: run, at: record.startedAt)
    if let state = commit.state { try setState(state, job: job) }
    if let grant = commit.grant { try setGrant(grant, job: job) }
    // A run for one transfer is not a first result, since it shows nothing about the source. The
    // job's first run may have failed after requesting the transfer.
    let isResult =
      commit.part == .end && record.outcome.failure == nil && record.trigger != .transfer
    if let schedule = commit.schedule {
      try setSchedule(schedule, job: job, result: isResult ? record.startedAt : nil)
    } else if isResult {
      try markFirstResult(at: record.startedAt, job: job)
    }
    setShared(commit.shared)
    for (url, validators) in commit.validators { try setValidators(validators, url: url, job: job) }
    for transfer in commit.transfers { try queue(transfer, job: job, at: record.startedAt) }
    if let told = commit.toldTransfer { try markTold(told) }
    for delivery in commit.deliveries { try insert(delivery, firstSequence: first) }
    for (origin, until) in commit.coolDowns { try setCoolDown(origin, until: until) }
    if let kept = commit.kept { try keep(kept, of: record) }
    let receipt = CommitReceipt(
      firstSequence: first, byteCount: byteCount, deliveryCount: commit.deliveries.count)
    return AppliedCommit(receipt: receipt, runNumber: run)
  }

  private func markFirstResult(at time: Timestamp, job: Int64) throws {
    let row = try statement(.markFirstResult)
    row.bind(1, job)
    row.bind(2, time)
    try row.run()
  }

  /// Stores that a run has begun. Returns the number of the run's row.
  func note(_ record: RunRecord) throws -> Int64 {
    var commit = RunCommit(record: record)
    commit.part = .checkpoint
    return try apply(commit, number: nil).runNumber
  }

  private func write(
    _ record: RunRecord, job: Int64, number: Int64?, isRunning: Bool
  ) throws -> Int64 {
    let ended = isRunning ? nil : try ends.next(db, path: path)
    guard let number else { return try write(record, job: job, number: nil, ended: ended) }
    let row = try write(record, job: job, number: number, ended: ended)
    // If the transaction that inserted the row was rolled back, the row does not exist, and no row
    // was changed.
    return changedRowCount > 0 ? row : try write(record, job: job, number: nil, ended: ended)
  }

  /// Inserts or updates the row of a run, and returns the number of the row.
  ///
  /// - Parameter ended: the number that the run receives when it ends; nil while the run continues.
  private func write(
    _ record: RunRecord, job: Int64, number: Int64?, ended: Int64?
  ) throws -> Int64 {
    let row = try statement(number == nil ? .insertRun : .updateRun)
    let counts = record.counts
    row.bind(1, record.run.bytes)
    row.bind(2, job)
    row.bind(3, record.plugin)
    row.bind(4, record.trigger.rawValue)
    row.bind(5, ended == nil ? RunRow.runningWord : record.outcome.word)
    row.bind(6, record.outcome.reason?.rawValue)
    row.bind(7, counts.added)
    row.bind(8, counts.updated)
    row.bind(9, counts.removed)
    row.bind(10, record.startedAt)
    row.bind(11, record.duration.wholeMilliseconds)
    row.bind(12, record.cpu.wholeMicroseconds)
    row.bind(13, record.requestCount)
    row.bind(14, record.receivedBytes)
    row.bind(15, record.outcome.failure?.json)
    row.bind(16, record.nextDueAt?.milliseconds)
    row.bind(17, ended)
    if let number { row.bind(18, number) }
    try row.run()
    return number ?? lastInsertedRow
  }
}

/// The result of applying a `RunCommit`, before its transaction is committed.
struct AppliedCommit {
  var receipt: CommitReceipt
  /// The number of the run's row, which later parts of the run update.
  var runNumber: Int64
}

extension SQLiteStore {
  /// Begins a run of a job: takes the job's lease and reads the data that the run needs.
  ///
  /// The lease ends with the commit of `.end`, with `abandon`, or if this function throws. Throws
  /// `jobRunning` while another run has the lease, and `full` if there is no space. The first note
  /// or commit of an unknown job creates the job.
  ///
  /// - Parameters:
  ///   - plugin: the plugin whose grant is read, as in `PinnedGrant.plugin`; nil means that no
  ///     grant is read.
  ///   - noting: the run's record. It is stored so that the next process finds the run after a
  ///     crash. If other runs are active, this write may wait briefly for the writes of these runs.
  package func openJob(
    _ name: JobName, run: RunID, plugin: String? = nil, noting record: RunRecord? = nil
  ) async throws(StoreError) -> JobSnapshot {
    guard openRuns.begin(run, of: name) else {
      throw StoreError(.jobRunning, "the job '\(name)' is running already: wait for the run to end")
    }
    do {
      try checkRoom()
      guard let record else {
        return try await queue.perform(isWrite: false) {
          try $0.snapshot(ofJob: name, plugin: plugin)
        }
      }
      return try await open(name, plugin, noting: record)
    } catch {
      abandon(name, run: run)
      throw error
    }
  }

  /// Throws `full` if the store's disk has no space for a small run. The space is read at most ten
  /// times per second, because thousands of runs may begin at once.
  private func checkRoom() throws(StoreError) {
    let now = ContinuousClock.now
    if let last = hadRoomAt.withLock({ $0 }), last.duration(to: now) < .milliseconds(100) { return }
    try StoreFiles.checkRoom(path)
    hadRoomAt.withLock { $0 = now }
  }

  private func open(
    _ name: JobName, _ plugin: String?, noting record: RunRecord
  ) async throws(StoreError) -> JobSnapshot {
    let (snapshot, number) = try await queue.perform(
      isWrite: true, siblingCount: openRuns.count
    ) { connection in
      // The snapshot is read first, so that it has the state before the note creates the job.
      (
        try connection.snapshot(ofJob: name, plugin: plugin), try connection.note(record)
      )
    }
    openRuns.setRow(number, of: record.run, of: name)
    return snapshot
  }

  /// Stores the records of active runs that have stored nothing yet: see `openJob`.
  package func note(_ records: [RunRecord]) async throws(StoreError) {
    try await queue.perform(isWrite: true) { [openRuns] connection in
      for record in records where openRuns.isUnwritten(record.run, of: record.job) {
        let number = try connection.note(record)
        // The row's number is set before the row is durable, since the run may store something in
        // the same transaction. If the transaction is rolled back, the run's next write inserts a
        // row.
        openRuns.setRow(number, of: record.run, of: record.job)
      }
    }
  }

  /// Stores a part of a run, all or nothing. Returns when the part is durable.
  package func commit(_ commit: RunCommit) async throws(StoreError) -> CommitReceipt {
    let (job, run) = (commit.record.job, commit.record.run)
    let siblingCount = commit.part == .end ? openRuns.count : nil
    let applied = try await queue.perform(isWrite: true, siblingCount: siblingCount) {
      [openRuns] connection in
      try connection.apply(commit, number: openRuns.rowToWrite(run, of: job))
    }
    switch commit.part {
    case .checkpoint: openRuns.setRow(applied.runNumber, of: run, of: job)
    case .end: openRuns.end(run, of: job)
    }
    await endRows(openRuns.takeUnended())
    return applied.receipt
  }

  /// Ends the rows of the runs whose end the store did not accept earlier.
  private func endRows(_ runs: [OpenRuns.Unended]) async {
    if runs.isEmpty { return }
    do {
      try await queue.perform(isWrite: true) { connection in
        // The row of a job that was removed meanwhile is removed too.
        for run in runs where try connection.existingJobID(run.record.job) != nil {
          _ = try connection.apply(RunCommit(record: run.record), number: run.number)
        }
      }
    } catch {
      if error.code != .rejected { return openRuns.remember(runs) }
      // A record that can never be stored does not hold back the others.
      if runs.count > 1 { for run in runs { await endRows([run]) } }
    }
  }

  /// Releases the lease of a run that stores nothing more.
  package func abandon(_ job: JobName, run: RunID) { openRuns.end(run, of: job) }

  package func abandon(_ record: RunRecord) { openRuns.abandon(record) }
}

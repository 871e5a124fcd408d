internal import FetchModel
internal import GRDB

extension WriterConnection {
  /// Queues a transfer in place of the one that is pending for its path.
  func queue(_ transfer: QueuedTransfer, job: Int64, at time: Timestamp) throws {
    let request = transfer.request
    let pending = try transferStatement(.dropPending)
    pending.bind(1, job)
    pending.bind(2, request.to.text)
    try pending.run()
    let row = try transferStatement(.insert)
    row.bind(1, transfer.id)
    row.bind(2, job)
    row.bind(3, request.to.text)
    row.bind(4, request.url)
    row.bind(5, request.sha256)
    row.bind(6, request.size)
    row.bind(7, request.modified?.milliseconds)
    row.bind(8, TransferRow.encoded(request.headers))
    row.bind(9, request.backup?.text)
    row.bind(10, TransferState.queued.rawValue)
    row.bind(11, request.size)
    row.bind(12, time)
    row.bind(13, request.sealed?.stored.encoded)
    try row.run()
  }

  /// False when there is no such transfer any more.
  func update(_ record: TransferRecord) throws -> Bool {
    let row = try transferStatement(.update)
    row.bind(1, record.state.rawValue)
    row.bind(2, record.isTold ? 1 : 0)
    row.bind(3, record.download.receivedBytes)
    row.bind(4, record.download.totalBytes)
    row.bind(5, record.download.validators.etag)
    row.bind(6, record.download.validators.lastModified)
    row.bind(7, record.download.validators.hasStrongDate ? 1 : 0)
    row.bind(8, record.boot)
    row.bind(9, record.attemptCount)
    row.bind(10, record.failureCount)
    row.bind(11, record.failingSince?.milliseconds)
    row.bind(12, record.changeCount)
    row.bind(13, record.nextAttemptAt?.milliseconds)
    row.bind(14, record.failure?.json)
    row.bind(15, record.sha256)
    row.bind(16, record.updatedAt)
    row.bind(17, record.id)
    try row.run()
    return changedRowCount > 0
  }

  func markTold(_ transfer: Int64) throws {
    let row = try transferStatement(.markTold)
    row.bind(1, transfer)
    try row.run()
  }

  func pendingTransfer(of job: Int64, to path: FilePath) throws -> TransferRecord? {
    let row = try transferStatement(.pending)
    row.bind(1, job)
    row.bind(2, path.text)
    defer { row.reset() }
    return try row.step() ? TransferRow.record(row) : nil
  }

  func transfer(_ id: Int64) throws -> TransferRecord? {
    let row = try transferStatement(.one)
    row.bind(1, id)
    defer { row.reset() }
    return try row.step() ? TransferRow.record(row) : nil
  }

  /// The highest id ever given.
  func lastTransferID() throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'transfers'") ?? 0
  }

  /// Attempts that a process began and could not end are over: whoever opens the store for writing
  /// is alone.
  func requeueTransfers() throws {
    try db.execute(
      sql: "UPDATE transfers SET state = 'queued' WHERE told = 0 AND state = 'running'")
  }

  private func transferStatement(_ use: TransferStatement) throws -> SQLStatement {
    if let statement = transferStatements[use] { return statement }
    let statement = try SQLStatement(db, use.sql)
    transferStatements[use] = statement
    return statement
  }
}

/// The statements of transfers, each prepared when it is first needed: most commands need none.
enum TransferStatement {
  case dropPending
  case insert
  case update
  case markTold
  case pending
  case one

  var sql: String {
    switch self {
    case .dropPending:
      "DELETE FROM transfers WHERE job = ? AND path = ? AND \(TransferRow.pending)"
    case .insert:
      """
      INSERT INTO transfers (
        id, job, path, url, sha256, size, modified_at, headers, backup, state, told, received, total,
        has_strong_date, attempts, failures, changes, created_at, updated_at, sealed)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, 0, ?11, 0, 0, 0, 0, ?12, ?12, ?13)
      """
    case .update:
      """
      UPDATE transfers SET state = ?, told = ?, received = ?, total = ?, etag = ?,
        last_modified = ?, has_strong_date = ?, boot = ?, attempts = ?, failures = ?,
        failing_since = ?, changes = ?, next_attempt_at = ?, failure = ?, found_sha256 = ?,
        updated_at = ?
      WHERE id = ?
      """
    // One that somebody wants again is pending, and is told of another time.
    case .markTold:
      "UPDATE transfers SET told = 1 WHERE id = ? AND NOT \(TransferRow.pending)"
    case .pending:
      """
      SELECT \(TransferRow.columns) FROM transfers JOIN jobs ON jobs.id = transfers.job
      WHERE transfers.job = ? AND path = ? AND \(TransferRow.pending)
      """
    case .one:
      """
      SELECT \(TransferRow.columns) FROM transfers JOIN jobs ON jobs.id = transfers.job
      WHERE transfers.id = ?
      """
    }
  }
}

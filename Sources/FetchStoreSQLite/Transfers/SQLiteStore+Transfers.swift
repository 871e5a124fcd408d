package import FetchModel
package import FetchStore
package import FetchValues
internal import Synchronization

extension WriterStatement {
  static let dropPendingTransfer = WriterStatement(
    "DELETE FROM transfers WHERE job = ? AND path = ? AND \(StoreSchema.isPending)")
  static let insertTransfer = WriterStatement(
    """
    INSERT INTO transfers (
      id, job, path, url, sha256, size, modified_at, headers, backup, state, told, received, total,
      has_strong_date, attempts, failures, changes, created_at, updated_at, sealed)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, 0, ?11, 0, 0, 0, 0, ?12, ?12, ?13)
    """)
  static let updateTransfer = WriterStatement(
    """
    UPDATE transfers SET state = ?, told = ?, received = ?, total = ?, etag = ?,
      last_modified = ?, has_strong_date = ?, boot = ?, attempts = ?, failures = ?,
      failing_since = ?, changes = ?, next_attempt_at = ?, failure = ?, found_sha256 = ?,
      updated_at = ?
    WHERE id = ?
    """)
  // The statement does not change a pending transfer.
  static let markTransferTold = WriterStatement(
    "UPDATE transfers SET told = 1 WHERE id = ? AND NOT \(StoreSchema.isPending)")
  static let pendingTransfer = WriterStatement(
    """
    SELECT \(TransferRow.columns) FROM transfers JOIN jobs ON jobs.id = transfers.job
    WHERE transfers.job = ? AND path = ? AND \(StoreSchema.isPending)
    """)
  static let transfer = WriterStatement(
    """
    SELECT \(TransferRow.columns) FROM transfers JOIN jobs ON jobs.id = transfers.job
    WHERE transfers.id = ?
    """)
}

extension WriterConnection {
  /// Queues a transfer, and removes the job's pending transfer to the same path.
  func queue(_ transfer: QueuedTransfer, job: Int64, at time: Timestamp) throws {
    let request = transfer.request
    let pending = try statement(.dropPendingTransfer)
    pending.bind(1, job)
    pending.bind(2, request.to.text)
    try pending.run()
    let row = try statement(.insertTransfer)
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

  /// Stores a transfer's state. Returns false if the transfer no longer exists.
  func update(_ record: TransferRecord) throws -> Bool {
    let row = try statement(.updateTransfer)
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
    let row = try statement(.markTransferTold)
    row.bind(1, transfer)
    try row.run()
  }

  func pendingTransfer(of job: Int64, to path: FilePath) throws -> TransferRecord? {
    let row = try statement(.pendingTransfer)
    row.bind(1, job)
    row.bind(2, path.text)
    defer { row.reset() }
    return try row.step() ? TransferRow.record(row) : nil
  }

  func transfer(_ id: Int64) throws -> TransferRecord? {
    let row = try statement(.transfer)
    row.bind(1, id)
    defer { row.reset() }
    return try row.step() ? TransferRow.record(row) : nil
  }

  /// Returns the highest transfer id that was ever stored; 0 if there is none.
  func lastTransferID() throws -> Int64 {
    let last = try db.integer("SELECT seq FROM sqlite_sequence WHERE name = 'transfers'") ?? 0
    return try Self.checked(last, path: path)
  }

  /// Queues again the transfers whose attempts an earlier process did not end. Returns the number
  /// of these transfers.
  func requeueTransfers() throws -> Int {
    try db.execute("UPDATE transfers SET state = 'queued' WHERE told = 0 AND state = 'running'")
    return changedRowCount
  }
}

extension SQLiteStore {
  /// Returns an id for a new transfer. While the store is open, no id is returned twice, even if no
  /// commit uses it.
  package func newTransferID() async throws(StoreError) -> Int64 {
    if lastTransferID.withLock({ $0 == nil }) {
      let last = try await queue.perform(isWrite: false) { try $0.lastTransferID() }
      lastTransferID.withLock { $0 = $0 ?? last }
    }
    return lastTransferID.withLock { last in
      let id = (last ?? 0) + 1
      last = id
      return id
    }
  }

  /// Returns the pending transfers of a job to the given paths.
  package func pendingTransfers(
    of job: JobName, to paths: [FilePath]
  ) async throws(StoreError) -> [FilePath: TransferRecord] {
    try await queue.perform(isWrite: false) { connection in
      guard let id = try connection.existingJobID(job) else { return [:] }
      var found: [FilePath: TransferRecord] = [:]
      for path in paths { found[path] = try connection.pendingTransfer(of: id, to: path) }
      return found
    }
  }

  /// Returns the present record of a transfer; nil if the transfer does not exist. Reads it through
  /// the queue of the writing connection.
  package func transfer(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    try await queue.perform(isWrite: false) { try $0.transfer(id) }
  }

  /// Stores a transfer's state. Returns false if the transfer no longer exists, for example because
  /// another transfer has replaced it.
  package func update(_ transfer: TransferRecord) async throws(StoreError) -> Bool {
    try await queue.perform(isWrite: true) { try $0.update(transfer) }
  }
}

extension StoreReader {
  /// Returns the pending transfers in the order of their requests, then the ended transfers, the
  /// last updated first.
  ///
  /// - Parameter endedLimit: the maximum number of ended transfers; nil for all.
  package func transfers(
    job: JobName? = nil, endedLimit: Int? = nil
  ) throws(StoreError) -> [TransferRecord] {
    // Both lists are from the same instant, since a transfer may end meanwhile.
    try read { db in
      let pending = try Self.transfers(
        where: StoreSchema.isPending, job, order: "transfers.id", limit: nil, db)
      let ended = try Self.transfers(
        where: "NOT \(StoreSchema.isPending)", job, order: "updated_at DESC, transfers.id DESC",
        limit: endedLimit, db)
      return pending + ended
    }
  }

  /// Returns the transfers that still need work and have an id higher than `id`, in the order of
  /// their requests. They are the pending transfers, and the ended transfers of which the plugin
  /// must still be notified. `limit` is the maximum number of transfers; nil for all.
  package func openTransfers(
    after id: Int64 = 0, limit: Int? = nil
  ) throws(StoreError) -> [TransferRecord] {
    try read { db in
      try Self.transfers(
        where: "told = 0 AND transfers.id > \(id)", nil, order: "transfers.id", limit: limit, db)
    }
  }

  /// Returns the ids of all transfers that still need work, in the order of their requests.
  package func openTransferIDs() throws(StoreError) -> [Int64] {
    try read { db in
      try db.integers("SELECT id FROM transfers WHERE told = 0 ORDER BY id")
    }
  }

  /// Whether a job has a transfer that still needs work.
  package func hasOpenTransfers(of job: JobName) throws(StoreError) -> Bool {
    try read { db in
      try db.integer(
        """
        SELECT EXISTS (SELECT 1 FROM transfers JOIN jobs ON jobs.id = transfers.job
          WHERE told = 0 AND jobs.name = ?)
        """, job) == 1
    }
  }

  package func transfer(_ id: Int64) throws(StoreError) -> TransferRecord? {
    try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT \(TransferRow.columns) FROM transfers JOIN jobs ON jobs.id = transfers.job
        WHERE transfers.id = ?
        """)
      row.bind(1, id)
      defer { row.reset() }
      return try row.step() ? TransferRow.record(row) : nil
    }
  }

  private static func transfers(
    where condition: String, _ job: JobName?, order: String, limit: Int?, _ db: SQLConnection
  ) throws -> [TransferRecord] {
    let row = try SQLStatement(
      db,
      """
      SELECT \(TransferRow.columns) FROM transfers JOIN jobs ON jobs.id = transfers.job
      WHERE \(condition) \(job == nil ? "" : "AND jobs.name = ?2")
      ORDER BY \(order) LIMIT ?1
      """)
    row.bind(1, limit ?? -1)
    if let job { row.bind(2, job) }
    var records: [TransferRecord] = []
    while try row.step() {
      if let record = TransferRow.record(row) { records.append(record) }
    }
    return records
  }
}

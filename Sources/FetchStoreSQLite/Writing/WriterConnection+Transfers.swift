internal import FetchModel
import FetchStore
internal import FetchValues
internal import GRDB

extension WriterConnection {
  /// Queues a transfer in place of the one that is pending for its path.
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

  /// False when there is no such transfer any more.
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

  /// The highest id ever given.
  func lastTransferID() throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'transfers'") ?? 0
  }

  /// Attempts that a process began and could not end are over: whoever opens the store for writing
  /// is alone. Returns how many there were.
  func requeueTransfers() throws -> Int {
    try db.execute(
      sql: "UPDATE transfers SET state = 'queued' WHERE told = 0 AND state = 'running'")
    return changedRowCount
  }
}

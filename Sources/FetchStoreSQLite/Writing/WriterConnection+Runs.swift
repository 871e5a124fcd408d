internal import FetchModel
import FetchStore
internal import FetchValues

extension WriterConnection {
  /// Stores one commit, in the transaction that is open.
  ///
  /// - Parameter number: the row of the run's earlier checkpoint, if there was one.
  func apply(_ commit: RunCommit, number: Int64?) throws -> AppliedCommit {
    let record = commit.record
    let job = try existingJobID(record.job) ?? makeJob(record.job, plugin: record.plugin)
    if let identity = commit.identity { try setIdentity(identity, job: job) }
    let run = try write(record, job: job, number: number, isRunning: commit.part == .checkpoint)
    let (first, byteCount) = try apply(
      commit.changes, job: job, run: run, at: record.startedAt)
    if let state = commit.state { try setState(state, job: job) }
    if let grant = commit.grant { try setGrant(grant, job: job) }
    if let schedule = commit.schedule { try setSchedule(schedule, job: job) }
    try setShared(commit.shared)
    for (url, validators) in commit.validators { try setValidators(validators, url: url, job: job) }
    for transfer in commit.transfers { try queue(transfer, job: job, at: record.startedAt) }
    if let told = commit.toldTransfer { try markTold(told) }
    for delivery in commit.deliveries { try insert(delivery, firstSequence: first) }
    for (origin, until) in commit.coolDowns { try setCoolDown(origin, until: until) }
    if let kept = commit.kept { try keep(kept, of: record) }
    // A run about one transfer shows nothing of the source: the first run may have failed after it
    // queued that.
    let showsSource = record.trigger != .transfer
    if commit.part == .end && record.outcome.failure == nil && showsSource {
      let row = try statement(.markFirstResult)
      row.bind(1, job)
      row.bind(2, record.startedAt)
      try row.run()
    }
    let receipt = CommitReceipt(
      firstSequence: first, byteCount: byteCount, deliveryCount: commit.deliveries.count)
    return AppliedCommit(receipt: receipt, runNumber: run)
  }

  /// Writes down that a run has begun, and returns its row.
  func note(_ record: RunRecord) throws -> Int64 {
    var commit = RunCommit(record: record)
    commit.part = .checkpoint
    return try apply(commit, number: nil).runNumber
  }

  private func write(
    _ record: RunRecord, job: Int64, number: Int64?, isRunning: Bool
  ) throws -> Int64 {
    let row = try statement(number == nil ? .insertRun : .updateRun)
    let counts = record.counts
    row.bind(1, record.run.bytes)
    row.bind(2, job)
    row.bind(3, record.plugin)
    row.bind(4, record.trigger.rawValue)
    row.bind(5, isRunning ? RunRow.runningWord : record.outcome.word)
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
    if let number { row.bind(17, number) }
    try row.run()
    guard let number else { return lastInsertedRow }
    // The note of the run was undone with others in its transaction.
    if changedRowCount == 0 {
      return try write(record, job: job, number: nil, isRunning: isRunning)
    }
    return number
  }
}

/// What became of a commit inside its transaction.
struct AppliedCommit {
  var receipt: CommitReceipt
  /// Where the run's further parts are written.
  var runNumber: Int64
}

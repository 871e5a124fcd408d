package import FetchModel
import FetchValues

/// The conversion of rows of the table `runs` into records.
package enum RunRow {
  /// The word for the outcome of a run that has a row but has not ended.
  package static let runningWord = "running"

  package static let columns = """
    runs.run, jobs.name, runs.plugin, runs.trigger, runs.outcome, runs.reason, runs.added,
    runs.updated, runs.removed, runs.started_at, runs.duration_ms, runs.cpu_us, runs.requests,
    runs.received_bytes, runs.failure, runs.next_due_at
    """
  package static let columnCount: Int32 = 16

  package static func record(_ row: some StoreRow) -> RunRecord {
    var record = RunRecord(
      run: RunID(bytes: row.bytes(0) ?? []) ?? RunID(startedAt: row.time(9), random: (0, 0)),
      job: row.name(1), plugin: row.name(2),
      trigger: row.text(3).flatMap(RunTrigger.init) ?? .manual, outcome: outcome(row),
      startedAt: row.time(9))
    record.duration = .milliseconds(row.integer(10))
    record.cpu = .microseconds(row.integer(11))
    record.requestCount = Int(row.integer(12))
    record.receivedBytes = Int(row.integer(13))
    record.nextDueAt = row.optionalTime(15)
    if record.outcome.failure != nil { record.checkpointed = counts(row) }
    return record
  }

  private static func counts(_ row: some StoreRow) -> ChangeCounts {
    ChangeCounts(
      added: row.count(6), updated: row.count(7), removed: row.count(8))
  }

  private static func outcome(_ row: some StoreRow) -> Outcome {
    switch row.text(4) {
    case "newData": .newData(counts(row))
    case "noData": .noData(row.text(5).flatMap(NoDataReason.init) ?? .sameItems)
    case runningWord: .failed(abandoned)
    default: .failed(failure(row.text(14)))
    }
  }

  /// The failure of a run that has a row but did not end. Readers can see this failure even before
  /// the next writing process records it.
  package static let abandoned = Failure(
    .abandoned, "the run did not end: fetchrun stopped in the middle of it", retryable: true)

  package static func failure(_ json: String?) -> Failure {
    guard let json, let value = try? JSONReader.decode(json) else {
      return Failure(
        .internalError, "the store's record of this run's failure is missing or cannot be read")
    }
    return Failure(
      value["code"]?.stringValue.flatMap(FailureCode.init) ?? .internalError,
      value["message"]?.stringValue ?? "", retryable: value["retryable"]?.boolValue ?? false,
      file: value["file"]?.stringValue, line: value["line"]?.integerValue.map { Int($0) })
  }
}

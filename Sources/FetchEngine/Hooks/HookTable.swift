import FetchModel
import FetchValues

/// The payloads of hook files as tables, with field names in Lua's convention.
enum HookTable {
  /// Returns the table of a run that has no outcome yet. `last` is the job's previous run.
  static func run(_ record: RunRecord, options: ValueObject, last: RunRecord?) -> ValueObject {
    var run = beginning(of: record)
    run.append("options", .object(options))
    if let last { run.append("last", .object(ended(last))) }
    return run
  }

  /// Returns the table of a run that has ended.
  static func ended(_ record: RunRecord) -> ValueObject {
    var run = beginning(of: record)
    run.append("outcome", .string(record.outcome.word))
    if let reason = record.outcome.reason { run.append("reason", .string(reason.rawValue)) }
    let counts = record.counts
    run.append("added", .integer(Int64(counts.added)))
    run.append("updated", .integer(Int64(counts.updated)))
    run.append("removed", .integer(Int64(counts.removed)))
    if let failure = record.outcome.failure { run.append("failure", .object(table(failure))) }
    return run
  }

  static func table(_ failure: Failure) -> ValueObject {
    var table = ValueObject([
      ("code", .string(failure.code.rawValue)), ("message", .string(failure.message)),
      ("retryable", .bool(failure.retryable)),
    ])
    if let file = failure.file { table.append("file", .string(file)) }
    if let line = failure.line { table.append("line", .integer(Int64(line))) }
    return table
  }

  private static func beginning(of record: RunRecord) -> ValueObject {
    ValueObject([
      ("id", .string(record.run.description)), ("job", .string(record.job.text)),
      ("plugin", .string(record.plugin)), ("trigger", .string(record.trigger.rawValue)),
      ("started_at", .string(record.startedAt.description)),
    ])
  }
}

import FetchModel
import FetchValues

/// The Lua tables that hook functions receive, with field names such as `started_at`.
enum HookTable {
  /// Returns the table of a run that has no outcome yet. `last` is the job's previous run.
  static func run(_ record: RunRecord, options: ValueObject, last: RunRecord?) -> ValueObject {
    var run = beginning(of: record)
    run.append("options", .object(options))
    if let last { run.append("last", .object(ended(last))) }
    return run
  }

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
      ("plugin", .string(record.plugin.text)), ("trigger", .string(record.trigger.rawValue)),
      ("started_at", .string(record.startedAt.description)),
    ])
  }
}

/// The conversion of a stored delivery into Lua tables. Missing fields of the JSON are left out.
extension HookTable {
  /// Returns the run in a delivery's payload. The names of the fields are those of the Lua table
  /// `run`.
  static func run(told payload: ValueObject) -> ValueObject {
    var run = ValueObject()
    for (key, name) in [
      ("run", "id"), ("plugin", "plugin"), ("trigger", "trigger"), ("startedAt", "started_at"),
      ("outcome", "outcome"), ("reason", "reason"), ("added", "added"), ("updated", "updated"),
      ("removed", "removed"), ("failure", "failure"),
    ] {
      if let value = payload["run"]?[key], !value.isNull { run.append(name, value) }
    }
    if let failures = payload["failures"] { run.append("failures", failures) }
    return run
  }

  /// Returns a payload's item as a change: the plugin's fields, and the facts that fetchrun knows,
  /// such as the kind of change.
  static func change(_ line: ValueObject) -> ValueObject {
    var change = ValueObject()
    for (key, name) in [
      ("change", "change"), ("id", "id"), ("job", "job"), ("sequence", "sequence"),
      ("seenAt", "seen_at"), ("title", "title"), ("url", "url"), ("publishedAt", "published"),
    ] {
      if let value = line[key], !value.isNull { change.append(name, value) }
    }
    for field in line["fields"]?.objectValue?.members ?? [] where change[field.key] == nil {
      change.append(field.key, field.value)
    }
    return change
  }

  /// Returns the failure that describes a stale job, made from the payload's data.
  static func staleness(_ stale: Value?) -> ValueObject {
    let since = stale?["since"]?.stringValue ?? "an unknown time"
    let what = stale?["what"]?.stringValue.flatMap(StaleRule.What.init) ?? .success
    return ValueObject([
      ("code", "stale"),
      (
        "message",
        .string(
          what == .newData ? "nothing new since \(since)" : "no run has succeeded since \(since)")
      ),
      ("retryable", true),
      ("what", .string(what.rawValue)),
      ("since", stale?["since"] ?? .null),
    ])
  }
}

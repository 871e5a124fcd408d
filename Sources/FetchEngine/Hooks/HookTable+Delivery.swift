import FetchModel
import FetchValues

/// The conversion of a stored delivery into Lua tables. The program itself wrote the JSON, but
/// every field is optional here.
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

  /// Returns a payload's item as a change: the plugin's fields with the kind of change.
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
    let since = stale?["since"]?.stringValue ?? "long"
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

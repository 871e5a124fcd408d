import FetchEngine
import FetchModel

/// The members of the API's JSON objects, for the OpenAPI document. A test compares the lists for
/// items, runs, deliveries, tokens and problems with objects that the API writes.
enum APIFields {
  static let item: [RouteField] = [
    RouteField("sequence", .integer), RouteField("job", .text), RouteField("id", .text),
    RouteField("change", .choice(["added", "updated", "removed", "baseline"])),
    RouteField("title", .text, isNullable: true), RouteField("url", .text, isNullable: true),
    RouteField("publishedAt", .text, isNullable: true), RouteField("seenAt", .time),
    RouteField("fields", .object),
  ]

  static let failure: [RouteField] = [
    RouteField("code", .text), RouteField("message", .text), RouteField("retryable", .flag),
    RouteField("file", .text, isOptional: true), RouteField("line", .integer, isOptional: true),
  ]

  static let run: [RouteField] = [
    RouteField("run", .text), RouteField("job", .text), RouteField("plugin", .text),
    RouteField("trigger", .choice(RunTrigger.allCases.map(\.rawValue))),
    RouteField("outcome", .choice(outcomes)), RouteField("reason", .text, isNullable: true),
    RouteField("added", .integer), RouteField("updated", .integer), RouteField("removed", .integer),
    RouteField("startedAt", .time), RouteField("durationSeconds", .number),
    RouteField("cpuSeconds", .number), RouteField("requests", .integer),
    RouteField("receivedBytes", .integer),
    RouteField("failure", .fields(failure), isNullable: true),
    RouteField("nextDueAt", .time, isNullable: true), RouteField("note", .text, isOptional: true),
  ]

  static let outcomes = OutcomeKind.allCases.map(\.rawValue)

  /// The members of a run's line if the client requests a single run. The two members after those
  /// of `run` say whether the run can be replayed.
  static let oneRun =
    run + [
      RouteField("canBeReplayed", .flag), RouteField("whyNot", .text, isNullable: true),
    ]

  static let dueReason: [RouteField] = [RouteField("at", .time), RouteField("reason", .text)]

  static let wait: [RouteField] = [
    RouteField("for", .text), RouteField("hostname", .text, isNullable: true),
    RouteField("since", .time),
  ]

  static let status: [RouteField] = [
    RouteField("job", .text), RouteField("state", .choice(JobState.allCases.map(\.rawValue))),
    RouteField("lastOutcome", .choice(outcomes), isNullable: true),
    RouteField("lastSuccessAt", .time, isNullable: true),
    RouteField("lastNewDataAt", .time, isNullable: true),
    RouteField("nextDueAt", .time, isNullable: true), RouteField("why", .text),
    RouteField("failures", .integer), RouteField("lane", .text, isNullable: true),
    RouteField("dueReasons", .list(.fields(dueReason))),
    RouteField("waiting", .fields(wait), isNullable: true), RouteField("isHeld", .flag),
    RouteField("pausedAt", .time, isNullable: true),
  ]

  static let sentence: [RouteField] = [
    RouteField("job", .text), RouteField("sentence", .text),
    RouteField("waiting", .fields(wait), isNullable: true, isOptional: true),
    RouteField("dueReasons", .list(.fields(dueReason)), isOptional: true),
    RouteField(
      "gates",
      .list(
        .fields([
          RouteField("gate", .text), RouteField("isOpen", .flag),
          RouteField("why", .text, isNullable: true),
        ])), isOptional: true),
  ]

  static let expectedRun: [RouteField] = [
    RouteField("job", .text), RouteField("at", .time), RouteField("exact", .flag),
  ]

  static let lane: [RouteField] = [
    RouteField("hostname", .text), RouteField("connections", .integer),
    RouteField("running", .integer), RouteField("waiting", .integer),
    RouteField("gapSeconds", .number), RouteField("closedUntil", .time, isNullable: true),
    RouteField("why", .text, isNullable: true),
  ]

  static let overview: [RouteField] = [
    RouteField("daemon", .flag), RouteField("startedAt", .time, isNullable: true),
    RouteField("version", .text), RouteField("jobs", .object), RouteField("broken", .integer),
    RouteField("held", .integer), RouteField("pausedBySource", .integer),
    RouteField(
      "stale", .fields([RouteField("success", .integer), RouteField("newData", .integer)])),
    RouteField("runs", .integer), RouteField("nextDueAt", .time, isNullable: true),
    RouteField("overdueSeconds", .integer), RouteField("paused", .time, isNullable: true),
    RouteField("offlineSince", .time, isNullable: true),
    RouteField("store", .text, isNullable: true),
    RouteField(
      "deliveries", .fields([RouteField("pending", .integer), RouteField("dead", .integer)])),
  ]

  static let limit: [RouteField] = [
    RouteField("resource", .text), RouteField("limit", .integer, isNullable: true),
    RouteField("period", .text, isNullable: true), RouteField("burst", .integer, isNullable: true),
    RouteField("available", .integer, isNullable: true),
    RouteField("used", .integer, isNullable: true), RouteField("spent", .integer, isNullable: true),
    RouteField("job", .text, isNullable: true),
  ]

  static let trigger: [RouteField] = [
    RouteField("job", .text), RouteField("answer", .choice(["due", "waits", "skipped"])),
    RouteField("why", .text, isNullable: true),
  ]

  static let subscription: [RouteField] = [
    RouteField("id", .integer), RouteField("job", .text), RouteField("topic", .text),
    RouteField("hub", .text),
    RouteField("state", .choice(SubscriptionState.allCases.map(\.rawValue))),
    RouteField("askedAt", .time, isNullable: true),
    RouteField("verifiedAt", .time, isNullable: true),
    RouteField("leaseEndsAt", .time, isNullable: true),
    RouteField("nextAt", .time, isNullable: true), RouteField("pushes", .integer),
    RouteField("lastPushAt", .time, isNullable: true), RouteField("missed", .integer),
    RouteField("failures", .integer), RouteField("failure", .text, isNullable: true),
  ]

  static let grant: [RouteField] = [
    RouteField("job", .text), RouteField("grantedHash", .text), RouteField("isDue", .flag),
  ]

  static let permissions: [RouteField] = [
    RouteField("job", .text), RouteField("plugin", .text), RouteField("file", .text),
    RouteField("hash", .text), RouteField("asks", .list(.any)), RouteField("may", .list(.any)),
    RouteField("missing", .list(.any)),
    RouteField("grantedHash", .text, isNullable: true),
    RouteField("grantedAt", .text, isNullable: true),
    RouteField("grantedBy", .text, isNullable: true), RouteField("held", .text, isNullable: true),
  ]

  static let pause: [RouteField] = [
    RouteField("job", .text, isNullable: true), RouteField("isPaused", .flag),
    RouteField("isChanged", .flag),
  ]

  static let delivery: [RouteField] = [
    RouteField("id", .integer), RouteField("hook", .text), RouteField("job", .text),
    RouteField("run", .text, isNullable: true), RouteField("event", .text),
    RouteField("key", .text), RouteField("state", .text), RouteField("attempts", .integer),
    RouteField("nextAttemptAt", .time, isNullable: true),
    RouteField("failure", .text, isNullable: true), RouteField("createdAt", .time),
  ]

  static let token: [RouteField] = [
    RouteField("name", .text), RouteField("scopes", .list(.choice(Scope.allCases.map(\.rawValue)))),
    RouteField("jobs", .list(.text), isNullable: true), RouteField("createdAt", .time),
    RouteField("expiresAt", .time, isNullable: true),
    RouteField("lastUsedAt", .time, isNullable: true),
  ]

  static let skip: [RouteField] = [
    RouteField("job", .text), RouteField("at", .time), RouteField("reason", .text),
  ]

  static let transfer: [RouteField] = [
    RouteField("id", .integer), RouteField("job", .text), RouteField("url", .text),
    RouteField("to", .text), RouteField("state", .choice(TransferState.allCases.map(\.rawValue))),
    RouteField("receivedBytes", .integer), RouteField("totalBytes", .integer, isNullable: true),
    RouteField("attempts", .integer), RouteField("nextAttemptAt", .time, isNullable: true),
    RouteField("failure", .fields(failure), isNullable: true), RouteField("createdAt", .time),
    RouteField("updatedAt", .time),
  ]

  static let problem: [RouteField] = [
    RouteField("type", .text), RouteField("title", .text), RouteField("status", .integer),
    RouteField("detail", .text), RouteField("hint", .text, isOptional: true),
    RouteField(
      "errors",
      .list(
        .fields([
          RouteField("pointer", .text, isOptional: true),
          RouteField("parameter", .text, isOptional: true), RouteField("detail", .text),
        ])), isOptional: true),
  ]
}

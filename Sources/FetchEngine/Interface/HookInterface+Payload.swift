/// The arguments of a hook file's functions.
extension HookInterface {
  static let context = InterfaceClass(
    "fetchrun.HookContext", value: "ctx", headings: ["field of `ctx`", "what"],
    fields: [
      .init(
        "options", type: "table<string, any>", isOptional: false, "table of the hook's options"),
      .init("hook", type: "string", isOptional: false, "name of the hook"),
    ],
    methods: [
      .init(
        "secret", parameters: "name: string", results: "fetchrun.Secret? handle",
        summary: "a handle for a secret, as in a plugin; `nil` if the hook has none"),
      .init("time_left", results: "number seconds", summary: "seconds until the window closes"),
    ])

  static let run = InterfaceClass(
    "fetchrun.HookRun", value: "run", headings: ["field of `run`", "when", "what"],
    fields: [
      .init("job", type: "string", kind: "always", isOptional: false, "name of the job"),
      .init("id", type: "string", kind: ofRun, "id of the run"),
      .init("plugin", type: "string", kind: ofRun, "name of the job's plugin"),
      .init(
        "trigger", type: "string", kind: ofRun,
        "why it started: `\"manual\"`, `\"schedule\"` …"),
      .init("started_at", type: "string", kind: ofRun, "when it began, RFC 3339"),
      .init(
        "options", type: "table<string, any>", kind: during, "table of the job's options"),
      .init(
        "last", type: "fetchrun.HookRun", kind: during,
        "the job's previous run; `nil` in its first one"),
      .init(
        "outcome", type: "\"newData\"|\"noData\"|\"failed\"", kind: ended,
        "`\"newData\"`, `\"noData\"` or `\"failed\"`"),
      .init(
        "reason", type: "string", kind: ended,
        "why there is no news: `\"notModified\"`, `\"sameBody\"`, `\"sameItems\"`, `\"empty\"`"),
      .init("added", type: "integer", kind: ended, "number of new items"),
      .init("updated", type: "integer", kind: ended, "number of changed items"),
      .init("removed", type: "integer", kind: ended, "number of removed items"),
      .init(
        "failure", type: "fetchrun.HookFailure", kind: ended,
        "why it failed; `nil` if it did not"),
      .init(
        "failures", type: "integer",
        kind: "in `on_failed` and `on_recovered`, except for a stale job",
        "number of failures in a row"),
      .init("hook", type: "string", kind: told, "name of the hook"),
      .init(
        "delivery", type: "string", kind: told,
        "the idempotency key, which stays the same when a delivery is tried again"),
    ])

  private static let ofRun = "except for a stale job"
  private static let during = "in `before_run` and `on_item`"
  private static let ended = "in deliveries, and in `last`"
  private static let told = "in deliveries"

  static let change = InterfaceClass(
    "fetchrun.HookChange: fetchrun.Item", headings: ["field of a change", "what"],
    fields: [
      .init(
        "change", type: "\"added\"|\"updated\"|\"removed\"", isOptional: false,
        "`\"added\"`, `\"updated\"` or `\"removed\"`"),
      .init("id", type: "string", isOptional: false, "the item's id, as a string"),
      .init("job", type: "string", isOptional: false, "name of the item's job"),
      .init(
        "sequence", type: "integer", isOptional: false, "number of the change; it only grows"),
      .init("seen_at", type: "string", isOptional: false, "when the change was seen, RFC 3339"),
    ])

  static let failure = InterfaceClass(
    "fetchrun.HookFailure", headings: ["field of a failure", "what"],
    fields: [
      .init(
        "code", type: "string", isOptional: false,
        "kind of the failure, for programs: `\"connection\"`, `\"pluginError\"` …"),
      .init("message", type: "string", isOptional: false, "the failure, for people"),
      .init(
        "retryable", type: "boolean", isOptional: false,
        "whether a later run may succeed without any change"),
      .init("file", type: "string", "the plugin's file, if the failure has a place in it"),
      .init("line", type: "integer", "the line in that file"),
      .init(
        "what", type: "\"success\"|\"newData\"",
        "for a stale job: what is missing, `\"success\"` or `\"newData\"`"),
      .init("since", type: "string", "for a stale job: since when, RFC 3339"),
    ])
}

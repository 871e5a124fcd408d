import FetchModel
import FetchValues

/// The keys and functions of a hook file, and the arguments of these functions. The tables of the
/// page HookInterface and the stubs for hook files are generated from this type.
package enum HookInterface {
  static let classes: [InterfaceClass] = [hook, context, run, change, failure]

  /// Returns the field names of the class with the given name, for example `fetchrun.HookRun`.
  /// Returns an empty set if `classes` does not have the class.
  package static func fields(of name: String) -> Set<String> {
    let found = classes.first { $0.name.split(separator: ":")[0] == name }
    return Set(found?.fields.flatMap(\.names) ?? [])
  }

  /// The table that a hook file returns, with its keys and functions.
  static let hook = InterfaceClass(
    keys.name, headings: keys.headings, fields: keys.fields + functions.map(field))

  static let keys = InterfaceClass(
    "fetchrun.Hook", headings: ["key", "default", "what"],
    fields: [
      .init(
        "api", type: "1", kind: "1",
        "the version of the interface that the file is written for"),
      .init(
        "name", type: "string", kind: "the file's name",
        "up to 64 characters of `a-z 0-9 - _ .`"),
      .init("version", type: "string", kind: "nothing", "version of the file"),
      .init("description", type: "string", kind: "nothing", "description of the file"),
      .init(
        "author", type: "string", kind: "nothing",
        "author of the file; fetchrun does not use it"),
      .init(
        "license", type: "string", kind: "nothing",
        "license of the file; fetchrun does not use it"),
      .init(
        "homepage", type: "string", kind: "nothing",
        "web page of the file; fetchrun does not use it"),
      .init(
        "options", type: "table<string, fetchrun.Option>", kind: "none",
        "the options that the config may set, as in a plugin"),
      .init(
        "permissions", type: "fetchrun.Permissions", kind: "none",
        "the hostnames and secrets that the file requests"),
      .init(
        "timeout", type: "string|number", kind: "`\"10s\"`", "the window (time limit) of a call"),
      .init(
        "isolation", type: "\"shared\"|\"run\"", kind: "`\"shared\"`",
        "`\"shared\"`: the hook's calls share a process that no plugin uses;"
          + " `\"run\"`: each call has a process of its own"),
    ])

  /// The functions of a hook file, written as plain functions and not as methods of the table.
  static let functions: [InterfaceFunction] = [
    .init(
      HookFunction.beforeRun.rawValue, parameters: "\(runParameter), \(contextParameter)",
      summary: "at the start of each run, before the plugin is called", returned: "nothing"),
    .init(
      HookFunction.onItem.rawValue,
      parameters: "item: fetchrun.Item, \(runParameter), \(contextParameter)",
      results: "fetchrun.Item? item",
      summary:
        "for each item of a result, before it is identified and compared; also at"
        + " `ctx:checkpoint()`",
      returned: "the item, changed or not, or another item; `nil` or `false` drops it"),
    .init(
      HookFunction.onNewData.rawValue,
      parameters: "\(runParameter), changes: fetchrun.HookChange[], \(contextParameter)",
      results: "any answer", "string? message", "number? seconds",
      summary:
        "when a run or `ctx:checkpoint()` has stored news that the hook's `on` and `when`"
        + " select",
      returned:
        "nothing, or a response of `http`; `nil, message` and any status other than 2xx are"
        + " failures"),
    .init(
      HookFunction.onNoData.rawValue, parameters: "\(runParameter), \(contextParameter)",
      results: "any answer", "string? message", "number? seconds",
      summary: "after a run without news (`noData`)", returned: "the same as `on_new_data`"),
    .init(
      HookFunction.onFailed.rawValue,
      parameters: "\(runParameter), failure: fetchrun.HookFailure, \(contextParameter)",
      results: "any answer", "string? message", "number? seconds",
      summary:
        "when the hook's number of `failures` in a row is reached (`failed`), or a job is stale"
        + " (`stale`; `failure.code` is then `\"stale\"`)",
      returned: "the same as `on_new_data`"),
    .init(
      HookFunction.onRecovered.rawValue, parameters: "\(runParameter), \(contextParameter)",
      results: "any answer", "string? message", "number? seconds",
      summary: "after the first successful run since `failed` (`recovered`)",
      returned: "the same as `on_new_data`"),
  ]

  private static let runParameter = "run: fetchrun.HookRun"
  private static let contextParameter = "ctx: fetchrun.HookContext"

  private static func field(_ function: InterfaceFunction) -> InterfaceField {
    let parameters = function.parameters.map { "\($0.name): \($0.type)" }
    let results = function.results.compactMap { $0.split(separator: " ").first }
    let signature =
      "fun(\(parameters.joined(separator: ", ")))"
      + (results.isEmpty ? "" : ": \(results.joined(separator: ", "))")
    return InterfaceField(
      function.names[0], type: signature,
      function.summary + (results.isEmpty ? "" : "; returns \(function.returned ?? "nothing")"))
  }
}

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
        summary:
          "a handle for the secret with this name, as in a plugin; `nil` if the hook has no such"
          + " secret"),
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
        "why the run started: `\"manual\"`, `\"schedule\"` …"),
      .init("started_at", type: "string", kind: ofRun, "when the run began, RFC 3339"),
      .init(
        "options", type: "table<string, any>", kind: during, "table of the job's options"),
      .init(
        "last", type: "fetchrun.HookRun", kind: during,
        "the job's last run in the store; `nil` if there is none"),
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
        "why the run failed; `nil` if it did not fail"),
      .init(
        "failures", type: "integer",
        kind: "in `on_failed` and `on_recovered`, except for a stale job",
        "number of failures in a row"),
      .init("hook", type: "string", kind: told, "name of the hook"),
      .init(
        "delivery", type: "string", kind: told,
        "the idempotency key, which stays the same when fetchrun repeats a delivery"),
    ])

  private static let ofRun = "except for a stale job"
  private static let during = "in `before_run` and `on_item`"
  private static let ended = "in deliveries except for a stale job, and in `last`"
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
        "sequence", type: "integer", isOptional: false,
        "number of the change; later changes have greater numbers"),
      .init("seen_at", type: "string", isOptional: false, "when the change was seen, RFC 3339"),
    ])

  static let failure = InterfaceClass(
    "fetchrun.HookFailure", headings: ["field of a failure", "what"],
    fields: [
      .init(
        "code", type: "string", isOptional: false,
        "kind of the failure, for programs: `\"connection\"`, `\"pluginError\"` …"),
      .init(
        "message", type: "string", isOptional: false, "one sentence that describes the failure"),
      .init(
        "retryable", type: "boolean", isOptional: false,
        "whether a later run may succeed without a change by the user"),
      .init("file", type: "string", "the plugin's file, if the failure's place in it is known"),
      .init("line", type: "integer", "the line in that file"),
      .init(
        "what", type: "\"success\"|\"newData\"",
        "for a stale job: what is missing, `\"success\"` or `\"newData\"`"),
      .init("since", type: "string", "for a stale job: since when it is missing, RFC 3339"),
    ])
}

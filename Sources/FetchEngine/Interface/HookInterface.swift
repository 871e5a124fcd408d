import FetchModel
import FetchValues

/// All that a hook file may say and gets, written down once: the tables of ScriptingHooks and the
/// stubs for editors are made of it.
package enum HookInterface {
  static let classes: [InterfaceClass] = [hook, context, run, change, failure]

  /// The fields of a table that a hook file has or gets: `fetchrun.HookRun` …
  package static func fields(of name: String) -> Set<String> {
    let found = classes.first { $0.name.split(separator: ":")[0] == name }
    return Set(found?.fields.flatMap(\.names) ?? [])
  }

  /// What a hook file returns: its keys and its functions.
  static let hook = InterfaceClass(
    keys.name, headings: keys.headings, fields: keys.fields + functions.map(field))

  static let keys = InterfaceClass(
    "fetchrun.Hook", headings: ["key", "unless set", "what"],
    fields: [
      .init("api", type: "1", kind: "1", "the interface the file is written for"),
      .init("name", type: "string", kind: "the file's name", "up to 64 of `a-z 0-9 - _ .`"),
      .init("version", type: "string", kind: "nothing", "for people"),
      .init("description", type: "string", kind: "nothing", "what it does, for people"),
      .init("author", type: "string", kind: "nothing", "who has written it, for people"),
      .init("license", type: "string", kind: "nothing", "what others may do with it, for people"),
      .init("homepage", type: "string", kind: "nothing", "where it comes from, for people"),
      .init(
        "options", type: "table<string, fetchrun.Option>", kind: "none",
        "what the config may set, each as in a plugin"),
      .init(
        "permissions", type: "fetchrun.Permissions", kind: "no hostname, no secret",
        "the hostnames and secrets that it asks for"),
      .init("timeout", type: "string|number", kind: "`\"10s\"`", "the window of a call"),
      .init(
        "isolation", type: "\"shared\"|\"run\"", kind: "`\"shared\"`",
        "`\"shared\"`: the hook's calls share a process with each other, never with a plugin's"
          + " runs; `\"run\"` gives each a process of its own"),
    ])

  /// As functions are called that are no methods of the table.
  static let functions: [InterfaceFunction] = [
    .init(
      HookFunction.beforeRun.rawValue, parameters: "\(runParameter), \(contextParameter)",
      summary: "before the plugin's `fetch`, for each run", returned: "nothing"),
    .init(
      HookFunction.onItem.rawValue,
      parameters: "item: fetchrun.Item, \(runParameter), \(contextParameter)",
      results: "fetchrun.Item? item",
      summary:
        "for each item of a result, before it is identified and compared; also at"
        + " `ctx:checkpoint()`",
      returned: "the item, changed or as it is, or another one; `nil` or `false` to drop it"),
    .init(
      HookFunction.onNewData.rawValue,
      parameters: "\(runParameter), changes: fetchrun.HookChange[], \(contextParameter)",
      results: "any answer", "string? message", "number? seconds",
      summary: "after a run with news: with any of `added`, `updated`, `removed` in `on`",
      returned:
        "nothing, or `nil, message`; or what `http.post` and its like have returned, where any"
        + " status but 2xx is a failure"),
    .init(
      HookFunction.onNoData.rawValue, parameters: "\(runParameter), \(contextParameter)",
      results: "any answer", "string? message", "number? seconds",
      summary: "after a run without (`noData`)", returned: "the same"),
    .init(
      HookFunction.onFailed.rawValue,
      parameters: "\(runParameter), failure: fetchrun.HookFailure, \(contextParameter)",
      results: "any answer", "string? message", "number? seconds",
      summary:
        "when a job has failed some times in a row (`failed`); also when it has become stale"
        + " (`stale`; `failure.code` is `\"stale\"`)",
      returned: "the same"),
    .init(
      HookFunction.onRecovered.rawValue, parameters: "\(runParameter), \(contextParameter)",
      results: "any answer", "string? message", "number? seconds",
      summary: "at the first run that went well after that (`recovered`)", returned: "the same"),
  ]

  private static let runParameter = "run: fetchrun.HookRun"
  private static let contextParameter = "ctx: fetchrun.HookContext"

  /// A function as a field of the table that has it.
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

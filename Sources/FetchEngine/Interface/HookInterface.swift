/// The tables of hook files, for the stubs of editors; in words they are in ScriptingHooks.
enum HookInterface {
  static let classes: [InterfaceClass] = [hook, context, run, change, failure]

  static let hook = InterfaceClass(
    "fetchrun.Hook", headings: ["key", "what"],
    fields: [
      .init("api", type: "integer", "1"),
      .init("name", "version", "description", "author", "license", "homepage", type: "string", ""),
      .init("options", type: "table<string, fetchrun.Option>", "the hook's own"),
      .init("permissions", type: "fetchrun.Permissions", "what it asks for"),
      .init("timeout", type: "string|number", "the window of a call, 10s unless set"),
      .init("isolation", type: "\"shared\"|\"run\"", "whether each call has a process of its own"),
      .init(
        "before_run", type: "fun(run: fetchrun.HookRun, ctx: fetchrun.HookContext)",
        "before the plugin's fetch"),
      .init(
        "on_item",
        type: "fun(item: fetchrun.Item, run: fetchrun.HookRun, ctx: fetchrun.HookContext):"
          + " fetchrun.Item?",
        "for each item; nil drops it"),
      .init(
        "on_new_data",
        type: "fun(run: fetchrun.HookRun, changes: fetchrun.HookChange[],"
          + " ctx: fetchrun.HookContext): \(told)",
        "after a run with news"),
      .init(
        "on_no_data",
        type: "fun(run: fetchrun.HookRun, ctx: fetchrun.HookContext): \(told)",
        "after a run without"),
      .init(
        "on_failed",
        type: "fun(run: fetchrun.HookRun, failure: fetchrun.HookFailure,"
          + " ctx: fetchrun.HookContext): \(told)",
        "when a job has failed some times in a row, or has become stale"),
      .init(
        "on_recovered",
        type: "fun(run: fetchrun.HookRun, ctx: fetchrun.HookContext): \(told)",
        "at the first run that went well after that"),
    ])

  /// Nothing, or nil, a message and seconds.
  private static let told = "any, string?, number?"

  static let context = InterfaceClass(
    "fetchrun.HookContext", headings: ["field", "what"],
    fields: [
      .init("options", type: "table<string, any>", isOptional: false, "of the hook"),
      .init("hook", type: "string", isOptional: false, "name of the hook"),
    ],
    methods: [
      .init(
        "secret", parameters: "name: string", results: "fetchrun.Secret? handle",
        summary: "a handle for a secret; nil where the hook was given none"),
      .init("time_left", results: "number seconds", summary: "seconds until the window closes"),
    ])

  static let run = InterfaceClass(
    "fetchrun.HookRun", headings: ["field", "what"],
    fields: [
      .init("job", type: "string", isOptional: false, "name of the job"),
      .init("id", "plugin", "trigger", "started_at", type: "string", "of the run"),
      .init("options", type: "table<string, any>", "of the job; before and during the run"),
      .init("last", type: "fetchrun.HookRun", "the run before; before and during the run"),
      .init("outcome", "reason", type: "string", "of a run that has ended"),
      .init("added", "updated", "removed", type: "integer", "of a run that has ended"),
      .init("failure", type: "fetchrun.HookFailure", "of a run that has failed"),
      .init("failures", type: "integer", "failed runs in a row"),
      .init("hook", type: "string", "name of the hook, of a delivery"),
      .init("delivery", type: "string", "the same whenever this delivery is tried again"),
    ])

  static let change = InterfaceClass(
    "fetchrun.HookChange: fetchrun.Item", headings: ["field", "what"],
    fields: [
      .init(
        "change", type: "\"added\"|\"updated\"|\"removed\"", isOptional: false, "what happened"),
      .init("job", "seen_at", type: "string", isOptional: false, "where, and when it was seen"),
      .init("sequence", type: "integer", isOptional: false, "grows with every change"),
    ])

  static let failure = InterfaceClass(
    "fetchrun.HookFailure", headings: ["field", "what"],
    fields: [
      .init("code", "message", type: "string", isOptional: false, "for programs, for people"),
      .init("retryable", type: "boolean", isOptional: false, "whether it may go well later"),
    ])
}

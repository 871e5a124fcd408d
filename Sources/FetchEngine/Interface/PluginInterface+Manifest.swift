import FetchModel

extension PluginInterface {
  static let manifestSections = [
    InterfaceSection("The manifest", classes: [manifest]),
    InterfaceSection("Options", classes: [option]),
    InterfaceSection("Permissions", classes: [secretPermission], stubClasses: [permissions]),
    InterfaceSection("Items rules", classes: [itemRules]),
    InterfaceSection("Items", classes: [item]),
  ]

  static let manifest = InterfaceClass(
    "fetchrun.Plugin", headings: ["key", "kind", "what"],
    fields: [
      .init(
        "api", type: "1", kind: "1", isOptional: false,
        "the version of the interface that the file is written for; required"),
      .init(
        "name", type: "string", kind: "text", isOptional: false,
        "up to 64 characters of `a-z 0-9 - _ .`; required"),
      .init("version", type: "string", kind: "text", isOptional: false, "required"),
      .init(
        "description", "author", "license", "homepage", type: "string", kind: "text",
        "texts about the plugin; fetchrun shows only `description`"),
      .init(
        "options", type: "table<string, fetchrun.Option>", kind: "table", "see below"),
      .init("permissions", type: "fetchrun.Permissions", kind: "table", "see below"),
      .init(
        "wake_on", type: "string", kind: "text",
        "an address, or `\"{options.NAME}\"`, that is requested first; `fetch` is called"
          + " only if the answer has changed; see below"),
      .init(
        "interval", type: "string", kind: "text",
        "how often the plugin should run: `\"15m\"`, `\"adaptive\"`, `\"never\"`, a cron line"),
      .init(
        "timeout", type: "string|number", kind: "text or number of seconds",
        "the window (time limit) of a run; default `\"30s\"`, at most `\"1d\"`"),
      .init("items", type: "fetchrun.ItemRules", kind: "table", "see below"),
      .init(
        "isolation", type: "\"run\"|\"shared\"", kind: "text",
        "`\"shared\"` (the default): the plugin's runs can share a process; `\"run\"`: each run"
          + " has its own process"),
      .init(
        "fetch", type: "fun(ctx: fetchrun.Context): (fetchrun.Item[]?, string?)",
        kind: "function", isOptional: false, "the function that a run calls; required"),
      .init(
        "on_transfer",
        type:
          "fun(ctx: fetchrun.Context, transfer: fetchrun.Transfer): (fetchrun.Item[]?, string?)",
        kind: "function",
        "called with `(ctx, transfer)` when a download has ended; see [transfers](#transfers)"),
    ])

  static let option = InterfaceClass(
    "fetchrun.Option", headings: ["key", "what"],
    fields: [
      .init(
        "type",
        type:
          "\"string\"|\"url\"|\"integer\"|\"number\"|\"boolean\"|\"list\"|\"table\"",
        "see below; default `\"string\"`"),
      .init("required", type: "boolean", "`true`: no run starts without this option"),
      .init("default", type: "any", "the value if the option is not set"),
      .init("choices", type: "any[]", "list of allowed values"),
      .init(
        "description", type: "string",
        "shown if the option is missing, and by `fetchrun plugins NAME`"),
      .init("example", type: "any", "a value that messages and `fetchrun plugins NAME` show"),
    ])

  static let permissions = InterfaceClass(
    "fetchrun.Permissions", headings: ["key", "what"],
    fields: PermissionKey.all.map { .init($0.name, type: $0.luaType, $0.summary) })

  static let secretPermission = InterfaceClass(
    "fetchrun.SecretPermission", headings: ["key", "what"],
    fields: [
      .init(
        "hosts", type: "string[]", isOptional: false,
        "list of hostnames, as in `permissions.http` but without `\"*\"`; required"),
      .init("required", type: "boolean", "`true`: no run starts without this secret"),
      .init("description", type: "string", "shown if the secret is missing"),
    ])

  static let itemRules = InterfaceClass(
    "fetchrun.ItemRules", value: "items", headings: ["key", "what"],
    fields: [
      .init(
        "id", type: "string|string[]",
        "the field, or list of fields, that identifies an item: `\"guid\"`, `{ \"title\","
          + " \"published\" }`"),
      .init(
        "ignore", type: "string[]",
        "list of fields whose change is not news, such as counters and tokens"),
      .init(
        "first_run", type: "string",
        "which items of the first run are news: `\"all\"` (the default), `\"baseline\"`"
          + " (none), `\"latest:10\"`"),
      .init(
        "complete", type: "boolean",
        "`true`: a result is complete, so stored items that are missing from it are"
          + " reported as `removed`"),
    ])

  static let item = InterfaceClass(
    "fetchrun.Item", headings: ["field", "kind"],
    fields: [
      .init("id", type: "string|integer", "text or integer that identifies the item"),
      .init("title", "url", "author", "summary", "content", type: "string", "text"),
      .init(
        "published", "updated", type: "string",
        "text, preferably RFC 3339: `time.iso(text)`, `time.format(seconds)`"),
      .init("tags", type: "string[]", "list of strings"),
    ], isOpen: true)
}

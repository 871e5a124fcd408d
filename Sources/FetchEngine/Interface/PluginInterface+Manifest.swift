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
        "the interface the file is written for; required"),
      .init(
        "name", type: "string", kind: "text", isOptional: false,
        "up to 64 of `a-z 0-9 - _ .`; required"),
      .init("version", type: "string", kind: "text", isOptional: false, "required"),
      .init(
        "description", "author", "license", "homepage", type: "string", kind: "text",
        "for people"),
      .init(
        "options", type: "table<string, fetchrun.Option>", kind: "table", "see below"),
      .init("permissions", type: "fetchrun.Permissions", kind: "table", "see below"),
      .init(
        "wake_on", type: "string", kind: "text",
        "an address, or `\"{options.NAME}\"`: asked first, and `fetch` is called only if the"
          + " answer is not last time's; see below"),
      .init(
        "interval", type: "string", kind: "text",
        "how often it makes sense: `\"15m\"`, `\"adaptive\"`, `\"never\"`, a cron line"),
      .init(
        "timeout", type: "string|number", kind: "text or seconds",
        "the window of a run, `\"30s\"` unless set, at most `\"1d\"`"),
      .init("items", type: "fetchrun.ItemRules", kind: "table", "see below"),
      .init(
        "isolation", type: "\"run\"|\"shared\"", kind: "text",
        "`\"run\"` gives each run a process of its own; `\"shared\"` (the usual) one for the"
          + " plugin's runs"),
      .init(
        "fetch", type: "fun(ctx: fetchrun.Context): (fetchrun.Item[]?, string?)",
        kind: "function", isOptional: false, "what a run calls; required"),
      .init(
        "on_transfer",
        type:
          "fun(ctx: fetchrun.Context, transfer: fetchrun.Transfer): (fetchrun.Item[]?, string?)",
        kind: "function",
        "is called with `(ctx, transfer)` when a download has ended; see [transfers](#transfers)"),
    ])

  static let option = InterfaceClass(
    "fetchrun.Option", headings: ["key", "what"],
    fields: [
      .init(
        "type",
        type:
          "\"string\"|\"url\"|\"integer\"|\"number\"|\"boolean\"|\"list\"|\"table\"",
        "see below; `\"string\"` unless set"),
      .init("required", type: "boolean", "`true`: a run without it does not start"),
      .init("default", type: "any", "the value where none is given"),
      .init("choices", type: "any[]", "list of the values that are allowed"),
      .init(
        "description", type: "string",
        "shown where the option is missing, and by `fetchrun plugins NAME`"),
      .init("example", type: "any", "a value to show in messages and in `fetchrun plugins NAME`"),
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
      .init("required", type: "boolean", "`true`: a run without it does not start"),
      .init("description", type: "string", "shown where the secret is missing"),
    ])

  static let itemRules = InterfaceClass(
    "fetchrun.ItemRules", value: "items", headings: ["key", "what"],
    fields: [
      .init(
        "id", type: "string|string[]",
        "the field, or list of fields, that tells items apart: `\"guid\"`,"
          + " `{ \"title\", \"published\" }`"),
      .init(
        "ignore", type: "string[]", "list of fields whose change is not news: counters, tokens"),
      .init(
        "first_run", type: "string",
        "`\"all\"` (the usual), `\"baseline\"` (what is there already is no news),"
          + " `\"latest:10\"`"),
      .init(
        "complete", type: "boolean",
        "`true`: a result is the whole set, so what is missing from it is news, as `removed`"),
    ])

  static let item = InterfaceClass(
    "fetchrun.Item", headings: ["field", "kind"],
    fields: [
      .init("id", type: "string|integer", "text or integer; what the item is recognised by"),
      .init("title", "url", "author", "summary", "content", type: "string", "text"),
      .init(
        "published", "updated", type: "string",
        "text, RFC 3339 by preference: `time.iso(text)`, `time.format(seconds)`"),
      .init("tags", type: "string[]", "list of texts"),
    ], isOpen: true)
}

extension PluginInterface {
  static let contextSections = [
    InterfaceSection("ctx", classes: [context], stubClasses: [secret])
  ]

  package static let context = InterfaceClass(
    "fetchrun.Context", value: "ctx", headings: ["field", "what"],
    fields: [
      .init(
        "options", type: "table<string, any>", isOptional: false, "table of the job's options"),
      .init(
        "state", type: "table<string, any>", isOptional: false,
        "table that the next run gets; stored together with the items, when the run does not fail."
          + " JSON-able, like items; keys are texts, so write `seen[tostring(id)]`"),
      .init("job", type: "string", isOptional: false, "name of the job"),
      .init(
        "trigger", type: "string", isOptional: false,
        "why it runs: `\"manual\"`, `\"schedule\"` …"),
      .init("run", type: "string", isOptional: false, "id of the run"),
    ],
    methods: [
      .init(
        "emit", parameters: "item: fetchrun.Item",
        summary:
          "gives one item now, newest first as in a feed; for long or paginated work"),
      .init(
        "complete",
        summary:
          "says that what the run gives is all there is, so what is missing from it is news, as"
          + " `removed`; for this run only, and also where answers were those of last time, which"
          + " the plugin knows by its state"),
      .init(
        "checkpoint",
        summary:
          "stores the items emitted so far and the state, in one transaction: a failure after it"
          + " keeps them"),
      .init(
        "note", parameters: "text: string",
        summary:
          "a few words for the line that the run ends with, beside its outcome: `ctx:note(\"would"
          + " fetch 6 files\")`; the last one counts, and a long one is cut"),
      .init(
        "secret", parameters: "name: string", results: "fetchrun.Secret? handle",
        summary: "a handle for a secret, see below; `nil` where the job was given none"),
      .init(
        "time_left", results: "number seconds",
        summary: "seconds until the window closes, for plugins that can stop early"),
      .init(
        "transfer", parameters: "request: fetchrun.TransferRequest", results: "integer? id",
        "string? message", "string? code",
        summary:
          "queues a download, however long it takes, and returns its id at once; see"
          + " [transfers](#transfers)"),
      .init(
        "transfer", parameters: "requests: fetchrun.TransferRequest[]",
        results: "(integer|false)[] ids", "(string|false)[] messages", "(string|false)[] codes",
        summary: "the same for a list, with lists of ids, of messages and of codes"),
    ])

  /// What `ctx:secret` gives.
  static let secret = InterfaceClass(
    "fetchrun.Secret", headings: ["handle", "what"], methods: [],
    operators: ["concat(string|fetchrun.Secret): fetchrun.Secret"])

  static let transferRequest = InterfaceClass(
    "fetchrun.TransferRequest", headings: ["field of the request", "what"],
    fields: [
      .init(
        "url", type: "string|fetchrun.Secret", isOptional: false,
        "`http:` or `https:`, of a hostname that the run may reach, or `file:` for a copy of a"
          + " file that it may read; required"),
      .init(
        "to", type: "string", isOptional: false,
        "path in the job's folder, as for `files`; required"),
      .init("size", type: "integer", "bytes: what comes must have them, else nothing is put there"),
      .init(
        "sha256", type: "string", "hexadecimal: what comes must have it, else nothing is put there"),
      .init("modified", type: "string", "RFC 3339, what the finished file is to have"),
      .init(
        "headers", type: "table<string, string|number|fetchrun.Secret>",
        "table; not `Range`, `If-Range`, `Accept-Encoding` and what makes a request conditional"),
      .init(
        "auth", "bearer", type: "table|string|fetchrun.Secret",
        "as in a request of `http`: `{ user =, password = }`, `{ bearer = }` or `{ aws = … }`"),
      .init(
        "backup", type: "string",
        "a folder in the job's: a file that is replaced is kept there, under its own path"),
    ])

  static let transfer = InterfaceClass(
    "fetchrun.Transfer", headings: ["field of `transfer`", "what"],
    fields: [
      .init("id", type: "integer", isOptional: false, "what `ctx:transfer` has returned"),
      .init("url", "to", type: "string", isOptional: false, "as it was asked for"),
      .init(
        "state", type: "\"done\"|\"failed\"", isOptional: false,
        "`\"done\"`: the file is there; `\"failed\"`: given up, refused or cancelled, and what was"
          + " there is there still"),
      .init("size", type: "integer", "bytes of the file"),
      .init("sha256", type: "string", "where it was asked for"),
      .init("etag", type: "string", "what the server said of it"),
      .init(
        "modified", type: "string",
        "the same, or that of the request where it had one"),
      .init(
        "failure", type: "{code: string, message: string}",
        "`{ code =, message = }`, or `nil`"),
    ])
}

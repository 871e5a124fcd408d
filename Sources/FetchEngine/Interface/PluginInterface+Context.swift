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
        "table that the next run receives; it is stored at `ctx:checkpoint()`, and with the items"
          + " unless the run fails. It can hold the same values as an item; use strings as keys:"
          + " `seen[tostring(id)]`"),
      .init("job", type: "string", isOptional: false, "name of the job"),
      .init(
        "trigger", type: "string", isOptional: false,
        "why the run started: `\"manual\"`, `\"schedule\"` …"),
      .init("run", type: "string", isOptional: false, "id of the run"),
    ],
    methods: [
      .init(
        "emit", parameters: "item: fetchrun.Item",
        summary:
          "adds one item to the result (emit the newest item first); for long or paginated work"),
      .init(
        "complete",
        summary:
          "declares that this run's result is complete, so missing items are reported"
          + " as `removed`, even if no answer has changed"),
      .init(
        "checkpoint",
        summary:
          "stores the items emitted so far and the state in one transaction; a later"
          + " failure does not remove them"),
      .init(
        "note", parameters: "text: string",
        summary:
          "sets a short text in the summary of the run: `ctx:note(\"would fetch 6 files\")`;"
          + " a later call replaces it, and a long text is cut"),
      .init(
        "secret", parameters: "name: string", results: "fetchrun.Secret? handle",
        summary: "a handle for this secret, see below; `nil` if the job has no such secret"),
      .init(
        "time_left", results: "number seconds",
        summary: "seconds until the window closes, for plugins that can stop early"),
      .init(
        "transfer", parameters: "request: fetchrun.TransferRequest", results: "integer? id",
        "string? message", "string? code",
        summary:
          "queues a download of any length and returns its id immediately; see"
          + " [transfers](#transfers)"),
      .init(
        "transfer", parameters: "requests: fetchrun.TransferRequest[]",
        results: "(integer|false)[] ids", "(string|false)[] messages", "(string|false)[] codes",
        summary: "queues a list of downloads; returns lists of ids, messages and codes"),
    ])

  /// The class of the value that `ctx:secret` returns.
  static let secret = InterfaceClass(
    "fetchrun.Secret", headings: ["handle", "what"], methods: [],
    operators: ["concat(string|fetchrun.Secret): fetchrun.Secret"])

  static let transferRequest = InterfaceClass(
    "fetchrun.TransferRequest", headings: ["field of the request", "what"],
    fields: [
      .init(
        "url", type: "string|fetchrun.Secret", isOptional: false,
        "an `http:` or `https:` address whose hostname the run may reach, or a `file:` address of"
          + " a file that the run may read; required"),
      .init(
        "to", type: "string", isOptional: false,
        "path in the job's folder, as for `files`; required"),
      .init(
        "size", type: "integer",
        "expected size in bytes; a download of a different size fails"),
      .init(
        "sha256", type: "string",
        "expected hash in hexadecimal; a download with a different hash fails"),
      .init("modified", type: "string", "modification time of the finished file, RFC 3339"),
      .init(
        "headers", type: "table<string, string|number|fetchrun.Secret>",
        "table of headers, without `Range`, `If-Range`, `Accept-Encoding` and conditional headers"),
      .init(
        "auth", "bearer", type: "table|string|fetchrun.Secret",
        "as in a request of `http`: `{ user =, password = }`, `{ bearer = }` or `{ aws = … }`"),
      .init(
        "backup", type: "string",
        "a folder in the job's folder that keeps replaced files under their own paths"),
    ])

  static let transfer = InterfaceClass(
    "fetchrun.Transfer", headings: ["field of `transfer`", "what"],
    fields: [
      .init("id", type: "integer", isOptional: false, "the id that `ctx:transfer` returned"),
      .init("url", "to", type: "string", isOptional: false, "as requested"),
      .init(
        "state", type: "\"done\"|\"failed\"", isOptional: false,
        "`\"done\"`: the file is there; `\"failed\"`: the download was given up, refused or"
          + " cancelled, and an older file stays"),
      .init("size", type: "integer", "size of the file in bytes"),
      .init("sha256", type: "string", "hash of the file, if the request has `sha256`"),
      .init("etag", type: "string", "the server's `ETag`"),
      .init(
        "modified", type: "string",
        "the request's `modified`, otherwise the time in the server's `Last-Modified`"),
      .init(
        "failure", type: "{code: string, message: string}",
        "`{ code =, message = }`, or `nil`"),
    ])
}

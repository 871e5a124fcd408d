extension PluginInterface {
  static let httpSections = [
    InterfaceSection("http", [http], classes: [requestOptions, response])
  ]

  static let http = InterfaceModule(
    "http",
    [
      .init(
        "get", "head", "post", "put", "patch", "delete",
        parameters: "url: string|fetchrun.Secret, options?: fetchrun.RequestOptions",
        results: "fetchrun.Response? response", "string? message", "string? code",
        summary: "a response, or `nil, message, code`"),
      .init(
        "request", parameters: "options: fetchrun.RequestOptions",
        results: "fetchrun.Response? response", "string? message", "string? code",
        summary:
          "a response, as from `http.get`; `method` and `url` are options, and WebDAV methods are"
          + " allowed"),
    ])

  package static let requestOptions = InterfaceClass(
    "fetchrun.RequestOptions", headings: ["option", "what"],
    fields: [
      .init(
        "query", type: "table<string, any>",
        "table of names and values, added to the address; a list as a value repeats the name"),
      .init(
        "headers", type: "table<string, string|number|fetchrun.Secret>",
        "table of headers, without those that fetchrun sets, such as `Host` and `Content-Length`"),
      .init(
        "body", type: "string|fetchrun.Secret",
        "text to send; only one of `body`, `json` and `form`"),
      .init("json", type: "any", "value to send as JSON"),
      .init("form", type: "table<string, any>", "table to send as a form"),
      .init(
        "auth",
        type: "{user?: string|fetchrun.Secret, password?: string|fetchrun.Secret, aws?: table}",
        "`{ user = \"…\", password = \"…\" }`, or `{ aws = { key = …, secret = …, region = …,"
          + " service = … } }`"),
      .init(
        "bearer", type: "string|fetchrun.Secret",
        "a token for `Authorization: Bearer`, preferably a secret"),
      .init(
        "timeout", type: "number",
        "time limit of this request in seconds, without the wait for its turn; the window still"
          + " applies"),
      .init(
        "conditional", type: "boolean",
        "`false`: sends no validators, so that the server sends a full answer"),
      .init("redirects", type: "boolean", "`false`: a redirect is returned as the response"),
      .init("method", "url", type: "string|fetchrun.Secret", "for `http.request`"),
    ])

  static let response = InterfaceClass(
    "fetchrun.Response", value: "response", headings: ["field of a response", "what"],
    fields: [
      .init(
        "status", type: "integer", isOptional: false,
        "the HTTP status; a response with an error status such as 404 is also returned"),
      .init("ok", type: "boolean", isOptional: false, "whether the status is 200 to 299"),
      .init(
        "headers", type: "table<string, string>", isOptional: false,
        "table; names are not case-sensitive: `response.headers[\"content-type\"]`; repeated"
          + " headers are joined by `, `, but `set-cookie` by line breaks"),
      .init("body", type: "string", isOptional: false, "the decompressed bytes, as a string"),
      .init("url", type: "string", isOptional: false, "the address after redirects"),
      .init(
        "not_modified", type: "boolean", isOptional: false,
        "whether the server answered 304: nothing has changed since the last run, and the"
          + " body is empty; test it first, unless the response goes to `feed.parse`"),
      .init(
        "same_body", type: "boolean", isOptional: false,
        "whether the body is the same as in the last run; also for an answer (200 or 207) to"
          + " `PROPFIND`, `REPORT` or `SEARCH` with the same address, `Depth` and body"),
    ],
    methods: [
      .init(
        "json", results: "any value",
        summary:
          "the decoded body; raises `pluginError` if `not_modified` is true, `httpStatus` for any"
          + " other response that is not `ok`, and `invalidResponse` if the body is not JSON")
    ])
}

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
          "the same with `method` and `url` among the options; WebDAV's methods too"),
    ])

  package static let requestOptions = InterfaceClass(
    "fetchrun.RequestOptions", headings: ["option", "what"],
    fields: [
      .init(
        "query", type: "table<string, any>",
        "table, added to the address; a list as value repeats the name"),
      .init(
        "headers", type: "table<string, string|number|fetchrun.Secret>",
        "table; not those that are the host's, such as `Host` and `Content-Length`"),
      .init(
        "body", type: "string|fetchrun.Secret",
        "text that is sent; one of `body`, `json` and `form`"),
      .init("json", type: "any", "a value sent as JSON"),
      .init("form", type: "table<string, any>", "a table sent as a form"),
      .init(
        "auth",
        type: "{user?: string|fetchrun.Secret, password?: string|fetchrun.Secret, aws?: table}",
        "`{ user = \"…\", password = \"…\" }`, or `{ aws = { key, secret, region, service } }`"),
      .init(
        "bearer", type: "string|fetchrun.Secret",
        "a token for `Authorization: Bearer`, by preference a secret"),
      .init(
        "timeout", type: "number", "seconds for this request from its turn on, within the window"),
      .init("conditional", type: "boolean", "`false`: do not ask \"only if it changed\""),
      .init("redirects", type: "boolean", "`false`: a redirect is the answer"),
      .init("method", "url", type: "string|fetchrun.Secret", "for `http.request`"),
    ])

  static let response = InterfaceClass(
    "fetchrun.Response", value: "response", headings: ["field of a response", "what"],
    fields: [
      .init(
        "status", type: "integer", isOptional: false,
        "the number; only no answer at all is `nil, message`"),
      .init("ok", type: "boolean", isOptional: false, "whether the status is 200 to 299"),
      .init(
        "headers", type: "table<string, string>", isOptional: false,
        "table, in any case: `response.headers[\"content-type\"]`; repeated ones joined by `, `"),
      .init("body", type: "string", isOptional: false, "text, decompressed, as bytes"),
      .init("url", type: "string", isOptional: false, "the address after redirects"),
      .init(
        "not_modified", type: "boolean", isOptional: false,
        "the server said 304: nothing changed since the last run, the body is empty. Look at it"
          + " first, unless the response goes to `feed.parse`"),
      .init(
        "same_body", type: "boolean", isOptional: false,
        "the body is that of the last run; also of an answer (200 or 207) to `PROPFIND`, `REPORT` or"
          + " `SEARCH`, asked with the same address, `Depth` and body"),
    ],
    methods: [
      .init(
        "json", results: "any value",
        summary:
          "the decoded body; raises `httpStatus` for an error page, `invalidResponse` for what is"
          + " no JSON, and where `not_modified` has left no body")
    ])
}

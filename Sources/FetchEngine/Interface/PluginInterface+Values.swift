/// The modules that convert or compute values, and the module `log`.
extension PluginInterface {
  static let valueSections = [
    InterfaceSection("json", [json]), InterfaceSection("csv", [csv]),
    InterfaceSection("time", [time]), InterfaceSection("url", [url]),
    InterfaceSection("hash and base64", [hash, base64]), InterfaceSection("log", [log]),
  ]

  static let json = InterfaceModule(
    "json",
    [
      .init(
        "decode", parameters: "text: string", results: "any value", "string? message",
        summary: "the value, `json.null` for `null`; `nil, message` with line and column",
        example: "`json.decode('[1,2]')[1]` is `1`"),
      .init(
        "encode", parameters: "value: any, options?: {pretty?: boolean, sort?: boolean}",
        results: "string text", summary: "text",
        example: "`json.encode({ b = 1 }, { sort = true })`"),
      .init(
        "array", parameters: "table: table", results: "table table",
        summary: "marks the table as a list, so that an empty one becomes `[]`",
        example: "`json.encode(json.array {})`"),
    ],
    values: [
      .init(
        "null", type: "any",
        "the JSON null, when decoding and encoding: `if x == json.null then`")
    ])

  static let csv = InterfaceModule(
    "csv",
    [
      .init(
        "decode",
        parameters: "text: string, options?: {header?: boolean|string[], delimiter?: string}",
        results: "table[]? rows", "string? message",
        summary:
          "list of lists; with `header`, a list of tables, whose keys are in the first line"
          + " (`true`) or in the list given as `header`; `nil, message`",
        example: "`csv.decode(\"a,b\\n1,2\", { header = true })[1].b` is `\"2\"`"),
      .init(
        "encode",
        parameters: "rows: table[], options?: {header?: boolean|string[], delimiter?: string}",
        results: "string text", summary: "text", example: "`csv.encode { { \"a\", \"b\" } }`"),
    ])

  static let time = InterfaceModule(
    "time",
    [
      .init("now", results: "number seconds", summary: "seconds", example: "`time.now() - 86400`"),
      .init(
        "parse", parameters: "text: string", results: "number? seconds", "string? message",
        summary: "seconds, from a date in a format that feeds use; `nil, message`",
        example: "`time.parse(\"Fri, 20 Nov 2026 10:00 GMT\")`"),
      .init(
        "iso", parameters: "text: string", results: "string? text", "string? message",
        summary: "the same date in RFC 3339; `nil, message`",
        example: "`time.iso(\"20.11.2026\")`"),
      .init(
        "format", parameters: "seconds: number, format?: string", results: "string? text",
        "string? message",
        summary: "text in RFC 3339, or in the given strftime format; `nil, message`",
        example: "`time.format(0, \"%Y-%m-%d\")` is `\"1970-01-01\"`"),
      .init(
        "date", parameters: "seconds: number", results: "table<string, integer>? parts",
        "string? message",
        summary:
          "table of `year`, `month`, `day`, `hour`, `min`, `sec`, `wday` and `yday`, in UTC; `nil, message`",
        example: "`time.date(0).year`"),
      .init(
        "seconds", parameters: "parts: table<string, integer>", results: "number? seconds",
        "string? message",
        summary:
          "seconds, from a table such as `time.date` returns; a value beyond its range carries over; "
          + "`nil, message`",
        example: "`time.seconds { year = 2026, month = 13, day = 1 }`"),
      .init(
        "duration", parameters: "text: string", results: "number? seconds", "string? message",
        summary: "seconds; `nil, message`", example: "`time.duration(\"1h30m\")` is `5400`"),
    ])

  static let url = InterfaceModule(
    "url",
    [
      .init(
        "parse", parameters: "text: string", results: "table<string, any>? parts",
        "string? message",
        summary:
          "table of `scheme`, `user`, `password`, `host`, `port`, `path`, `query`, `fragment`;"
          + " `nil, message`",
        example: "`url.parse(\"https://a.example/b\").host`"),
      .init(
        "build", parameters: "parts: table<string, any>", results: "string text", summary: "text",
        example: "`url.build { scheme = \"https\", host = \"a.example\", path = \"/b\" }`"),
      .init(
        "resolve", parameters: "base: string, link: string", results: "string? address",
        "string? message", summary: "absolute address; `nil, message`",
        example: "`url.resolve(response.url, \"../x\")`"),
      .init(
        "normalize", parameters: "text: string", results: "string? address", "string? message",
        summary: "a normal form in which addresses can be compared; `nil, message`",
        example: "`url.normalize(\"HTTP://A.example:80/\")`"),
      .init(
        "join", parameters: "base: string, ...: string", results: "string? address",
        "string? message",
        summary:
          "the base without query and fragment, followed by the path segments, percent-encoded; "
          + "`nil, message`",
        example: "`url.join(\"https://a.example\", \"a b\")`"),
      .init(
        "encode", parameters: "text: string", results: "string text",
        summary: "percent-encoded", example: "`url.encode(\"a&b\")` is `\"a%26b\"`"),
      .init(
        "decode", parameters: "text: string", results: "string text",
        summary: "percent-decoded", example: "`url.decode(\"a%26b\")`"),
      .init(
        "query", parameters: "fields: table", results: "string text",
        summary:
          "text, sorted by name; a list as a value repeats the name; a list of `{name, value}`"
          + " keeps its order",
        example: "`url.query { q = \"a b\" }`"),
      .init(
        "query", parameters: "text: string", results: "table<string, any> fields",
        summary: "table; the value of a repeated name is a list",
        example: "`url.query(\"a=1&a=2\").a[2]`"),
    ])

  static let hash = InterfaceModule(
    "hash",
    [
      .init(
        "sha256", "sha512", "sha1", "md5", parameters: "text: string, options?: {raw?: boolean}",
        results: "string digest", summary: "lower-case hexadecimal, or bytes with `raw`",
        example: "`hash.sha256(\"a\")`"),
      .init(
        "hmac",
        parameters:
          "algorithm: string, key: string, text: string, options?: {raw?: boolean}",
        results: "string digest",
        summary: "the HMAC of a string (RFC 2104), in the same form as a hash",
        example: "`hash.hmac(\"sha256\", key, body)`"),
    ])

  static let base64 = InterfaceModule(
    "base64",
    [
      .init(
        "encode", parameters: "text: string, options?: {url?: boolean, padding?: boolean}",
        results: "string text",
        summary: "text; with `url`, in the URL-safe alphabet and by default without padding",
        example: "`base64.encode(\"a\")` is `\"YQ==\"`"),
      .init(
        "decode", parameters: "text: string, options?: {strict?: boolean}",
        results: "string? text", "string? message",
        summary: "text, decoded from either alphabet; `nil, message`",
        example: "`base64.decode(\"YQ\")`"),
    ])

  static let log = InterfaceModule(
    "log",
    [
      .init(
        "debug", "info", "warn", "warning", "error", parameters: "...: any",
        summary:
          "writes a log line; arguments as `tostring` shows them, separated by spaces")
    ])
}

extension PluginInterface {
  static let documentSections = [
    InterfaceSection("feed", [feed], classes: [feedItem], stubClasses: [feedAbout]),
    InterfaceSection("xml and html", [xml, html], classes: [node]),
  ]

  private static let document = "document: fetchrun.Response|string"
  private static let options = "options?: {url?: string, content_type?: string}"

  static let feed = InterfaceModule(
    "feed",
    [
      .init(
        "parse", parameters: "\(document), \(options)",
        results: "fetchrun.FeedItem[]? items", "fetchrun.Feed|string about",
        summary:
          "the items of a response or a string, and a table about the feed; `nil, message` if"
          + " it cannot be read as a feed; `url` and `content_type` override those of the response")
    ])

  static let xml = InterfaceModule(
    "xml",
    [
      .init(
        "parse", parameters: "\(document), \(options)", results: "fetchrun.Node? root",
        "string? message", summary: "root node; `nil, message` if it cannot be parsed")
    ])

  static let html = InterfaceModule(
    "html",
    [
      .init(
        "parse", parameters: "\(document), \(options)", results: "fetchrun.Node? root",
        "string? message",
        summary:
          "root node of a page, even if its HTML is broken; `nil, message` if it is empty or"
          + " exceeds a limit"),
      .init(
        "text", parameters: "\(document), \(options)", results: "string text",
        summary: "the text that a reader sees, each paragraph on its own line"),
      .init(
        "unescape", parameters: "text: string", results: "string text",
        summary: "the text, with references such as `&eacute;` replaced by characters"),
    ])

  static let node = InterfaceClass(
    "fetchrun.Node", value: "node", headings: ["node", "what"],
    fields: [.init("name", type: "string", isOptional: false, "name of the element")],
    methods: [
      .init(
        "select", parameters: "xpath: string, namespaces?: table<string, string>",
        results: "any found",
        summary:
          "all matches of an XPath 1.0 expression: a list of nodes, or of strings for"
          + " attributes and text nodes; or one string, number or boolean; `namespaces` maps"
          + " prefixes to URIs"),
      .init(
        "find", parameters: "xpath: string, namespaces?: table<string, string>",
        results: "any first", summary: "the first match, or `nil`"),
      .init(
        "css", parameters: "selector: string", results: "fetchrun.Node[] nodes",
        summary: "all matches of a CSS selector below the node"),
      .init(
        "css_first", parameters: "selector: string", results: "fetchrun.Node? node",
        summary: "the first match, or `nil`"),
      .init("text", results: "string text", summary: "all text in the node"),
      .init(
        "attr", parameters: "name: string", results: "string? value",
        summary: "one attribute, or `nil`"),
      .init(
        "attrs", results: "table<string, string> attributes",
        summary:
          "all attributes as a table"),
      .init("children", results: "fetchrun.Node[] nodes", summary: "child elements"),
      .init(
        "parent", results: "fetchrun.Node? node", summary: "the parent element, or `nil`"),
      .init("namespace", results: "string? uri", summary: "URI, or `nil`"),
      .init(
        "xml", "html", results: "string markup",
        summary:
          "the node's markup; `html` for pages only"),
    ])

  static let feedItem = InterfaceClass(
    "fetchrun.FeedItem: fetchrun.Item", headings: ["item field", "what"],
    fields: [
      .init(
        "id", type: "string", isOptional: false,
        "the entry's own id, otherwise its `url`, otherwise a hash; always present"),
      .init("title", type: "string", "plain text"),
      .init("url", type: "string", "absolute address of the page"),
      .init("published", "updated", type: "string", "RFC 3339 in UTC"),
      .init("author", type: "string", "name of the first author, otherwise email address or URL"),
      .init(
        "authors", "contributors", type: "{name?: string, email?: string, url?: string}[]",
        "lists of `{name=, email=, url=}`; an entry without authors has the authors of its"
          + " source, otherwise of the feed"),
      .init("summary", "content", type: "string", "HTML or text, as in the feed"),
      .init("subtitle", type: "string", "one-line description of a podcast episode"),
      .init("tags", type: "string[]", "list of strings"),
      .init(
        "enclosures", type: "{url: string, type?: string, length?: integer}[]",
        "list of `{url=, type=, length=}`"),
      .init(
        "comments", "comments_feed", type: "string", "address of the discussion, and of its feed"),
      .init("comments_count", type: "integer", "number of comments"),
      .init("image", "thumbnail", type: "string", "addresses"),
      .init(
        "media", type: "table[]",
        "list of `{url=, type=, medium=, width=, height=, length=, duration=}`"),
      .init(
        "source", type: "{title?: string, url?: string}",
        "`{title=, url=}` of the feed the entry was taken from"),
      .init("language", "rights", "license", type: "string", "as in the feed"),
      .init(
        "duration", "episode", "season", type: "number", "podcasts only; the duration in seconds"),
      .init("episode_type", type: "string", "podcasts only"),
      .init("explicit", type: "boolean", "podcasts only"),
      .init("in_reply_to", type: "{id?: string, url?: string}", "`{id=, url=}`"),
      .init("latitude", "longitude", type: "number", "degrees"),
      .init(
        "original_url", type: "string",
        "address of the page if `url` is a redirect; in JSON Feed `external_url`"),
    ])

  static let feedAbout = InterfaceClass(
    "fetchrun.Feed", headings: ["field of a feed", "what"],
    fields: [
      .init("format", type: "string", "`rss2.0`, `atom1.0`, `json1.1` …"),
      .init(
        "title", "subtitle", "url", "feed_url", "next_url", "hub", "id", "language", "rights",
        "license", "generator", "updated", "published", "author", "image", type: "string",
        "text, an absolute address, or a date in RFC 3339 (UTC)"),
      .init("authors", type: "table[]", "list of `{name=, email=, url=}`"),
      .init("tags", type: "string[]", "list of strings"),
      .init("ttl", type: "integer", "minutes"),
      .init("skip_hours", "skip_days", type: "any[]", "when not to request the feed"),
      .init(
        "update_period", "update_base", type: "string",
        "update period of the feed, and when it begins"
      ),
      .init("update_frequency", type: "integer", "the number of updates in a period"),
      .init("repaired", type: "boolean", "`true` if the document was broken"),
    ])
}

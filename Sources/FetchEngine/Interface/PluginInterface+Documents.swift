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
          "list of items of a response or a text, and a table about the feed; `nil, message` for"
          + " what is no feed. `url` and `content_type` correct the response's")
    ])

  static let xml = InterfaceModule(
    "xml",
    [
      .init(
        "parse", parameters: "\(document), \(options)", results: "fetchrun.Node? root",
        "string? message", summary: "root node; `nil, message` for what is no XML")
    ])

  static let html = InterfaceModule(
    "html",
    [
      .init(
        "parse", parameters: "\(document), \(options)", results: "fetchrun.Node? root",
        "string? message", summary: "root node of a page, however broken"),
      .init(
        "text", parameters: "\(document), \(options)", results: "string text",
        summary: "what a reader sees, paragraphs on lines of their own"),
      .init(
        "unescape", parameters: "text: string", results: "string text",
        summary: "references such as `&eacute;` as characters"),
    ])

  static let node = InterfaceClass(
    "fetchrun.Node", value: "node", headings: ["node", "what"],
    fields: [.init("name", type: "string", isOptional: false, "name of the element")],
    methods: [
      .init(
        "select", parameters: "xpath: string, namespaces?: table<string, string>",
        results: "any found",
        summary:
          "all that XPath 1.0 finds: nodes as a list, attributes and texts in it as texts; a text,"
          + " number or boolean as it is. `namespaces` is a table of prefix and URI"),
      .init(
        "find", parameters: "xpath: string, namespaces?: table<string, string>",
        results: "any first", summary: "the first of them, or `nil`"),
      .init(
        "css", parameters: "selector: string", results: "fetchrun.Node[] nodes",
        summary: "the same by CSS, among what is below the node"),
      .init(
        "css_first", parameters: "selector: string", results: "fetchrun.Node? node",
        summary: "the first of them, or `nil`"),
      .init("text", results: "string text", summary: "all text in it"),
      .init(
        "attr", parameters: "name: string", results: "string? value",
        summary: "one attribute or `nil`"),
      .init(
        "attrs", results: "table<string, string> attributes", summary: "all of them as a table"),
      .init("children", results: "fetchrun.Node[] nodes", summary: "child elements"),
      .init(
        "parent", results: "fetchrun.Node? node", summary: "the element around it or `nil`"),
      .init("namespace", results: "string? uri", summary: "URI or `nil`"),
      .init("xml", "html", results: "string markup", summary: "its markup; `html` on pages only"),
    ])

  static let feedItem = InterfaceClass(
    "fetchrun.FeedItem: fetchrun.Item", headings: ["item field", "what"],
    fields: [
      .init(
        "id", type: "string", isOptional: false,
        "the entry's own, else its `url`, else a hash; always there"),
      .init("title", type: "string", "plain text"),
      .init("url", type: "string", "absolute address of the page"),
      .init("published", "updated", type: "string", "RFC 3339 in UTC"),
      .init("author", type: "string", "name, or address, of the first author"),
      .init(
        "authors", "contributors", type: "{name?: string, email?: string, url?: string}[]",
        "lists of `{name=, email=, url=}`; an entry without authors has those of its source, else of"
          + " the feed"),
      .init("summary", "content", type: "string", "HTML or text as the feed has it"),
      .init("subtitle", type: "string", "a podcast's one-line description"),
      .init("tags", type: "string[]", "list of texts"),
      .init(
        "enclosures", type: "{url: string, type?: string, length?: integer}[]",
        "list of `{url=, type=, length=}`"),
      .init(
        "comments", "comments_feed", type: "string", "address of the discussion, and of its feed"),
      .init("comments_count", type: "integer", "size of the discussion"),
      .init("image", "thumbnail", type: "string", "addresses"),
      .init(
        "media", type: "table[]",
        "list of `{url=, type=, medium=, width=, height=, length=, duration=}`"),
      .init(
        "source", type: "{title?: string, url?: string}",
        "`{title=, url=}` of the feed the entry was taken from"),
      .init("language", "rights", "license", type: "string", "as the feed has them"),
      .init(
        "duration", "episode", "season", type: "number", "of podcasts; the duration in seconds"),
      .init("episode_type", type: "string", "of podcasts"),
      .init("explicit", type: "boolean", "of podcasts"),
      .init("in_reply_to", type: "{id?: string, url?: string}", "`{id=, url=}`"),
      .init("latitude", "longitude", type: "number", "degrees"),
      .init("original_url", type: "string", "the page behind a feed service's link"),
    ])

  static let feedAbout = InterfaceClass(
    "fetchrun.Feed", headings: ["field of a feed", "what"],
    fields: [
      .init(
        "format", type: "string", isOptional: false, "`rss2.0`, `atom1.0`, `json1.1` …"),
      .init(
        "title", "subtitle", "url", "feed_url", "next_url", "hub", "id", "language", "rights",
        "license", "generator", "updated", "published", "author", "image", type: "string",
        "as of an item"),
      .init("authors", type: "table[]", "list of `{name=, email=, url=}`"),
      .init("tags", type: "string[]", "list of texts"),
      .init("ttl", type: "integer", "minutes"),
      .init("skip_hours", "skip_days", type: "any[]", "when not to ask"),
      .init(
        "update_period", "update_base", type: "string", "how often it changes, and from when"),
      .init("update_frequency", type: "integer", "how often in a period"),
      .init("repaired", type: "boolean", "`true` where the document was broken"),
    ])
}

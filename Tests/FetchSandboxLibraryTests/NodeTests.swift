import FetchSandbox
import FetchValues
import Testing

@Suite struct NodeTests {
  /// A parsed document, on which tests call library functions.
  struct Page {
    let functions: [LibraryFunction]
    let module: String
    let context = LibraryContext()
    let document: Value
    let root: Value

    init(html: String) throws { try self.init(HTMLLibrary.functions, "html", html) }
    init(xml: String) throws { try self.init(XMLTreeLibrary.functions, "xml", xml) }

    private init(_ functions: [LibraryFunction], _ module: String, _ text: String) throws {
      self.functions = functions
      self.module = module
      let results = try call(functions, "\(module)._parse", [.string(text)], in: context)
      (document, root) = (results[0], results[1])
    }

    func ask(_ name: String, _ arguments: Value..., at node: Value? = nil) throws -> Value {
      let all = [document, node ?? root] + arguments
      return try call(functions, "\(module).\(name)", all, in: context).first ?? .null
    }

    /// Returns the texts of the elements that a selector finds.
    func css(_ selector: String) throws -> [String] {
      try (ask("_select", .string(selector), true).arrayValue ?? []).map {
        try ask("_text", at: $0.arrayValue?.first).stringValue ?? ""
      }
    }
  }

  private static let list = """
    <html><body><div id="main" class="box wide"><p class="a">1</p><p lang="en-GB">2</p>
    <ul><li>3<li>4<li data-x="it's">5</ul><a href="https://example.org/x.pdf">6</a></div>
    <p>7<b>8</b></p></body></html>
    """

  static let selectors: [(String, [String])] = [
    ("li", ["3", "4", "5"]),
    ("div.box > p", ["1", "2"]),
    ("#main p.a", ["1"]),
    ("p + p", ["2"]),
    ("p ~ a", ["6"]),
    ("li:first-child, li:last-child", ["3", "5"]),
    ("li:nth-child(odd)", ["3", "5"]),
    ("li:nth-child(2)", ["4"]),
    ("li:nth-child(-n+2)", ["3", "4"]),
    ("p:not(.a):not([lang])", ["78"]),
    ("p:not(.a, [lang])", ["78"]),
    ("p:has(> b)", ["78"]),
    ("a[href$='.pdf']", ["6"]),
    ("a[href^=https][href*=\"example\"]", ["6"]),
    ("p[lang|=en]", ["2"]),
    ("div[class~=wide] b, b", ["8"]),
    ("li[data-x=\"it's\"]", ["5"]),
    ("p:contains('8')", ["78"]),
    ("*.a", ["1"]),
    ("p.nothing", []),
    ("a:only-of-type", ["6"]),
    ("li:only-of-type", []),
    ("li:nth-last-of-type(1), p:nth-last-of-type(2)", ["1", "5"]),
    ("#main :is(p.a, a)", ["1", "6"]),
    ("p:not(:is(.a, [lang]))", ["78"]),
    (":root > body > p", ["78"]),
    ("b:root", []),
    ("p:not(:root).a", ["1"]),
  ]

  @Test(arguments: selectors) func `CSS selectors find the expected elements`(
    selector: String, texts: [String]
  ) throws {
    let found = try Page(html: Self.list).css(selector)
    #expect(found.map { $0.filter { !$0.isWhitespace } } == texts)
  }

  @Test(arguments: [
    "", "p >", "> > p", "p:hover", "p[", "p[a=", "p:nth-child(x)", "p..a", ",", "p)",
  ])
  func `an unsupported selector is an error of the caller`(selector: String) throws {
    let page = try Page(html: Self.list)
    #expect(throws: LibraryError.self) { try page.ask("_select", .string(selector), true) }
  }

  @Test func `:checked finds selected elements, and :root finds the root from any node`() throws {
    let page = try Page(
      html: """
        <html><body><form><select><option>a<option selected>b</select><input type=CheckBox checked
        name=c><input type="radio" name=d><input type=text checked name=e></form></body></html>
        """)
    let found = try page.ask("_select", ":checked", true).arrayValue ?? []
    #expect(found.map { $0.arrayValue?[1] } == ["option", "input"])
    #expect(try page.ask("_attribute", "name", at: found[1].arrayValue?[0]) == "c")
    let root = try page.ask("_select", ":root", true, at: found[0].arrayValue?[0]).arrayValue ?? []
    #expect(root.map { $0.arrayValue?[1] } == ["html"])
  }

  static let columns: [(String, String, Int)] = [
    ("p >", "selector expected", 4),
    ("p:hover", "':hover' is not supported", 2),
    ("é p:hover(2)", "':hover()' is not supported", 4),
    ("ul > li:nth-child(x)", "a number, odd, even or an+b expected", 19),
    ("p[a!=b]", "unknown operator", 4),
    ("p[a", "operator expected", 4),
    ("p[a='x]", "unterminated quote", 5),
    ("p[a=x", "']' expected", 6),
    ("p..a", "name expected", 3),
    ("p)", "unexpected character", 2),
    (":only-of-type", "':only-of-type' is not supported", 1),
  ]

  @Test(arguments: columns) func `a selector's error names the column of the mistake`(
    selector: String, what: String, column: Int
  ) throws {
    let page = try Page(html: Self.list)
    #expect(
      throws: LibraryError.misuse("CSS selector '\(selector)': \(what) at column \(column)")
    ) { try page.ask("_select", .string(selector), true) }
  }

  @Test func `XPath returns nodes, strings, numbers and booleans`() throws {
    let page = try Page(xml: "<a xmlns:x='urn:x'><b n='1'>t</b><x:b n='2'/></a>")
    #expect(try page.ask("_select", "//b/@n") == ["1"])
    #expect(try page.ask("_find", "count(//*)") == 3)
    #expect(try page.ask("_find", "b = 't'") == true)
    #expect(try page.ask("_find", "string(b)") == "t")
    #expect(try page.ask("_select", "//y:b/@n", false, ["y": "urn:x"]) == ["2"])
    #expect(try page.ask("_find", "//nothing") == .null)
    let b = try #require(try page.ask("_find", "b").arrayValue)
    #expect(b[1] == "b")
    #expect(try page.ask("_attributes", at: b[0]) == ["n": "1"])
    #expect(try page.ask("_attribute", "n", at: b[0]) == "1")
    #expect(try page.ask("_markup", at: b[0]) == "<b n=\"1\">t</b>")
    #expect(try page.ask("_parent", at: b[0]).arrayValue?[1] == "a")
    #expect(try page.ask("_children").arrayValue?.count == 2)
  }

  @Test func `an XPath expression without end is stopped`() throws {
    let page = try Page(xml: "<a>" + String(repeating: "<b><c/></b>", count: 2000) + "</a>")
    #expect(throws: LibraryError.self) { try page.ask("_select", "//*[//*[//*[//* = 'x']]]") }
    #expect(throws: LibraryError.self) { try page.ask("_select", "//b[") }
    #expect(throws: LibraryError.self) {
      try page.ask("_select", .string(String(repeating: "(", count: 4000)))
    }
  }

  @Test(arguments: [
    ("//b[. = $x]", "an undefined variable"),
    (
      String(repeating: "(", count: 2000) + "1" + String(repeating: ")", count: 2000),
      "too many nested expressions"
    ),
    ("//y:b", "an undeclared namespace prefix"),
    ("//b[", "an error, such as invalid syntax or a value of the wrong type,"),
  ]) func `an XPath error names its cause`(expression: String, cause: String) throws {
    let page = try Page(xml: "<a><b/></a>")
    #expect(throws: LibraryError.misuse("XPath: \(cause) in '\(expression)'")) {
      try page.ask("_select", .string(expression))
    }
  }

  @Test func `an unused number of a node is an error`() throws {
    let page = try Page(xml: "<a/>")
    for number: Int64 in [-1, 7, .max, .min] {
      #expect(throws: LibraryError.self) { try page.ask("_text", at: .integer(number)) }
    }
  }

  @Test func `old documents are dropped for new ones`() throws {
    let context = LibraryContext()
    func parse() throws -> Value {
      try call(XMLTreeLibrary.functions, "xml._parse", ["<a>x</a>"], in: context)[0]
    }
    let first = try parse()
    for _ in 0..<64 { _ = try parse() }
    #expect(throws: LibraryError.self) {
      try call(XMLTreeLibrary.functions, "xml._text", [first, 0], in: context)
    }
  }

  static let brokenXML = [
    "", "x", "<a>", "<a></b>", "<a b=1/>", "<a>&nbsp;</a>",
    "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
    String(repeating: "<a>", count: 100_000),
    "<a " + (0..<1000).map { "b\($0)='1' " }.joined() + "/>",
  ]

  @Test(arguments: brokenXML) func `invalid or oversized XML is refused`(text: String) {
    #expect(throws: LibraryError.self) { try Page(xml: text) }
  }

  /// Tags with many attributes. `NAMES` stands for the attributes.
  private static let wideTags = [
    "<a NAMES>", "<a \" NAMES>", "<a z\"z NAMES>", "<a c=z\"z NAMES>", "<a c=z'/ NAMES>",
    "<a b\"=\"c NAMES>", "<a b/c=\"d NAMES>", "<a 1=\"c NAMES>", "<a/NAMES>", "<scripts><a NAMES>",
  ]

  @Test(arguments: wideTags) func `a page with too many attributes is refused`(tag: String) {
    let names = (0..<1000).map { "b\($0)" }.joined(separator: " ")
    #expect(throws: LibraryError.refused("an element has more than 256 attributes")) {
      try Page(html: tag.replacing("NAMES", with: names) + "x</a>")
    }
  }

  @Test(arguments: ["<a href=WORDS>", "<a title=\"WORDS\">", "<a title = 'WORDS'>"])
  func `slashes and words in a value are not attributes`(tag: String) throws {
    let words = String(repeating: "/a", count: 1000)
    let value = tag.contains("=W") ? words : words.replacing("/", with: " / ")
    let page = try Page(html: tag.replacing("WORDS", with: value) + "x</a>")
    #expect(try page.css("a") == ["x"])
  }

  @Test func `the error has the line`() {
    #expect(throws: LibraryError.refused("line 2: Opening and ending tag mismatch: b line 2 and a"))
    {
      try Page(xml: "<a>\n<b></a>")
    }
  }

  @Test(arguments: ["", " \n\t"]) func `an empty document has no nodes`(text: String) {
    #expect(throws: LibraryError.refused("the document is empty")) { try Page(html: text) }
    #expect(throws: LibraryError.refused("the document is empty")) { try Page(xml: text) }
  }

  @Test func `an unsuccessful answer is an error with the answer's status`() {
    let answer: Value = ["status": 404, "url": "https://example.org/x", "body": "<p>no</p>"]
    for (functions, name) in [
      (FeedLibrary.functions, "feed.parse"), (HTMLLibrary.functions, "html._parse"),
    ] {
      #expect(
        throws: LibraryError.errorStatus(
          "https://example.org/x answered 404 Not Found", retryable: false)
      ) { try call(functions, name, [answer]) }
    }
  }

  static let unchanged: [Value] = [
    ["status": 304, "url": "https://example.org/x", "not_modified": true],
    ["status": 200, "same_body": true, "body": .string(rss("<item><link>/1</link></item>"))],
  ]

  @Test(arguments: unchanged)
  func `an unchanged answer has no items, and says nothing about the feed`(answer: Value) throws {
    #expect(try call(FeedLibrary.functions, "feed.parse", [answer]) == [[], [:]])
  }

  @Test func `feed.parse returns lists and tables with the documented names`() throws {
    let answer: Value = [
      "status": 200, "url": "https://example.org/f", "headers": ["Content-Type": "text/xml"],
      "body": .string(rss("<item><link>/1</link><pubDate>20 Nov 2026</pubDate></item>")),
    ]
    let results = try call(FeedLibrary.functions, "feed.parse", [answer])
    let url: Value = "https://example.org/1"
    #expect(results[0] == [["id": url, "url": url, "published": "2026-11-20T00:00:00Z"]])
    #expect(results[1] == ["format": "rss2.0", "title": "News"])
  }

  static let texts: [(String, String)] = [
    ("<p>One  two</p><p>Three</p>", "One two\n\nThree"),
    ("a<br>b", "a\nb"),
    ("<ul><li>x<li>y</ul>", "- x\n- y"),
    ("<script>no</script><style>no</style>yes &amp; &eacute;", "yes & é"),
    ("1 < 2 <!-- c --> x", "1 < 2 x"),
    ("<head><title>no</title></head><body>b</body>", "b"),
  ]

  @Test(arguments: texts) func `html.text returns the text that a reader sees`(
    html: String, text: String
  )
    throws
  {
    #expect(try call(HTMLLibrary.functions, "html.text", [.string(html)]) == [.string(text)])
  }
}

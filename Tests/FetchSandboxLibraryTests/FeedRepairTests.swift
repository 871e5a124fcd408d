import FetchSandbox
import Testing

@Suite struct FeedRepairTests {
  /// What is broken, and the item's title that must come out.
  static let broken: [(String, String)] = [
    ("bare ampersand", rss("<item><title>A & B</title></item>")),
    ("HTML entity", rss("<item><title>A&nbsp;&eacute;</title></item>")),
    ("undeclared prefix", rss("<item><dc:creator>x</dc:creator><title>T</title></item>")),
    ("unclosed br", rss("<item><description>a<br>b</description><title>T</title></item>")),
    ("no end", "<rss version=\"2.0\"><channel><item><title>T</title>"),
    ("item not closed", rss("<item><title>T</title><item><title>U</title></item>")),
    ("control character", rss("<item><title>T\u{1}</title></item>")),
    (
      "blanks before the declaration",
      " \n<?xml version=\"1.0\"?>" + rss("<item><title>T</title></item>")
    ),
    ("unquoted attribute", rss("<item><enclosure url=/a length=1 /><title>T</title></item>")),
    ("double attribute", rss("<item><enclosure url='/a' url='/b'/><title>T</title></item>")),
    ("DOCTYPE of HTML", "<!DOCTYPE html>" + rss("<item><title>T</title></item>")),
    (
      "CDATA without end", rss("<item><title>T</title><description><![CDATA[x</description></item>")
    ),
    ("a lone <", rss("<item><title>T</title><description>1 < 2</description></item>")),
    ("nonsense after the end", rss("<item><title>T</title></item>") + "<p>x</p>"),
  ]

  @Test(arguments: broken) func `what browsers read is read`(name: String, text: String) throws {
    let feed = try parse(text)
    #expect(feed.items.isEmpty == false, "\(name)")
    #expect(feed.items.first?.title?.isEmpty == false, "\(name)")
  }

  @Test func `texts come out as they were meant`() throws {
    func title(_ text: String) throws -> String? {
      try parse(rss("<item><title>\(text)</title></item>")).items.first?.title
    }
    #expect(try title("A & B") == "A & B")
    #expect(try title("caf&eacute; &amp; more") == "café & more")
    #expect(try title("&#150; &#x93;x&#148;") == "– “x”")
    #expect(try title("AT&amp;amp;T") == "AT&T")
    #expect(try title("&bogus; &") == "&bogus; &")
    #expect(try title("<![CDATA[a &lt; b]]>") == "a < b")
  }

  @Test func `entities that a DTD declares as text are read`() throws {
    let feed = try parse(
      "<!DOCTYPE rss [<!ENTITY corp \"Example Inc\"><!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
        + rss("<item><title>&corp;&x;</title></item>"))
    #expect(feed.items.first?.title == "Example Inc&x;")
    #expect(feed.isRepaired)
  }

  static let notFeeds: [(String, String)] = [
    ("", "the document is empty"),
    ("  \n", "the document is empty"),
    ("hello", "not a feed: neither RSS, Atom nor JSON Feed"),
    ("<a><b/></a>", "not a feed: neither RSS, Atom nor JSON Feed"),
    ("<!DOCTYPE html><html><head></head></html>", "not a feed but a web page"),
    (
      "<html><head><link rel=alternate type=\"application/rss+xml\" href=\"/f.xml\"></head></html>",
      "not a feed but a web page; it names these feeds: https://example.org/f.xml"
    ),
    ("{\"a\": 1}", "not a feed: it is JSON, but its version does not name jsonfeed.org"),
  ]

  @Test(arguments: notFeeds) func `what is no feed is refused with a reason`(
    text: String, message: String
  ) {
    #expect(throws: LibraryError.refused(message)) { try parse(text) }
  }
}

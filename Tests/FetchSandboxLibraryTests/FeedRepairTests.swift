import FetchSandbox
import Testing

@Suite struct FeedRepairTests {
  /// Damaged feeds, each with the expected title of the item.
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

  @Test(arguments: broken) func `a feed that browsers can read is read`(name: String, text: String)
    throws
  {
    let feed = try parse(text)
    #expect(feed.items.isEmpty == false, "\(name)")
    #expect(feed.items.first?.title?.isEmpty == false, "\(name)")
  }

  @Test func `texts are repaired to the intended form`() throws {
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

  static let leftOpen: [(String, String)] = [
    ("a description before", rss("<description>abc<item>A</item><item>B</item>")),
    (
      "a description between",
      rss("<item>A</item><description>abc<item>B</item>")
    ),
    ("a category", rss("<itunes:category text=\"x\"><item>A</item><item>B</item>")),
    ("a picture", rss("<image><url>/i.png</url><item>A</item><item>B</item>")),
    ("a mistyped item", rss("<itme>A</item><item>B</item>")),
    ("a mistyped second item", rss("<item>A</item><itme>B</item>")),
    ("an item without its start tag", rss("<item>A</item>B</item>")),
    ("an item that closes itself", rss("<item>A</item><item/>B</item>")),
    ("an item behind the end", rss("<item>A</item></channel></rss><item>B</item>")),
    ("an end tag without its bracket", rss("<item>A</item<item>B</item")),
    ("a title of Atom", "<feed><title>News<entry>A</entry><entry>B</entry></feed>"),
    (
      "a mistyped root",
      "<rsss><channel><title>N</title><item>A</item><item>B</item></channel></rss>"
    ),
    ("no root", "<id>N</id><entry>A</entry><entry>B</entry></feed>"),
    (
      "RDF",
      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><channel><title>N"
        + "<item>A</item><item>B</item></rdf:RDF>"
    ),
    ("a comment", rss("<item>A</item><!-- x <item>B</item>")),
    ("an instruction", rss("<item>A</item><?php x <item>B</item>")),
    ("a value", rss("<item>A<enclosure url='/a></item><item>B</item>")),
    (
      "a CDATA section",
      rss(
        "<item>A<description><![CDATA[x</description></item><item>B<summary><![CDATA[y]]></summary></item>"
      )
    ),
  ]

  @Test(arguments: leftOpen) func `an item begins at its start tag, whatever precedes it`(
    name: String, text: String
  )
    throws
  {
    let text = text.replacing(">A<", with: "><title>A</title><")
      .replacing(">B<", with: "><title>B</title><").replacing(">A\n", with: "><title>A</title>")
    #expect(try parse(text).items.map(\.title) == ["A", "B"], "\(name)")
  }

  @Test(arguments: [
    "]]>", "<![CDATa[x]]>", "\u{FFFE}", "\u{FFFF}", "\u{1}", "&#xFFFF;", "<\u{D7}>", "<a:b:c>",
    "<:a>",
    "<a xmlns:=''>", "<a \u{D7}='x'>", "</a:>", "<a b='\u{FFFE}'>",
  ]) func `text outside the XML takes no characters from a later item`(stray: String) throws {
    let later = "<item><description>&lt;p>x &amp;amp; y&lt;/p></description></item>"
    let feed = try parse(rss("<item><title>A\(stray)</title></item>\(later)"))
    #expect(feed.isRepaired)
    #expect(feed.items.map(\.summary) == [nil, "<p>x &amp; y</p>"])
  }

  @Test func `line endings are the same with and without a repair`() throws {
    let text = "a\r\nb\rc\nd"
    let long = String(repeating: "x", count: 299) + "\r\n" + String(repeating: "y\r\n", count: 400)
    for piece in [text, long, "x\r", "\r\n\r\r\n"] {
      let item =
        "<item><description>\(piece).</description><content:encoded><![CDATA[\(piece)]]><![CDATA[\n.]]>"
        + "</content:encoded><category term=\"\(piece)\"/><category>&#13;&#10;x&#9;&#13;y</category>"
        + "<category term=\"x&#13;&#10;&#9;y\"/></item>"
      let clean = try parse(rss(item).replacing("<rss ", with: "<rss xmlns:content=\"u\" "))
      let repaired = try parse(
        rss("&" + item).replacing("<rss ", with: "<rss xmlns:content=\"u\" "))
      #expect(!clean.isRepaired)
      #expect(repaired.isRepaired)
      #expect(clean.items == repaired.items)
      let lines = piece.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
      #expect(clean.items.first?.summary == lines.drop { $0.isWhitespace } + ".")
    }
  }

  private static func unread(line: Int) -> String {
    "the feed has no items that can be read, but line \(line) has the tag of an item"
  }

  private static let cutOff =
    "the feed has no items and does not end with the end tag of its root; it may be cut off"

  static let lost: [(String, String)] = [
    ("<rss><channel>\n<foo>&</foo></channel><!-- <item> --></rss>", unread(line: 2)),
    ("<feed><title>a & b</title></entry></feed>", unread(line: 1)),
    ("<rss><channel>\n<x><item><title>T</title></item></x></channel></rss>", unread(line: 2)),
    (
      "<rss><channel><title>News</title><link>https://", cutOff
    ),
    ("<rss><channel></channel>", cutOff),
    (
      "<rss><channel><title>News</channel></rss>",
      "the feed has no items, and some of its tags have no counterpart"
    ),
    (rss("News</title>"), "the feed has no items, and some of its tags have no counterpart"),
    (rss("<ttl>15</ttl>em>"), "the feed has no items, and one of its tags may be incomplete"),
    (
      "<feed><title>T</title>try&gt;</feed>",
      "the feed has no items, and one of its tags may be incomplete"
    ),
  ]

  @Test(arguments: lost) func `a damaged feed without items does not count as empty`(
    text: String, message: String
  ) {
    #expect(throws: LibraryError.refused(message)) { try parse(text) }
  }

  @Test func `a feed without items is read, even if it is damaged`() throws {
    #expect(try parse(rss("")).items.isEmpty)
    #expect(try parse(rss("<description>a & b > c</description>")).items.isEmpty)
    #expect(try parse(rss("Nothing was found.")).items.isEmpty)
    #expect(try parse("<feed><items/>&</feed>").items.isEmpty)
  }

  @Test(arguments: [
    "<br />\n<b>Warning</b>:  foo(): \"x\" in <b>/a.php</b> on line <b>3</b><br />\n",
    "Notice: Undefined variable: <x> in /a.php on line 3\n",
    "<br />\n<font size='1'><table class='xdebug-error'><tr><th>&</th></tr></table></font>\n",
  ]) func `a server's warnings before the feed are ignored`(warning: String) throws {
    for declaration in ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- x -->", ""] {
      let feed = try parse(warning + declaration + rss("<item><title>T</title></item>"))
      #expect(feed.format == "rss2.0")
      #expect(feed.title == "News")
      #expect(feed.items.map(\.title) == ["T"])
      let atom =
        warning + declaration
        + "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>T</title></entry></feed>"
      #expect(try parse(atom).format == "atom1.0")
    }
  }

  static let notFeeds: [(String, String)] = [
    ("", "the document is empty"),
    ("  \n", "the document is empty"),
    ("hello", "not a feed: neither RSS, Atom nor JSON Feed"),
    ("<a><b/></a>", "not a feed: neither RSS, Atom nor JSON Feed"),
    ("<tv><channel id=1>&</channel></tv>", "not a feed: neither RSS, Atom nor JSON Feed"),
    ("<a>&<feedback></feedback><item/></a>", "not a feed: neither RSS, Atom nor JSON Feed"),
    ("<!DOCTYPE html><html><head></head></html>", "not a feed but a web page"),
    (
      "<html><head><link rel=alternate type=\"application/rss+xml\" href=\"/f.xml\"></head></html>",
      "not a feed but a web page; the page links to these feeds: https://example.org/f.xml"
    ),
    (
      "{\"a\": 1}",
      "not a feed: it is JSON, but not a JSON Feed ('version' must contain jsonfeed.org/version/)"
    ),
  ]

  @Test(arguments: notFeeds) func `other text is refused with the reason`(
    text: String, message: String
  ) {
    #expect(throws: LibraryError.refused(message)) { try parse(text) }
  }
}

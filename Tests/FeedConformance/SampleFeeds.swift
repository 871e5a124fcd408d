/// Thirty sample feeds in the forms that real blogs, podcasts, news sites, forums and code hosts
/// send. Many sample feeds have extension modules or CDATA sections.
package enum SampleFeeds {
  package static let all: [(name: String, text: String)] =
    blogs + podcasts + news + atom + rdf + odd

  private static func items(_ count: Int, _ item: (Int) -> String) -> String {
    (1...count).map(item).joined(separator: "\n")
  }

  private static func paragraphs(_ number: Int) -> String {
    let words = [
      "Die Brücke über den Fluß ist wieder offen", "Tom & Jerry < Asterix, 3 > 2", "It's “fine”",
      "naïve café, 100 % sure; see <a href=\"https://example.org/a?b=1&amp;c=2\">here</a>",
      "<img src=\"/i/\(number).png\" alt=\"the boys' toys\"><br>second line",
    ]
    return (0..<3).map { "<p>\(words[(number + $0) % words.count])</p>" }.joined(separator: "\n")
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private static func day(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static let modules = """
    xmlns:content="http://purl.org/rss/1.0/modules/content/"
    xmlns:wfw="http://wellformedweb.org/CommentAPI/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:atom="http://www.w3.org/2005/Atom"
    xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
    xmlns:slash="http://purl.org/rss/1.0/modules/slash/"
    xmlns:media="http://search.yahoo.com/mrss/"
    """

  // MARK: - RSS 2.0

  private static func blogItem(_ number: Int) -> String {
    """
        <item>
            <title>Post \(number): Fish &amp; chips</title>
            <link>https://blog.example/2026/post-\(number)/</link>
            <comments>https://blog.example/2026/post-\(number)/#comments</comments>
            <dc:creator><![CDATA[Jane Doe]]></dc:creator>
            <pubDate>Fri, \(day(number)) Nov 2026 10:0\(number % 10):00 +0000</pubDate>
            <category><![CDATA[Food & Drink]]></category>
            <category><![CDATA[News]]></category>
            <guid isPermaLink="false">https://blog.example/?p=\(100 + number)</guid>
            <description><![CDATA[\(paragraphs(number))]]></description>
            <content:encoded><![CDATA[\(paragraphs(number))
    <!-- more --> \(paragraphs(number + 1))]]></content:encoded>
            <wfw:commentRss>https://blog.example/2026/post-\(number)/feed/</wfw:commentRss>
            <slash:comments>\(number)</slash:comments>
        </item>
    """
  }

  private static func blog(_ count: Int, head: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?><rss version="2.0"
    \(modules)>
    <channel>
        <title>The &quot;blog&quot;</title>
        <atom:link href="https://blog.example/feed/" rel="self" type="application/rss+xml" />
        <link>https://blog.example</link>
        <description>Just another site</description>
        <lastBuildDate>Fri, 20 Nov 2026 10:00:00 +0000</lastBuildDate>
        <language>en-US</language>
        <sy:updatePeriod>hourly</sy:updatePeriod>
        <sy:updateFrequency>1</sy:updateFrequency>
        <generator>https://wordpress.org/?v=6.4</generator>
        <image><url>https://blog.example/i.png</url><title>The blog</title>
            <link>https://blog.example</link><width>32</width><height>32</height></image>\(head)
    \(items(count, blogItem))
    </channel>
    </rss>
    """
  }

  private static func toot(_ number: Int) -> String {
    "<item><guid isPermaLink=\"true\">https://m.example/@a/\(number)</guid>"
      + "<link>https://m.example/@a/\(number)</link>"
      + "<pubDate>Thu, \(day(number)) Nov 2026 08:00:00 +0000</pubDate>"
      + "<description>\(escaped(paragraphs(number)))</description>"
      + "<media:content url=\"https://m.example/m/\(number).jpg\" type=\"image/jpeg\""
      + " fileSize=\"123\" medium=\"image\"><media:rating scheme=\"urn:simple\">nonadult"
      + "</media:rating><media:description type=\"plain\">A cat</media:description>"
      + "</media:content><category>cats</category></item>"
  }

  private static let toots =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" "
    + "xmlns:webfeeds=\"http://webfeeds.org/rss/1.0\" xmlns:media=\"http://search.yahoo.com/mrss/\">"
    + "<channel><title>A</title><description>Public posts from @a</description>"
    + "<link>https://m.example/@a</link><image><url>https://m.example/a.png</url><title>A</title>"
    + "<link>https://m.example/@a</link></image><webfeeds:icon>https://m.example/a.png"
    + "</webfeeds:icon><generator>Mastodon v4</generator>\(items(5, toot))</channel></rss>\n"

  private static let plain = """
    <rss version="0.92"><channel><title>Plain</title><link>https://plain.example/</link>
    <description>Few elements</description>
    \(items(5) { "<item><title>Title \($0)</title><link>https://plain.example/\($0)</link>"
      + "<description>\(escaped(paragraphs($0)))</description></item>" })
    </channel></rss>
    """

  private static let blogs: [(String, String)] = [
    ("blog", blog(5)), ("blog with one post", blog(1)), ("blog in CR LF", crlf(blog(4))),
    ("blog with a comment", blog(4, head: "\n    <!-- made by <b>hand</b>, cached -->")),
    ("toots", toots), ("plain", plain),
  ]

  private static func crlf(_ text: String) -> String { text.replacing("\n", with: "\r\n") }

  // MARK: - Podcasts and news

  private static func episode(_ number: Int, author: Bool) -> String {
    """
        <item>
          <title>Episode \(number): Ünï &amp; code</title>
          <itunes:title>Ünï</itunes:title>\(author ? "\n      <itunes:author>Ann</itunes:author>" : "")
          <itunes:episode>\(number)</itunes:episode>
          <itunes:season>2</itunes:season>
          <guid isPermaLink="false">b1946ac9-2492-d234-7c62-35b4d2611\(number)84</guid>
          <pubDate>Mon, \(day(number)) Nov 2026 05:00:00 GMT</pubDate>
          <enclosure url="https://cdn.example/e\(number).mp3?a=1&amp;b=2" length="1234\(number)" type="audio/mpeg"/>
          <itunes:duration>00:4\(number % 10):10</itunes:duration>
          <itunes:explicit>false</itunes:explicit>
          <itunes:image href="https://cdn.example/e\(number).jpg"/>
          <itunes:summary>All about encodings</itunes:summary>
          <description><![CDATA[\(paragraphs(number))]]></description>
        </item>
    """
  }

  private static func podcast(_ count: Int, itemAuthors: Bool) -> String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0">
      <channel>
        <title>Talk</title>
        <link>https://pod.example/</link>
        <language>de-de</language>
        <copyright>© 2026 Ann</copyright>
        <itunes:author>Ann Example</itunes:author>
        <itunes:type>episodic</itunes:type>
        <itunes:owner>
          <itunes:name>Ann Example</itunes:name>
          <itunes:email>ann@pod.example</itunes:email>
        </itunes:owner>
        <itunes:image href="https://cdn.example/cover.jpg"/>
        <itunes:category text="Society &amp; Culture">
          <itunes:category text="Documentary"/>
        </itunes:category>
        <itunes:category text="Technology"/>
        <itunes:explicit>false</itunes:explicit>
        <description>&lt;p&gt;Two people talk.&lt;/p&gt;</description>
        <podcast:locked>yes</podcast:locked>
    \(items(count) { episode($0, author: itemAuthors) })
      </channel>
    </rss>
    """
  }

  private static func story(_ number: Int) -> String {
    "<item><title><![CDATA[Story \(number) <b>now</b>]]></title><description><![CDATA["
      + "Short text \(number) & more]]></description><link>https://news.example/a/\(number)?at=rss"
      + "&amp;x=1</link><guid isPermaLink=\"false\">https://news.example/a/\(number)#0</guid>"
      + "<pubDate>Sun, \(day(number)) Nov 2026 12:34:56 GMT</pubDate><media:thumbnail width=\"240\""
      + " height=\"135\" url=\"https://ichef.example/\(number).jpg\"/></item>"
  }

  private static func newsroom(_ count: Int, title: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><?xml-stylesheet title=\"XSL\" type=\"text/xsl\""
      + " href=\"/rss.xsl\"?><rss xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:atom=\""
      + "http://www.w3.org/2005/Atom\" version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\">"
      + "<channel><title><![CDATA[\(title)]]></title><description><![CDATA[\(title) - all of it]]>"
      + "</description><link>https://news.example/</link><image><url>https://news.example/l.gif</url>"
      + "<title>\(title)</title><link>https://news.example/</link></image><lastBuildDate>Sun, 22 Nov"
      + " 2026 13:00:00 GMT</lastBuildDate><atom:link href=\"https://feeds.example/rss.xml\" rel=\"self\""
      + " type=\"application/rss+xml\"/><copyright><![CDATA[Copyright: example]]></copyright>"
      + "<language><![CDATA[en-gb]]></language><ttl>15</ttl>"
      + items(count, story) + "</channel></rss>"
  }

  private static let podcasts: [(String, String)] = [
    ("podcast", podcast(4, itemAuthors: true)),
    ("podcast with one author", podcast(5, itemAuthors: false)),
    ("podcast in CR LF", crlf(podcast(3, itemAuthors: true))),
  ]
  private static let news: [(String, String)] = [
    ("news", newsroom(8, title: "News")), ("world news", newsroom(5, title: "World")),
    ("news of one", newsroom(1, title: "One")),
    ("news with a DOCTYPE", doctype(newsroom(4, title: "Old"))),
  ]

  private static func doctype(_ text: String) -> String {
    text.replacing("<rss ", with: "<!DOCTYPE rss [<!ENTITY corp \"Example\">]>\n<rss ")
  }

  // MARK: - Atom

  private static func commit(_ number: Int) -> String {
    """
      <entry>
        <id>tag:code.example,2008:Commit/0ab\(number)</id>
        <link type="text/html" rel="alternate" href="https://code.example/c/0ab\(number)"/>
        <title>
            Fix \(number) &lt;T&gt;
        </title>
        <updated>2026-11-\(day(number))T10:15:20Z</updated>
        <media:thumbnail height="30" width="30" url="https://avatars.example/\(number)"/>
        <author>
          <name>dev\(number)</name>
          <uri>https://code.example/dev\(number)</uri>
        </author>
        <content type="html">
          \(escaped("<pre style='white-space:pre-wrap'>Fix \(number) & co\n\nlong</pre>"))
        </content>
      </entry>
    """
  }

  private static func page(_ number: Int) -> String {
    """
      <entry xml:lang="en"><title type="text">Page \(number)</title>
        <link rel="alternate" href="/p/\(number)"/><link rel="enclosure" type="audio/ogg" length="9" href="/a.ogg"/>
        <id>urn:uuid:0000-\(number)</id><published>2026-11-\(day(number))T00:00:00+01:00</published>
        <updated>2026-11-\(day(number))T01:00:00+01:00</updated><category term="x" label="X"/>
        <author><name>Bo</name><email>bo@site.example</email></author>
        <summary>Kurz &amp; gut</summary>
        <content type="xhtml" xml:base="https://site.example/p/"><div xmlns="http://www.w3.org/1999/xhtml">
          <h2>Head \(number)</h2><p>Text with <em>style</em>, <a href="q?a=1&amp;b=2">a link</a>.<br/>Äöü</p>
          <ul><li>one</li><li>two</li></ul></div></content>
      </entry>
    """
  }

  private static func video(_ number: Int) -> String {
    " <entry>\n  <id>yt:video:vid\(number)</id>\n  <yt:videoId>vid\(number)</yt:videoId>\n"
      + "  <title>Video \(number)</title>\n  <link rel=\"alternate\" href=\"https://v.example/\(number)\"/>\n"
      + "  <author>\n   <name>Chan</name>\n   <uri>https://v.example/c</uri>\n  </author>\n"
      + "  <published>2026-11-\(day(number))T15:00:01+00:00</published>\n"
      + "  <updated>2026-11-\(day(number))T16:00:01+00:00</updated>\n  <media:group>\n"
      + "   <media:title>Video \(number)</media:title>\n   <media:content url=\"https://v.example/v/\(number)\""
      + " type=\"application/x-shockwave-flash\" width=\"640\" height=\"390\"/>\n"
      + "   <media:thumbnail url=\"https://i.example/\(number).jpg\" width=\"480\" height=\"360\"/>\n"
      + "   <media:description>Line one\nLine two &amp; three</media:description>\n"
      + "   <media:community><media:starRating count=\"5\" average=\"5.00\" min=\"1\" max=\"5\"/>\n"
      + "   </media:community>\n  </media:group>\n </entry>"
  }

  private static func bare(_ number: Int) -> String {
    "<entry><title type=\"html\">Bare \(number)</title><link href=\"/\(number)\"/>"
      + "<id>https://bare.example/\(number)</id><updated>2026-11-\(day(number))T09:00:00Z</updated>"
      + "<summary type=\"html\"><![CDATA[\(paragraphs(number))]]></summary></entry>"
  }

  private static func atomFeed(
    _ title: String, _ entries: String, author: String = "", more: String = ""
  ) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"\(more) xml:lang="en-US">
      <id>tag:site.example,2008:/\(title)</id>
      <link type="text/html" rel="alternate" href="https://site.example/"/>
      <link type="application/atom+xml" rel="self" href="https://site.example/feed.atom"/>
      <title>\(title)</title>
      <updated>2026-11-20T10:15:20Z</updated>
    \(author)\(entries)
    </feed>
    """
  }

  private static let feedAuthor =
    "  <author><name>Ed Itor</name><uri>https://ed.example/</uri></author>\n"
  private static let yt = " xmlns:yt=\"http://www.youtube.com/xml/schemas/2015\""

  private static let atom: [(String, String)] = [
    ("commits", atomFeed("Commits", items(6, commit))),
    ("one commit", atomFeed("Commit", items(1, commit))),
    ("pages", atomFeed("Pages", items(4, page))),
    ("pages in CR LF", crlf(atomFeed("Pages", items(3, page)))),
    ("videos", atomFeed("Videos", items(5, video), more: yt)),
    ("bare entries", atomFeed("Bare", items(6, bare), author: feedAuthor)),
    ("two bare entries", atomFeed("Bare", items(2, bare), author: feedAuthor)),
    ("prefixed", prefixed),
  ]

  private static let prefixed = """
    <?xml version='1.0'?>
    <atom:feed xmlns:atom='http://www.w3.org/2005/Atom'><atom:title>P</atom:title>
    <atom:id>urn:p</atom:id><atom:updated>2026-11-20T00:00:00Z</atom:updated>
    \(items(4) { "<atom:entry><atom:title>Entry \($0)</atom:title><atom:id>urn:p:\($0)</atom:id>"
      + "<atom:updated>2026-11-\(day($0))T00:00:00Z</atom:updated><atom:link href='/\($0)'/>"
      + "<atom:author><atom:name>Al</atom:name></atom:author>"
      + "<atom:content type='html'>\(escaped(paragraphs($0)))</atom:content></atom:entry>" })
    </atom:feed>
    """

  // MARK: - RDF and the rest

  private static func rdfItem(_ number: Int) -> String {
    """
    <item rdf:about="https://slash.example/s/\(number)">
    <title>Science \(number)</title>
    <link>https://slash.example/s/\(number)?utm=rss</link>
    <description>\(escaped(paragraphs(number)))</description>
    <dc:creator>msmash</dc:creator>
    <dc:date>2026-11-\(day(number))T12:00:00+00:00</dc:date>
    <dc:subject>science</dc:subject>
    <slash:comments>\(number)</slash:comments>
    </item>
    """
  }

  private static func rdfFeed(_ count: Int) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>

    <rdf:RDF
     xmlns="http://purl.org/rss/1.0/"
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
     xmlns:dc="http://purl.org/dc/elements/1.1/"
     xmlns:slash="http://purl.org/rss/1.0/modules/slash/"
    >

    <channel rdf:about="https://slash.example/">
    <title>Slash</title>
    <link>https://slash.example/</link>
    <description>News for nerds</description>
    <dc:language>en-us</dc:language>
    <dc:date>2026-11-20T12:00:00+00:00</dc:date>
    <items>
     <rdf:Seq>
    \(items(count) { "  <rdf:li rdf:resource=\"https://slash.example/s/\($0)\" />" })
     </rdf:Seq>
    </items>
    <image rdf:resource="https://slash.example/i.gif" />
    </channel>
    <image rdf:about="https://slash.example/i.gif">
    <title>Slash</title>
    <url>https://slash.example/i.gif</url>
    <link>https://slash.example/</link>
    </image>
    \(items(count, rdfItem))
    <textinput rdf:about="https://slash.example/search">
    <title>Search</title><description>Search it</description><name>q</name>
    <link>https://slash.example/search</link>
    </textinput>
    </rdf:RDF>
    """
  }

  private static let rdf: [(String, String)] = [
    ("RDF", rdfFeed(5)), ("RDF of two", rdfFeed(2)), ("RDF in CR LF", crlf(rdfFeed(3))),
  ]

  private static let forum = """
    <?xml version="1.0" encoding="UTF-8" ?>
    <rss version="2.0" xmlns:discourse="http://www.discourse.org/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel>
        <title>Forum</title><link>https://forum.example/latest</link><description>Latest</description>
    \(items(4) { """
          <item>
            <title>Topic \($0) &#8211; solved</title>
            <dc:creator><![CDATA[@user\($0)]]></dc:creator>
            <category>Help</category>
            <description><![CDATA[\(paragraphs($0))
              <pre><code>&lt;item&gt;&lt;title&gt;x&lt;/title&gt;&lt;/item&gt;</code></pre>]]></description>
            <link>https://forum.example/t/\($0)</link>
            <pubDate>Wed, 1\($0) Nov 2026 09:09:09 +0000</pubDate>
            <discourse:topicPinned>No</discourse:topicPinned>
            <guid isPermaLink="false">forum.example-topic-\($0)</guid>
            <source url="https://forum.example/t/\($0).rss">Topic \($0)</source>
          </item>
      """ })
      </channel>
    </rss>
    """

  private static let planet = """
    <?xml version="1.0"?>
    <feed xmlns="http://www.w3.org/2005/Atom"><title>Planet</title><id>urn:planet</id>
    <link rel="self" href="https://planet.example/atom.xml"/><updated>2026-11-20T00:00:00Z</updated>
    \(items(4) { """
      <entry><title type="html">Taken \($0)</title><link href="https://o.example/\($0)"/><id>urn:o:\($0)</id>
      <updated>2026-11-0\($0)T00:00:00Z</updated><content type="html">\(escaped(paragraphs($0)))</content>
      <author><name>Olga</name></author>
      <source><title type="html">Olga's blog</title><link rel="self" href="https://o.example/atom.xml"/>
      <id>urn:o</id><updated>2026-11-19T00:00:00Z</updated></source></entry>
      """ })
    </feed>
    """

  private static let tutorial = """
    <rss version="2.0"><channel><title>How to</title><link>https://how.example/</link>
    <description>Feeds explained</description>
    \(items(4) { """
      <item><title>Part \($0)</title><link>https://how.example/\($0)</link><guid>https://how.example/\($0)</guid>
      <description><![CDATA[<p>Write</p><item><title>a</title></item><p>and close it.</p>]]></description></item>
      """ })
    </channel></rss>
    """

  private static let odd: [(String, String)] = [
    ("forum", forum), ("planet", planet), ("tutorial", tutorial),
    ("long blog", blog(9)), ("short toots in CR LF", crlf(toots)), ("plain in CR LF", crlf(plain)),
  ]
}

import FetchSandbox
import FetchValues
import Testing

@Suite struct FeedFormatTests {
  @Test func `RSS 2.0 with the usual modules is read completely`() throws {
    let feed = try parse(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:content="http://purl.org/rss/1.0/modules/content/"
        xmlns:slash="http://purl.org/rss/1.0/modules/slash/"
        xmlns:media="http://search.yahoo.com/mrss/"
        xmlns:atom="http://www.w3.org/2005/Atom">
      <channel>
        <title>Morning &amp; Evening</title>
        <link>https://example.org/</link>
        <atom:link href="/feed.xml" rel="self"/>
        <description>All of it</description>
        <language>en-gb</language>
        <lastBuildDate>Fri, 20 Nov 2026 10:00:00 GMT</lastBuildDate>
        <ttl>15</ttl>
        <skipHours><hour>0</hour><hour>24</hour></skipHours>
        <image><url>/logo.png</url><title>no</title><link>no</link></image>
        <item>
          <title>First</title>
          <link>/news/1</link>
          <guid isPermaLink="false">tag:1</guid>
          <pubDate>Fri, 20 Nov 2026 11:00:00 +0100</pubDate>
          <dc:creator>Jane Doe</dc:creator>
          <category>World</category><category>World</category>
          <description>&lt;p&gt;Short&lt;/p&gt;</description>
          <content:encoded><![CDATA[<p>Long</p>]]></content:encoded>
          <enclosure url="/a.mp3" type="audio/mpeg" length="123"/>
          <comments>/news/1#comments</comments>
          <slash:comments>7</slash:comments>
          <media:thumbnail url="/t.jpg"/>
        </item>
      </channel></rss>
      """)
    #expect(feed.format == "rss2.0")
    #expect(feed.title == "Morning & Evening")
    #expect(feed.url == "https://example.org/")
    #expect(feed.feedURL == "https://example.org/feed.xml")
    #expect(feed.image == "https://example.org/logo.png")
    #expect(feed.ttl == 15)
    #expect(feed.skipHours == [0])
    #expect(feed.updated?.descriptionInSeconds == "2026-11-20T10:00:00Z")
    #expect(!feed.isRepaired)
    var item = FeedItem()
    item.id = "tag:1"
    item.title = "First"
    item.url = "https://example.org/news/1"
    item.published = Timestamp(rfc3339: "2026-11-20T10:00:00Z")
    item.authors = [FeedPerson(name: "Jane Doe")]
    item.tags = ["World"]
    item.summary = "<p>Short</p>"
    item.content = "<p>Long</p>"
    item.enclosures = [
      FeedEnclosure(url: "https://example.org/a.mp3", type: "audio/mpeg", length: 123)
    ]
    item.comments = "https://example.org/news/1#comments"
    item.commentsCount = 7
    item.thumbnail = "https://example.org/t.jpg"
    #expect(feed.items == [item])
  }

  @Test func `Atom 1.0 resolves links by xml:base and inherits its authors`() throws {
    let feed = try parse(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="/blog/" xml:lang="de">
        <title type="html">Blog &amp;lt;b&amp;gt; &lt;i&gt;one&lt;/i&gt;</title>
        <id>urn:feed</id>
        <author><name>Ann</name><email>ann@example.org</email></author>
        <link rel="alternate" href="."/>
        <entry xml:base="2026/">
          <id>urn:1</id>
          <title>Plain &lt;b&gt;</title>
          <link rel="enclosure" href="a.ogg" type="audio/ogg" length="5"/>
          <link href="one.html"/>
          <updated>2026-11-20T10:00:00.25+01:00</updated>
          <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A<br/>&lt;B</div></content>
        </entry>
      </feed>
      """)
    #expect(feed.format == "atom1.0")
    #expect(feed.title == "Blog <b> one")
    #expect(feed.url == "https://example.org/blog/")
    let item = try #require(feed.items.first)
    #expect(item.title == "Plain <b>")
    #expect(item.url == "https://example.org/blog/2026/one.html")
    #expect(item.authors == [FeedPerson(name: "Ann", email: "ann@example.org")])
    #expect(item.content == "A<br />&lt;B")
    #expect(item.updated?.description == "2026-11-20T09:00:00.250Z")
    #expect(item.language == "de")
    #expect(item.enclosures.first?.url == "https://example.org/blog/2026/a.ogg")
  }

  @Test func `RSS 1.0 has its items after the channel`() throws {
    let feed = try parse(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
        <channel rdf:about="https://example.org/"><title>T</title></channel>
        <item rdf:about="https://example.org/1"><title>One</title>
          <dc:date>2026-11-20</dc:date></item>
      </rdf:RDF>
      """)
    #expect(feed.format == "rss1.0")
    #expect(feed.items.map(\.id) == ["https://example.org/1"])
    #expect(feed.items.first?.url == "https://example.org/1")
    #expect(feed.items.first?.updated?.descriptionInSeconds == "2026-11-20T00:00:00Z")
  }

  @Test func `JSON Feed 1.1 is read, including numeric ids`() throws {
    let feed = try parse(
      """
      {"version": "https://jsonfeed.org/version/1.1", "title": "J", "home_page_url": "/",
       "authors": [{"name": "Ann"}],
       "items": [{"id": 5, "content_html": "<p>x</p>", "url": "/5", "tags": ["a", 1],
         "date_published": "2026-11-20T10:00:00Z",
         "attachments": [{"url": "/a.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 9}]}]}
      """)
    #expect(feed.format == "json1.1")
    let item = try #require(feed.items.first)
    #expect(item.id == "5")
    #expect(item.url == "https://example.org/5")
    #expect(item.tags == ["a"])
    #expect(item.authors == [FeedPerson(name: "Ann")])
    #expect(item.enclosures.first?.length == 9)
  }

  @Test(
    arguments: [
      ("1:02:03", 3723), ("62:03", 3723), ("3723", 3723), ("3723.5", 3723), ("0:62:03.999", 3723),
      ("1.x:02", nil), ("1.5:02", nil), ("2.x", nil), ("+5", nil), ("-0", nil), ("1::2", nil),
      ("1:2:3:4", nil), ("99999999999999999999", nil),
    ] as [(String, Int64?)]) func `a duration has digits only, and a fraction only at its end`(
      text: String, seconds: Int64?
    ) throws
  {
    let feed = try parse(
      """
      <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
      <item><title>E</title><itunes:duration>\(text)</itunes:duration></item></channel></rss>
      """)
    #expect(try #require(feed.items.first).duration == seconds)
  }

  @Test func `a podcast's own fields are read`() throws {
    let feed = try parse(
      """
      <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
      <itunes:image href="/cover.jpg"/>
      <item><title>E</title><itunes:duration>1:02:03</itunes:duration>
      <itunes:episode>4</itunes:episode><itunes:season>2</itunes:season>
      <itunes:explicit>clean</itunes:explicit><itunes:image href="/e.jpg"/></item>
      </channel></rss>
      """)
    let item = try #require(feed.items.first)
    #expect(item.duration == 3723)
    #expect(item.episode == 4)
    #expect(item.season == 2)
    #expect(item.isExplicit == false)
    #expect(item.image == "https://example.org/e.jpg")
    #expect(feed.image == "https://example.org/cover.jpg")
  }

  @Test func `relative links in content become absolute`() throws {
    let html = "<a href='/a?b&amp;c'>x</a><img src=\"i.png\"><a href=\"https://o.org/\">=</a>"
    let feed = try parse(
      rss("<item><description><![CDATA[\(html)<a href='#f'>]]></description></item>"),
      url: "https://example.org/d/feed.xml")
    #expect(
      feed.items.first?.summary
        == "<a href='https://example.org/a?b&amp;c'>x</a><img src=\"https://example.org/d/i.png\">"
        + "<a href=\"https://o.org/\">=</a><a href='#f'>")
  }

  @Test func `the id of an entry without id and link is a hash of its text`() throws {
    let feed = try parse(rss("<item><title>A</title></item><item><title>B</title></item>"))
    let ids = feed.items.compactMap(\.id)
    #expect(ids.count == 2)
    #expect(ids.allSatisfy { $0.hasPrefix("hash:") })
    #expect(ids[0] != ids[1])
    #expect(try parse(rss("<item><title>A</title></item>")).items.first?.id == ids[0])
  }

  @Test func `an entry without authors inherits its source's, then the feed's`() throws {
    let feed = try parse(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><author><name>Feed</name></author>
      <entry><id>1</id><source><author><name>Source</name></author><author><name>Other</name></author>
        <author><name>Source</name></author></source></entry>
      <entry><id>2</id><author><name>Own</name></author>
        <source><author><name>Source</name></author></source></entry>
      <entry><id>3</id><source><title>No author</title></source></entry></feed>
      """)
    let names = feed.items.map { $0.authors.map(\.name) }
    #expect(names == [["Source", "Other"], ["Own"], ["Feed"]])
  }

  @Test func `categories inside a list of categories are tags`() throws {
    let list = "<categories><category>A</category><category term=\"B\"/><x>no</x></categories>"
    let feed = try parse(rss("\(list)<item><title>T</title><category>C</category>\(list)</item>"))
    #expect(feed.tags == ["A", "B"])
    #expect(feed.items.first?.tags == ["C", "A", "B"])
  }

  @Test func `tags in JSON Feed may be one text separated by commas`() throws {
    let feed = try parse(
      """
      {"version": "https://jsonfeed.org/version/1", "items": [
        {"id": "1", "tags": " a, b c ,,a"}, {"id": "2", "tags": ""}, {"id": "3", "tags": 3}]}
      """)
    #expect(feed.items.map(\.tags) == [["a", "b c"], [], []])
  }

  @Test func `namespaces are recognised despite spaces, and otherwise by their prefixes`() throws {
    let feed = try parse(
      """
      <feed xmlns=" http://www.w3.org/2005/Atom " xmlns:d="\n http://purl.org/dc/elements/1.1/ "
        xmlns:media="https://example.org/misspelt"><entry><title>T</title><id>1</id>
        <d:creator>Jane</d:creator><media:thumbnail url="/t.jpg"/></entry></feed>
      """)
    #expect(feed.format == "atom1.0")
    #expect(!feed.isRepaired)
    #expect(feed.items.first?.authors == [FeedPerson(name: "Jane")])
    #expect(feed.items.first?.thumbnail == "https://example.org/t.jpg")
  }
}

import Foundation

/// A feed as a server sends it, in RSS 2.0 or Atom 1.0, with the elements that real generators
/// write.
struct FeedDocument {
  private(set) var bytes: [UInt8] = []
  private let isAtom: Bool
  /// Whether HTML is wrapped in CDATA, as some generators do. Other generators escape the HTML.
  private let usesCDATA: Bool

  init(_ feed: FarmFeed) {
    isAtom = feed.isAtom
    usesCDATA = feed.number % 4 != 0
    bytes.reserveCapacity(64_000)
    let site = "https://www.example.org/\(feed.number)"
    let date = FarmFeed.firstDate + feed.number * 61 + feed.itemCount * 5_400
    if isAtom {
      put(
        """
        <?xml version="1.0" encoding="utf-8"?>
        <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
          <title>Site \(feed.number)</title>
          <link rel="alternate" type="text/html" href="\(site)/"/>
          <link rel="self" type="application/atom+xml" href="\(site)/feed.atom"/>
          <id>tag:example.org,2026:\(feed.number)</id>
          <updated>\(Self.date(date, "%Y-%m-%dT%H:%M:%SZ"))</updated>
          <generator uri="https://generator.example/" version="4.1">Generator</generator>

        """)
    } else {
      put(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
          xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"
          xmlns:slash="http://purl.org/rss/1.0/modules/slash/">
        <channel>
          <title>Site \(feed.number)</title>
          <atom:link href="\(site)/feed/" rel="self" type="application/rss+xml"/>
          <link>\(site)/</link>
          <description>What is new at site \(feed.number)</description>
          <lastBuildDate>\(Self.date(date, "%a, %d %b %Y %H:%M:%S +0000"))</lastBuildDate>
          <language>en-GB</language>
          <ttl>60</ttl>

        """)
    }
  }

  /// Returns the whole feed, newest item first.
  static func whole(_ feed: FarmFeed, items: [FarmItem]) -> [UInt8] {
    var document = FeedDocument(feed)
    for item in items { document.append(item) }
    document.put(feed.isAtom ? "</feed>\n" : "</channel>\n</rss>\n")
    return document.bytes
  }

  mutating func append(_ item: FarmItem) {
    if isAtom { appendAtom(item) } else { appendRSS(item) }
  }

  private mutating func appendRSS(_ item: FarmItem) {
    put("  <item>\n    <title>")
    putEscaped(item.title)
    put("</title>\n    <link>")
    putEscaped(item.link)
    put("</link>\n    <dc:creator>")
    putHTML(item.author)
    put("</dc:creator>\n    <pubDate>")
    put(Self.date(item.date, "%a, %d %b %Y %H:%M:%S +0000"))
    put("</pubDate>\n")
    for category in item.categories {
      put("    <category>")
      putHTML(category)
      put("</category>\n")
    }
    put("    <guid isPermaLink=\"\(item.guid == item.link)\">")
    putEscaped(item.guid)
    put("</guid>\n    <description>")
    putHTML(item.summary)
    put("</description>\n")
    if !item.content.isEmpty {
      put("    <content:encoded>")
      putHTML(item.content)
      put("</content:encoded>\n    <slash:comments>\(item.date % 7)</slash:comments>\n")
    }
    put("  </item>\n")
  }

  private mutating func appendAtom(_ item: FarmItem) {
    put("  <entry>\n    <title type=\"text\">")
    putEscaped(item.title)
    put("</title>\n    <link rel=\"alternate\" type=\"text/html\" href=\"")
    putEscaped(item.link)
    put("\"/>\n    <id>")
    putEscaped(item.guid)
    put("</id>\n    <author><name>")
    putEscaped(item.author)
    put("</name></author>\n    <published>")
    put(Self.date(item.date, "%Y-%m-%dT%H:%M:%SZ"))
    put("</published>\n    <updated>")
    put(Self.date(item.date, "%Y-%m-%dT%H:%M:%SZ"))
    put("</updated>\n")
    for category in item.categories {
      put("    <category term=\"")
      putEscaped(category)
      put("\"/>\n")
    }
    put("    <summary type=\"html\">")
    putHTML(item.summary)
    put("</summary>\n")
    if !item.content.isEmpty {
      put("    <content type=\"html\">")
      putHTML(item.content)
      put("</content>\n")
    }
    put("  </entry>\n")
  }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func putHTML(_ text: [UInt8]) {
    guard usesCDATA else { return putEscaped(text) }
    put("<![CDATA[")
    bytes.append(contentsOf: text)
    put("]]>")
  }

  private mutating func putEscaped(_ text: [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): put("&amp;")
      case UInt8(ascii: "<"): put("&lt;")
      case UInt8(ascii: ">"): put("&gt;")
      case UInt8(ascii: "\""): put("&quot;")
      default: bytes.append(byte)
      }
    }
  }

  /// Formats a time by `strftime` in UTC. Foundation's formatters would take most of the farm's
  /// time.
  private static func date(_ seconds: Int, _ format: String) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let count = strftime(buffer.baseAddress, buffer.count, format, &parts)
      return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}

import FetchSandbox
import FetchValues
import Testing

/// Tests of input that is designed to be expensive or to crash the parser. Each case must end
/// within the time limit.
@Suite(.timeLimit(.minutes(1))) struct FeedHostileTests {
  private func lines(_ count: Int, _ line: (Int) -> String) -> String {
    (0..<count).map(line).joined()
  }

  @Test func `nested entities are not expanded without limit`() throws {
    let laughs =
      "<!DOCTYPE rss [<!ENTITY a0 \"ha\">"
      + lines(20) { "<!ENTITY a\($0 + 1) \"&a\($0);&a\($0);&a\($0);&a\($0);\">" } + "]>"
    let feed = try parse(laughs + rss("<item><title>&a20;</title></item>"))
    #expect((feed.items.first?.title?.utf8.count ?? 0) < 100)
  }

  @Test func `an entity that is used often adds at most the limit`() throws {
    let value = String(repeating: "x", count: 250)
    let text =
      "<!DOCTYPE rss [<!ENTITY a \"\(value)\">]>"
      + rss("<item><description>" + lines(50_000) { _ in "&a;" } + "</description></item>")
    let feed = try parse(text)
    #expect((feed.items.first?.summary?.utf8.count ?? 0) < text.utf8.count * 2)
  }

  @Test func `a hundred thousand attributes are cut off, and the feed is read`() throws {
    let tag = "<category " + lines(100_000) { "a\($0)=\"1\" " } + ">x</category>"
    let feed = try parse(rss("<item><title>T</title>\(tag)</item>"))
    #expect(feed.items.first?.title == "T")
  }

  @Test func `a hundred thousand levels are cut off`() throws {
    let deep = String(repeating: "<a>", count: 100_000)
    let feed = try parse(rss("<item><title>T</title>\(deep)</item>"))
    #expect(feed.items.first?.title == "T")
  }

  @Test(arguments: [
    "<!--", "<![CDATA[", "<?", "<!", "</", "<a", "<a b=\"", "&", "&#", "<!DOCTYPE a [", "]]>",
    "<a x='",
    "<item>", "<!ENTITY", "<b:c xmlns:b='u'>",
  ]) func `an element without an end costs linear time`(opening: String) throws {
    let text = rss("<item><title>T</title>" + String(repeating: opening, count: 50_000))
    _ = try? parse(text)
    _ = try? parse(String(repeating: opening, count: 50_000))
  }

  @Test func `any bytes give a feed or an error`() {
    var generator = SystemRandomNumberGenerator()
    let base = Array(
      rss("<item><title>T</title><link>/a</link><pubDate>Fri, 20 Nov 2026</pubDate></item>").utf8)
    for _ in 0..<2000 {
      var bytes = base
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
        }
      }
      _ = try? parse(bytes)
    }
  }

  @Test func `NUL bytes and invalid UTF-8 cause no crash, and the feed is read after them`() throws
  {
    let head = Array("<rss><channel><item><title>A".utf8)
    let bytes = head + [0, 0xFF, 0xE9, 0xC3] + Array("B</title></item></channel></rss>".utf8)
    let feed = try parse(bytes)
    #expect(feed.items.first?.title == "AÿéÃB")
  }

  @Test func `a text of many megabytes is read`() throws {
    let long = String(repeating: "lorem ipsum ", count: 300_000)
    let feed = try parse(rss("<item><title>T</title><description>\(long)</description></item>"))
    #expect((feed.items.first?.summary?.utf8.count ?? 0) > 3_500_000)
  }

  @Test func `a feed whose repaired text is too large is refused with the reason`() {
    let ampersands = String(repeating: "&", count: 13_500_000)  // Five bytes each when repaired.
    #expect(throws: LibraryError.refused("the repaired document is larger than 64 MiB")) {
      try parse("<rss><channel><title><![CDATA[\(ampersands)]]></title>")
    }
  }

  @Test(arguments: [
    "<div>", "<a b", "<p></span>", "<table><tr>", "<!--", "<script>", "&lt;<", "<a b=\"<\" ",
    "=\"<a\" ",
  ])
  func `an HTML page of one repeated piece costs linear time`(piece: String) throws {
    let page = String(repeating: piece, count: 50_000)
    let context = LibraryContext()
    _ = try? call(HTMLLibrary.functions, "html._parse", [.string(page)], in: context)
    _ = try call(HTMLLibrary.functions, "html.text", [.string(page)])
  }
}

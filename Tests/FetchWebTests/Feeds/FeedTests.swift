import FetchConfig
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchWeb

/// Tests of the feeds: their names, the access to them, their ETags and their content.
@Suite struct FeedTests {
  private func site(_ settings: WebSettings = WebSettings()) async throws -> TestSite {
    let site = try TestSite(settings)
    try await StoredRuns.add(1, to: site.store, job: "b/c", items: [("x", "X")])
    try await StoredRuns.add(2, to: site.store, job: "news", items: [("a", "A"), ("b", "B")])
    return site
  }

  private func open() async throws -> TestSite {
    var settings = WebSettings()
    settings.anonymous = [.feeds]
    return try await site(settings)
  }

  @Test func `a name has a job or all, and a known ending`() {
    #expect(FeedName("news.atom") == FeedName(job: "news", .atom))
    #expect(FeedName("all.json") == FeedName(job: nil, .jsonfeed))
    #expect(FeedName("x.rss.atom") == FeedName(job: "x.rss", .atom))
    #expect(FeedName("a\u{600}.rss")?.job == "a\u{600}")
    for text in ["", ".atom", "news", "news.ATOM", "news.xml", "news.atom.", "news.jsonl"] {
      #expect(FeedName(text) == nil, "\(text)")
    }
    for text in ["news.atom", "all.rss", "b/c.json"] { #expect(FeedName(text)?.text == text) }
  }

  @Test(arguments: [
    ("atom", "application/atom+xml; charset=utf-8", "<title>A</title>"),
    ("rss", "application/rss+xml; charset=utf-8", "<title>A</title>"),
    ("json", "application/feed+json; charset=utf-8", #""title":"A""#),
  ])
  func `each format has the newest items first`(
    ending: String, type: String, item: String
  ) async throws {
    let site = try await open()
    let answer = await site.answer("GET", "/feeds/all.\(ending)").complete
    #expect(answer.status == 200)
    #expect(answer.headers.first("Content-Type") == type)
    #expect(answer.headers.first("Cache-Control") == "private, max-age=300")
    #expect(answer.headers.first("Content-Security-Policy") == "default-src 'none'; sandbox")
    #expect(answer.text.contains(item))
    let one = await site.answer("GET", "/feeds/all.\(ending)?limit=1")
    #expect(one.text.contains(item) && one.text.count("urn:fetchrun:news:") == 1)
    let job = await site.answer("GET", "/feeds/b%2Fc.\(ending)")
    #expect(job.text.contains("urn:fetchrun:b%2Fc:x"))
    #expect(!job.text.contains("urn:fetchrun:news:"))
    if ending != "rss" {
      #expect(job.text.contains("http://localhost:7397/feeds/b%2Fc.\(ending)"))
    }
  }

  @Test func `a feed that has not changed is not sent again, whatever other jobs do`() async throws
  {
    let site = try await open()
    func tag(_ name: String, _ known: String? = nil) async -> (status: Int, tag: String) {
      let fields = known.map { [("If-None-Match", $0)] } ?? []
      let answer = await site.answer("GET", "/feeds/\(name)", fields)
      #expect(answer.status == 200 || answer.bytes?.isEmpty == true)
      return (answer.status, answer.headers.first("ETag") ?? "")
    }
    let atom = await tag("news.atom").tag
    #expect(atom == "\"3-atom\"")
    #expect(await tag("news.atom", atom) == (304, atom))
    #expect(await tag("news.atom", "W/\(atom), \"x\"") == (304, atom))
    #expect(await tag("news.rss", atom).status == 200)
    let all = await tag("all.atom").tag
    try await StoredRuns.add(3, to: site.store, job: "b/c", items: [("y", "Y")])
    for _ in 0..<2 { #expect(await tag("news.atom", atom) == (304, atom)) }
    #expect(await tag("all.atom", all).status == 200)
    #expect(await tag("b%2Fc.atom", atom).status == 200)
    // A removal changes a feed too.
    try await StoredRuns.add(4, to: site.store, job: "news", items: [("a", "A")], isWhole: true)
    let next = await tag("news.atom", atom)
    #expect(next.status == 200)
    #expect(await tag("news.atom", next.tag).status == 304)
    for wrong in ["\"9-atom\"", "\"-1-atom\"", "\"05-atom\"", "\"99999999999999999999-atom\"", "5"]
    {
      #expect(await tag("news.atom", wrong).status == 200, "\(wrong)")
    }
  }

  @Test func `a token in the address opens feeds and nothing else`() async throws {
    let site = try await site()
    let feed = try site.token("feed", [.feed])
    let all = try site.token("all")
    let read = try site.token("read", [.read])
    let some = try site.token("some", [.feed], jobs: ["b*"])
    #expect(await site.answer("GET", "/feeds/all.atom").status == 401)
    #expect(await site.answer("GET", "/feeds/all.atom?token=\(feed)").status == 200)
    #expect(await site.answer("GET", "/feeds/all.atom?token=\(all)").status == 200)
    #expect(await site.answer("GET", "/feeds/all.atom?token=\(read)").word == "missingScope")
    #expect(await site.answer("GET", "/feeds/all.atom?token=frt_x").status == 401)
    #expect(await site.answer("GET", "/api/v1/items?token=\(all)").status == 401)
    #expect(await site.answer("GET", "/feeds/news.atom?token=\(some)").word == "unknownJob")
    let own = await site.answer("GET", "/feeds/all.atom?token=\(some)")
    #expect(own.text.contains("urn:fetchrun:b%2Fc:x"))
    #expect(!own.text.contains("urn:fetchrun:news"))
    for name in ["all.atom", "nobody.atom", "all.xml"] {
      let answer = await site.answer("GET", "/feeds/\(name)?token=\(feed)&limit=9")
      #expect(!answer.text.contains(feed))
      #expect(answer.headers.fields.allSatisfy { !$0.value.contains(feed) })
    }
  }

  @Test(arguments: [
    ("nobody.atom", 404), ("all.xml", 404), ("all.atom?limit=0", 400), ("all.atom?limit=501", 400),
    ("all.atom?x=1", 400),
  ])
  func `a wrong address is refused`(name: String, status: Int) async throws {
    let site = try await open()
    #expect(await site.answer("GET", "/feeds/\(name)").status == status)
  }

  @Test func `hostile text stays text in each format`() async throws {
    let site = try await open()
    let text = "]]></title><script>x</script>\u{0}\u{B}\u{FFFE}&amp;\"'\r\n<!-- <![CDATA["
    try await StoredRuns.add(
      9, to: site.store, job: "h</title>", items: [(text, text)], content: text)
    for ending in ["atom", "rss"] {
      let xml = await site.answer("GET", "/feeds/all.\(ending)").text
      for part in ["<script", "<!--", "<![CDATA[", "\u{0}", "\u{B}", "\u{FFFE}"] {
        #expect(!xml.contains(part), "\(part) in \(ending)")
      }
      #expect(xml.count("</title>") == 5)
    }
    let json = await site.answer("GET", "/feeds/all.json").value
    let item = try #require(json["items"]?.arrayValue?.first)
    #expect(item["content_html"]?.stringValue == text)
  }

  @Test func `the page of a job names its feed`() {
    let html = SamplePages().all.first { $0.name.contains("job") }.map { page in
      String(decoding: page.html.bytes, as: UTF8.self)
    }
    #expect(
      html?.contains(#"<link rel="alternate" type="application/atom+xml" href="/feeds/"#) == true)
  }
}

extension String {
  fileprivate func count(_ part: String) -> Int { ranges(of: part).count }
}

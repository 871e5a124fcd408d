import FetchHost
import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchEngine

/// Tests of the hints in feeds about when to check again, from the document to the next due time.
@Suite struct HintTests {
  let bench: ServiceBench

  init() throws { bench = try ServiceBench(inMemory: true) }

  private func minutes(_ count: Int) -> Duration { .seconds(count * 60) }

  private static func feed(_ elements: String) -> String {
    "<rss version=\"2.0\"><channel><title>t</title>\(elements)"
      + "<item><guid>1</guid><title>One</title></item></channel></rss>"
  }

  @Test func `a ttl lengthens the interval until a feed has none, also after a restart`()
    async throws
  {
    bench.site.at("h1/a") { count in
      switch count {
      case 1: Site.Answer(headers: ["ETag: \"1\""], body: Self.feed("<ttl>120</ttl>"))
      case 2: Site.Answer(status: 304, headers: ["ETag: \"1\""], body: "")
      case 3: Site.Answer(headers: ["ETag: \"2\""], body: Self.feed("<ttl>120</ttl>"))
      default: Site.Answer(headers: ["ETag: \"3\""], body: Self.feed(""))
      }
    }
    let yaml = "jobs: [{name: a, plugin: rss, options: {url: \"{h1}/a\"}, interval: 30m}]"
    let first = try await bench.serve(yaml)
    await first.pass(minutes(1))
    #expect(
      first.waitReason("a")?.sentence(now: bench.now)
        == "it is due at 2026-11-20T02:00:00Z (in 1h59m) because of the feed's ttl")
    let said = first.service.jobs.look { scheduler in
      scheduler.number(of: "a").map { scheduler.explain($0, now: bench.now) } ?? []
    }
    #expect(said.last == "Feed hints: ttl 2h.")
    try await first.stop()
    let second = try await bench.serve(yaml)
    await second.pass(minutes(7 * 60 - 1))
    // A 304 and an unchanged body keep the hints. The last answer has no hint.
    #expect(second.starts("a") == [120, 240, 360, 390, 420].map(minutes))
    let reasons = second.records.map(\.outcome.reason)
    #expect(reasons == [.notModified, .sameBody, .sameItems, .sameBody, .sameBody])
    #expect(second.schedule("a")?.feedHints.isEmpty == true)
    try await second.stop()
  }

  @Test func `days and hours that the feed excludes are skipped`() async throws {
    // The bench begins on a Friday at 0:00.
    bench.site.at("h1/a") { _ in
      Site.Answer(
        body: Self.feed(
          "<skipHours><hour>1</hour><hour>2</hour></skipHours>"
            + "<skipDays><day>Saturday</day></skipDays>"))
    }
    let open = try await bench.serve(
      "jobs: [{name: a, plugin: rss, options: {url: \"{h1}/a\"}, interval: 1h}]")
    await open.pass(minutes(49 * 60))
    // A hint delays a run by at most a day, and the next delay counts from that run.
    let hours = [0] + Array(3...23) + [47, 48]
    #expect(open.starts("a") == hours.map { minutes($0 * 60) })
    try await open.stop()
  }

  // MARK: Adaptive

  private func adaptive(_ elements: String) async throws -> (String?, [String]) {
    bench.site.at("h1/a") { _ in Site.Answer(body: Self.feed(elements)) }
    let open = try await bench.serve(
      "jobs: [{name: a, plugin: rss, options: {url: \"{h1}/a\"}}]")
    await open.pass(.zero)
    let now = bench.now
    let why = open.waitReason("a")?.sentence(now: now)
    let control = open.service.control(reload: { .done })
    let lines = Lines()
    _ = await control.answer(.explain(job: "a")) { lines.append($0) }
    try await open.stop()
    return (why, lines.all.compactMap { $0["sentence"]?.stringValue })
  }

  @Test func `adaptive jobs respect a ttl`() async throws {
    let (why, explained) = try await adaptive("<ttl>60</ttl>")
    #expect(
      why == "it is due at 2026-11-20T01:00:00Z (in 1h) because of the feed's ttl")
    #expect(
      explained.contains {
        $0.hasPrefix(
          "It is checked about every 60 minutes, as its feed asks. Without the hints of its feed, it"
            + " would be checked about every ")
      }, "\(explained)")
  }

  @Test func `explain shows how a ttl moved the time of the learned schedule`() async throws {
    bench.site.at("h1/a") { _ in Site.Answer(body: Self.feed("<ttl>60</ttl>")) }
    let open = try await bench.serve("jobs: [{name: a, plugin: rss, options: {url: \"{h1}/a\"}}]")
    await open.pass(.zero)
    let control = open.service.control(reload: { .done })
    let lines = Lines()
    _ = await control.answer(.explain(job: "a")) { lines.append($0) }
    let reasons = try #require(open.schedule("a")?.dueTime?.reasons)
    #expect(reasons.map(\.reason) == [.adaptive, .hint(.ttl)])
    let learned = try #require(reasons.first?.at)
    #expect(learned < reasons[1].at)
    let line = try #require(lines.all.compactMap { ExplainLine($0) }.first)
    #expect(line.dueReasons?.map(\.reason) == ["adaptive", "ttl"])
    let time = learned.descriptionInSeconds.dropFirst("2026-11-20T".count).dropLast()
    #expect(
      lines.all.contains {
        $0["sentence"]?.stringValue
          == "Due at 2026-11-20T01:00:00Z: the learned schedule gave \(time), the feed's ttl moved"
          + " it to 01:00:00."
      })
    // The reasons survive a restart.
    try await open.stop()
    let again = try await bench.serve(
      "jobs: [{name: a, plugin: rss, options: {url: \"{h1}/a\"}}]")
    #expect(again.schedule("a")?.dueTime?.reasons.map(\.reason) == [.adaptive, .hint(.ttl)])
    try await again.stop()
  }

  @Test func `adaptive jobs ignore a ttl that the feed's own items contradict`()
    async throws
  {
    let items = (0..<60).map { minute in
      "<item><guid>m\(minute)</guid><pubDate>Thu, 19 Nov 2026 22:\(10 + minute / 2):00 GMT"
        + "</pubDate></item>"
    }
    let (why, explained) = try await adaptive("<ttl>600</ttl>" + items.joined())
    #expect(why?.hasSuffix("by its learned schedule") == true, "\(why ?? "")")
    #expect(explained.contains("Feed hints: ttl 10h."))
    #expect(
      explained.contains {
        $0.hasSuffix(
          "items a day (learned after 1 run). Hints of its feed that ask for far "
            + "fewer checks are ignored.")
      })
  }

  // MARK: Several answers

  private func fact(_ kind: String) -> HTTPFact {
    var fact = HTTPFact(url: "", hostname: "h", status: 200)
    fact.notModified = kind == "304"
    fact.sameBody = kind == "same"
    return fact
  }

  private func hints(ttl: Int?) -> FeedHints {
    var hints = FeedHints()
    hints.ttl = ttl.map { .seconds($0) }
    return hints
  }

  @Test(
    arguments: [
      // No feed was read, so the old hints apply.
      ([], nil, 60, 60), (["304"], nil, 60, 60), (["same", "304"], nil, 60, 60),
      // All feeds were read, so the new hints apply.
      (["200"], nil, 60, nil), (["200"], 90, 60, 90), (["200", "200"], 30, 60, 30),
      // A read of a file is not an answer of a server.
      ([], 90, 60, 90),
      // Some feeds were read, so the hint that causes the fewest requests applies.
      (["200", "304"], 90, 60, 60), (["same", "200"], 30, 60, 30), (["304", "200"], nil, 60, nil),
      (["304", "200"], 90, nil, nil),
    ] as [([String], Int?, Int?, Int?)])
  func `earlier hints apply to feeds that were not read again`(
    answers: [String], said: Int?, before: Int?, after: Int?
  ) {
    var facts = RunFacts(answers: answers.map(fact))
    facts.feedHints = hints(ttl: said)
    #expect(facts.feedHints(after: hints(ttl: before)) == hints(ttl: after))
  }
}

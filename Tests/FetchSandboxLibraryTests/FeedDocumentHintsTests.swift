import FetchModel
import FetchSandbox
import FetchValues
import Testing

/// Tests of a feed's hints about when to fetch the feed again.
@Suite struct FeedDocumentHintsTests {
  private func hints(_ elements: String) throws -> FeedHints { try parse(rss(elements)).hints }

  private static let syndication =
    "<rss version=\"2.0\" xmlns:sy=\"http://purl.org/rss/1.0/modules/syndication/\"><channel>"

  private func syndicated(_ elements: String) throws -> FeedHints {
    try parse(Self.syndication + elements + "</channel></rss>").hints
  }

  @Test func `a feed without hints has none`() throws {
    #expect(try hints("<item><title>a</title></item>").isEmpty)
    let atom = try parse("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title></feed>")
    #expect(atom.hints.isEmpty)
    let json = try parse(#"{"version":"https://jsonfeed.org/version/1.1","items":[]}"#)
    #expect(json.hints.isEmpty)
  }

  @Test(
    arguments: [
      ("60", 3600), (" 15\n", 900), ("0", nil), ("-5", nil), ("soon", nil), ("1e3", nil),
      ("9223372036854775807", 366 * 86_400), ("9999999999999999999999", nil),
    ] as [(String, Int?)])
  func `ttl is in minutes`(text: String, seconds: Int?) throws {
    #expect(try hints("<ttl>\(text)</ttl>").ttl == seconds.map { .seconds($0) })
  }

  @Test func `skipHours and skipDays are read as sets`() throws {
    let said = try hints(
      """
      <skipHours><hour>0</hour><hour>24</hour><hour>3</hour><hour>25</hour><hour>x</hour>\
      </skipHours><skipDays><day>Sunday</day><day>saturday</day><day>Sunny</day></skipDays>
      """)
    #expect(said.skipHours == 0b1001)
    #expect(said.skipDays == 0b100_0001)
    let all = (0..<24).map { "<hour>\($0)</hour>" }.joined()
    #expect(try hints("<skipHours>\(all)</skipHours>").isEmpty)
  }

  @Test(
    arguments: [
      ("<sy:updatePeriod>hourly</sy:updatePeriod>", 3600),
      (
        "<sy:updatePeriod> Daily </sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>",
        6 * 3600
      ),
      ("<sy:updateFrequency>2</sy:updateFrequency>", 12 * 3600),
      ("<sy:updatePeriod>weekly</sy:updatePeriod>", 7 * 86_400),
      ("<sy:updatePeriod>monthly</sy:updatePeriod>", 30 * 86_400),
      ("<sy:updatePeriod>yearly</sy:updatePeriod>", 365 * 86_400),
      (
        "<sy:updatePeriod>hourly</sy:updatePeriod>"
          + "<sy:updateFrequency>9223372036854775807</sy:updateFrequency>", 1
      ),
      (
        "<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>", nil
      ),
      (
        "<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>-1</sy:updateFrequency>", nil
      ),
      ("<sy:updatePeriod>often</sy:updatePeriod>", nil),
      ("<sy:updateBase>2000-01-01T12:00+00:00</sy:updateBase>", nil),
    ] as [(String, Int?)])
  func `the update frequency divides the period`(elements: String, seconds: Int?) throws {
    let hints = try syndicated(elements)
    #expect(hints.updatePeriod == seconds.map { .seconds($0) })
    #expect(hints.isEmpty == (seconds == nil))
  }

  @Test func `RSS 1.0 counts its updates from a base time`() throws {
    let feed = try parse(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns="http://purl.org/rss/1.0/" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
      <channel rdf:about="http://example.org/"><title>t</title>
        <sy:updatePeriod>hourly</sy:updatePeriod>
        <sy:updateFrequency>2</sy:updateFrequency>
        <sy:updateBase>2000-01-01T12:10+00:00</sy:updateBase>
      </channel></rdf:RDF>
      """)
    #expect(feed.updateBase?.descriptionInSeconds == "2000-01-01T12:10:00Z")
    var expected = FeedHints()
    expected.setUpdates(every: .seconds(1800), from: feed.updateBase)
    #expect(feed.hints == expected)
  }

  // MARK: A run

  private func read(_ bodies: [Value]) throws -> FeedHints {
    let context = LibraryContext()
    for body in bodies { _ = try call(FeedLibrary.functions, "feed.parse", [body], in: context) }
    return context.feedHints
  }

  private func body(_ elements: String) -> Value { .string(rss(elements)) }

  @Test func `a run with several feeds keeps the hints that allow the earliest check`() throws {
    let hour = body("<ttl>60</ttl><skipDays><day>Sunday</day></skipDays>")
    let day = body("<ttl>1440</ttl>")
    #expect(try read([]).isEmpty)
    #expect(try read([hour]).skipDays == 1)
    var least = FeedHints()
    least.ttl = .seconds(3600)
    #expect(try read([hour, day]) == least)
    #expect(try read([day, hour, day]) == least)
    #expect(try read([hour, body(""), hour]).isEmpty)
  }

  @Test func `an answer without a feed gives no hints`() throws {
    let hour = body("<ttl>60</ttl>")
    let answers: [Value] = [
      ["status": 304, "not_modified": true, "same_body": false, "body": ""],
      ["status": 200, "not_modified": false, "same_body": true, "body": .string(rss(""))],
    ]
    #expect(try read([hour] + answers).ttl == .seconds(3600))
    let context = LibraryContext()
    #expect(throws: LibraryError.self) {
      try call(FeedLibrary.functions, "feed.parse", ["<html></html>"], in: context)
    }
    #expect(context.feedHints.isEmpty)
  }
}

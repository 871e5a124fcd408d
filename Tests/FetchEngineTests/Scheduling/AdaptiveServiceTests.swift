import FetchEngine
import FetchModel
import FetchStore
import FetchTestSupport
import Testing

/// `interval: adaptive` over virtual days, with real runs against a server, over a restart.
@Suite(.timeLimit(.minutes(1))) struct AdaptiveServiceTests {
  let bench: ServiceBench

  init() throws { bench = try ServiceBench() }

  private static let yaml = """
    budget: {requests: 10/h}
    jobs:
      - {name: busy, plugin: rss, options: {url: "{h1}/busy"}, interval: adaptive}
      - {name: daily, plugin: rss, options: {url: "{h2}/daily"}, interval: adaptive}
      - {name: still, plugin: rss, options: {url: "{h3}/still"}, interval: adaptive}
    """

  /// An item for each `period` until now, the newest thirty, the first five days before the start.
  private func publish(at place: String, every period: Duration) {
    let (clock, begin) = (bench.clock, ServiceBench.startAt + .seconds(-5 * 86_400))
    bench.site.at(place) { _ in
      let now = ServiceBench.startAt + clock.now.offset
      let count = Int((now - begin) / period)
      let entries = (max(0, count - 30)...count).map { number in
        "<entry><id>\(place)/\(number)</id><title>t</title>"
          + "<updated>\(begin + period * number)</updated></entry>"
      }
      let body =
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title><id>x</id>"
        + entries.joined() + "</feed>"
      return Site.Answer(body: body)
    }
  }

  @Test func `who publishes more is asked more often, within the budget, over a restart too`()
    async throws
  {
    publish(at: "h1/busy", every: .seconds(1800))
    publish(at: "h2/daily", every: .seconds(86_400))
    publish(at: "h3/still", every: .seconds(10_000 * 86_400))
    let first = try await bench.serve(Self.yaml)
    await first.pass(.seconds(4 * 86_400))
    try await first.stop()
    let asked = ["busy", "daily", "still"].map { first.starts($0).count }
    #expect(asked[0] > 2 * asked[1] && asked[1] > asked[2], "\(asked)")
    // Nobody is left alone for longer than a day.
    #expect(asked[2] >= 4, "\(asked)")
    let requestsMax = 4 * 24 * 10 + 1
    #expect(asked.reduce(0, +) <= requestsMax, "\(asked)")

    let second = try await bench.serve(Self.yaml)
    await second.pass(.seconds(2 * 86_400))
    let later = ["busy", "daily", "still"].map { second.starts($0).count }
    #expect(later[0] > 2 * later[1] && later[1] >= later[2], "\(later)")
    // What was learned is not learned anew: the pace of the first days goes on.
    #expect(abs(later[0] - asked[0] / 2) <= asked[0] / 4, "\(asked) \(later)")
    try await second.stop()
    // All that was published is there.
    let items = try StoreReader(at: bench.storePath).items(ItemQuery(job: "busy"))
    let published = 6 * 48 + 28
    #expect(items.count >= published)
  }
}

import FetchEngine
import FetchModel
import FetchSchedule
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Testing

/// Tests of a hostname's cooldown, which also delays jobs that contact this hostname in addition to
/// their own hostname.
@Suite(.timeLimit(.minutes(5))) struct CooldownRunTests {
  let bench: ServiceBench

  init() throws {
    bench = try ServiceBench()
    let site = bench.site
    site.at("h2/own") { $0 == 1 ? .init(status: 429, headers: ["Retry-After: 3600"]) : .init() }
    try bench.write(
      "both.lua",
      bench.addressed(
        """
        local http, feed = require "http", require "feed"
        return {
          api = 1, name = "both", version = "1.0.0", permissions = { http = { "*.localhost:*" } },
          options = { url = { type = "url", required = true } },
          fetch = function(ctx)
            local first = assert(http.get(ctx.options.url))
            local second, problem = http.get("{h2}/more")
            if not second then return nil, problem end
            return feed.parse(first)
          end,
        }
        """))
  }

  private static let until = ServiceBench.startAt + .seconds(3600)
  private static let message =
    "no requests are sent to h2.localhost until \(until), because of an earlier answer"

  private static let jobs = """
    lanes: {"*": {gap: 0s}}
    jobs:
      - {name: own, plugin: rss, options: {url: "{h2}/own"}, interval: 1d}
      - {name: both, plugin: ./both.lua, options: {url: "{h1}/a"}, interval: 10m, catch_up: none}
    """

  @Test
  func `a job that contacts a hostname in a cooldown waits as long as the hostname's own job`()
    async throws
  {
    bench.site.hold("h1/a")
    let open = try await bench.serve(Self.jobs)
    while open.records.isEmpty { await Task.yield() }
    bench.site.free("h1/a")
    await open.untilQuiet()
    #expect(open.records.first { $0.job == "both" }?.outcome.failure?.message == Self.message)
    #expect(!bench.site.asked.contains("h2/more"))
    #expect(open.schedule("both")?.dueAt == Self.until)
    await open.pass(.seconds(3600))
    #expect(bench.site.asked.contains("h2/more"))
    #expect(open.records.last { $0.job == "both" }?.outcome.counts.added == 1)
    try await open.stop()
  }

  @Test func `the cooldown persists over a restart`() async throws {
    let first = try await bench.serve(
      "jobs: [{name: own, plugin: rss, options: {url: \"{h2}/own\"}, interval: 1d}]")
    await first.untilQuiet()
    try await first.stop()
    let second = try await bench.serve(Self.jobs)
    await second.untilQuiet()
    #expect(second.records.map(\.outcome.failure?.message) == [Self.message])
    #expect(bench.site.asked == ["h2/own", "h1/a"])
    try await second.stop()
  }
}

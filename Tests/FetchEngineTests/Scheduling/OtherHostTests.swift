import FetchEngine
import FetchModel
import FetchStore
import FetchTestSupport
import Testing

/// What another hostname than the job's own answers is not said of the job's source.
@Suite(.timeLimit(.minutes(1))) struct OtherHostTests {
  let bench: ServiceBench

  init() throws {
    bench = try ServiceBench()
    try bench.write(
      "both.lua",
      bench.addressed(
        """
        local http = require "http"
        return {
          api = 1, name = "both", version = "1.0.0", permissions = { http = { "*.localhost" } },
          options = { url = { type = "url", required = true } },
          fetch = function(ctx)
            assert(http.get(ctx.options.url))
            return nil, "answered " .. http.get("{h2}/more").status
          end,
        }
        """))
  }

  private static let jobs = """
    jobs:
      - {name: both, plugin: ./both.lua, options: {url: "{h1}/a"}, interval: 10m}
    """

  @Test func `a page that is gone there pauses nothing`() async throws {
    bench.site.at("h2/more") { _ in .init(status: 410) }
    let open = try await bench.serve(Self.jobs)
    await open.untilQuiet()
    #expect(open.records.first?.outcome.failure?.message == "answered 410")
    #expect(open.schedule("both")?.pausedAt == nil)
    #expect(open.schedule("both")?.dueReason == .backOff(1))
    try await open.stop()
  }

  @Test func `too many requests there close its lane, not the job's own`() async throws {
    bench.site.at("h2/more") { _ in .init(status: 429) }
    let open = try await bench.serve(Self.jobs)
    await open.untilQuiet()
    let now = bench.now
    let (own, other) = open.service.jobs.look {
      ($0.closedUntil("h1.localhost", now: now), $0.closedUntil("h2.localhost", now: now))
    }
    #expect(own == nil && other == now + .seconds(600))
    try await open.stop()
  }

  @Test func `what a redirect leads to is the job's own`() async throws {
    let port = bench.site.port
    bench.site.at("h1/a") { _ in
      .init(status: 302, headers: ["Location: http://h3.localhost:\(port)/gone"], body: "")
    }
    bench.site.at("h3/gone") { _ in .init(status: 410) }
    let open = try await bench.open(
      "jobs: [{name: a, plugin: rss, options: {url: \"{h1}/a\"}, hosts: [h3.localhost]}]")
    open.begin(until: .stopped)
    await open.untilQuiet()
    #expect(open.schedule("a")?.pauseCause == .gone)
    try await open.stop()
  }
}

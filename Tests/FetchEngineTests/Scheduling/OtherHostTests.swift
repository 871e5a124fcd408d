import FetchEngine
import FetchModel
import FetchSchedule
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Testing

/// Tests that the answers of another hostname do not count for the job's own source.
@Suite(.timeLimit(.minutes(5))) struct OtherHostTests {
  let bench: ServiceBench

  init() throws {
    bench = try ServiceBench()
    try bench.write(
      "both.lua",
      bench.addressed(
        """
        local http = require "http"
        return {
          api = 1, name = "both", version = "1.0.0", permissions = { http = { "*.localhost:*" } },
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

  @Test func `a 410 of another hostname does not pause the job`() async throws {
    bench.site.at("h2/more") { _ in .init(status: 410) }
    let open = try await bench.serve(Self.jobs)
    await open.untilQuiet()
    #expect(open.records.first?.outcome.failure?.message == "answered 410")
    #expect(open.schedule("both")?.pausedAt == nil)
    #expect(open.schedule("both")?.dueReason == .backOff(1))
    try await open.stop()
  }

  @Test func `too many requests to another hostname close its lane, not the job's own`()
    async throws
  {
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

  @Test func `a Retry-After of another hostname closes its lane no longer than it says`()
    async throws
  {
    bench.site.at("h2/more") { _ in .init(status: 429, headers: ["Retry-After: 60"]) }
    let open = try await bench.serve(Self.jobs)
    await open.untilQuiet()
    let now = bench.now
    #expect(
      open.service.jobs.look { $0.closedUntil("h2.localhost", now: now) } == now + .seconds(60))
    try await open.stop()
  }

  @Test func `a good answer of another hostname ends a series of 403`() async throws {
    bench.site.at("h2/more") { .init(status: $0 == 5 ? 200 : 403) }
    let open = try await bench.serve("lanes: {\"*\": {gap: 0s}}\n" + Self.jobs)
    await open.untilQuiet()
    for _ in 2...9 {
      _ = open.service.jobs.trigger("both", .manual, now: bench.now)
      open.service.loop.poke()
      await open.untilQuiet()
    }
    let now = bench.now
    #expect(open.records.count == 9)
    #expect(open.service.jobs.look { $0.closedUntil("h2.localhost", now: now) } == nil)
    _ = open.service.jobs.trigger("both", .manual, now: bench.now)
    open.service.loop.poke()
    await open.untilQuiet()
    let until = open.service.jobs.look { $0.closedUntil("h2.localhost", now: now) }
    #expect(until == now + .seconds(600))
    try await open.stop()
  }

  @Test(arguments: [#""*.localhost:*""#, #""h1.localhost:*", "h2.localhost:*""#])
  func `a 404 pauses a job that contacts no other hostname`(hosts: String) async throws {
    try bench.write(
      "only.lua",
      bench.addressed(
        """
        local http = require "http"
        return {
          api = 1, name = "only", version = "1.0.0", permissions = { http = { \(hosts) } },
          fetch = function(ctx) return nil, "answered " .. http.get("{h2}/gone").status end,
        }
        """))
    bench.site.at("h2/gone") { _ in .init(status: 410) }
    let open = try await bench.serve("jobs: [{name: only, plugin: ./only.lua, interval: 10m}]")
    await open.untilQuiet()
    #expect(open.records.first?.outcome.failure?.message == "answered 410")
    #expect(open.schedule("only")?.pauseCause == .gone)
    try await open.stop()
  }

  @Test func `the target of a redirect counts as the job's own`() async throws {
    let port = bench.site.port
    bench.site.at("h1/a") { _ in
      .init(status: 302, headers: ["Location: http://h3.localhost:\(port)/gone"], body: "")
    }
    bench.site.at("h3/gone") { _ in .init(status: 410) }
    let open = try await bench.open(
      "jobs: [{name: a, plugin: rss, options: {url: \"{h1}/a\"}, hosts: [\"h3.localhost:*\"]}]")
    open.begin(until: .stopped)
    await open.untilQuiet()
    #expect(open.schedule("a")?.pauseCause == .gone)
    try await open.stop()
  }
}

import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Runs that wait for their turn at a hostname: their window stands still, and people are told.
@Suite(.timeLimit(.minutes(1))) struct TurnWaitTests {
  let bench: ServiceBench

  init() throws {
    bench = try ServiceBench(inMemory: true)
    try bench.write(
      "pages.lua",
      """
      local http = require "http"
      return {
        api = 1, name = "pages", version = "1.0.0", permissions = { http = { "{options.url}" } },
        options = { url = { type = "url", required = true } },
        fetch = function(ctx)
          for page = 1, 4 do assert(http.get(ctx.options.url .. page)) end
        end,
      }
      """)
  }

  private static let jobs = """
    lanes: {"*": {gap: 1m}}
    jobs: [{name: pages, plugin: ./pages.lua, options: {url: "{h1}/"}, interval: 10m}]
    """

  private func said(_ request: ControlRequest, _ open: OpenService) async -> [Value] {
    let lines = Mutex<[Value]>([])
    _ = await open.service.control(reload: { .done }).answer(request) { line in
      lines.withLock { $0.append(line) }
    }
    return lines.withLock { $0 }
  }

  @Test func `a run may ask for more pages than fit its window, and says what it waits for`()
    async throws
  {
    let open = try await bench.serve(Self.jobs)
    for page in 2...4 {
      await bench.site.wait(for: "h1/\(page - 1)", count: 1)
      let turnAt = Duration.seconds(60 * (page - 1))
      _ = try await bench.clock.waitForSleeper(notAfter: turnAt)
      let since = (bench.now).descriptionInSeconds
      bench.clock.advance(by: .seconds(20))
      let sentences = await said(.explain(job: "pages"), open)
      #expect(
        sentences.dropFirst().first?["sentence"]?.stringValue
          == "Its run waits for its turn at h1.localhost since \(since): other requests come first, or"
          + " the gap of the lane is not over. That time does not count against its window, up to its"
          + " limit waiting.")
      let status = await said(.status(job: "pages"), open)
      #expect(
        status.first?["why"]?.stringValue
          == "it is running since 2026-11-20T00:00:00Z, and waits for its turn at h1.localhost since"
          + " \(since)")
      bench.clock.advance(by: .seconds(40))
    }
    while open.records.isEmpty { await Task.yield() }
    #expect(open.records.first?.outcome.failure == nil)
    #expect(
      await said(.explain(job: "pages"), open).allSatisfy {
        $0["sentence"]?.stringValue?.contains("waits for its turn") != true
      })
    try await open.stop()
  }
}

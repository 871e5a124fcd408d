import FetchEngine
import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of runs that wait for a turn or an answer of a hostname, or for a worker. The wait is
/// reported, and a wait for a turn suspends the run's window.
@Suite(.timeLimit(.minutes(5))) struct TurnWaitTests {
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

  @Test
  func `a run may request more pages than its window allows with the gaps, and reports its wait`()
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
          == "Its run has been waiting for its turn at h1.localhost for 20s: other requests come first,"
          + " or the gap of the lane is not over."
          + " The waiting time does not count against the"
          + " run's window, up to the run's limit `waiting`.")
      let status = await said(.status(job: "pages"), open)
      #expect(
        status.first?["why"]?.stringValue
          == "it has been running since 2026-11-20T00:00:00Z; waiting for its turn at h1.localhost for 20s"
      )
      #expect(
        status.first?["waiting"]
          == ["for": "lane", "hostname": "h1.localhost", "since": .string(since)])
      bench.clock.advance(by: .seconds(40))
    }
    while open.records.isEmpty { await Task.yield() }
    #expect(open.records.first?.outcome.failure == nil)
    #expect(
      await said(.explain(job: "pages"), open).allSatisfy {
        $0["sentence"]?.stringValue?.contains("waiting for its turn") != true
      })
    try await open.stop()
  }

  @Test func `a run that waits at a closed hostname reports until when it is closed`()
    async throws
  {
    let open = try await bench.serve(Self.jobs)
    await bench.site.wait(for: "h1/1", count: 1)
    _ = try await bench.clock.waitForSleeper(notAfter: .seconds(60))
    let note = RetryAfterNote(
      origin: "http://h1.localhost", hostname: "h1.localhost", status: 429,
      until: bench.now + .seconds(50))
    open.service.jobs.close(note, now: bench.now)
    bench.clock.advance(by: .seconds(20))
    let status = await said(.status(job: "pages"), open)
    #expect(
      status.first?["why"]?.stringValue
        == "it has been running since 2026-11-20T00:00:00Z; waiting for 20s because h1.localhost"
        + " gets no requests until 2026-11-20T00:00:50Z")
    open.cancel()
    try await open.stop()
  }

  @Test func `a run reports which hostname it waits for, or that all workers are busy`()
    async throws
  {
    let bench = try ServiceBench(workersMax: 1)
    bench.site.hold("h1/a")
    defer { bench.site.free("h1/a") }
    try bench.write(
      "other.lua",
      """
      return {
        api = 1, name = "other", version = "1.0.0",
        fetch = function() return { { id = "1", title = "One" } } end,
      }
      """)
    let open = try await bench.serve(
      """
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1h}
        - {name: b, plugin: ./other.lua, interval: never}
      """)
    await bench.site.wait(for: "h1/a", count: 1)
    _ = await said(.run(.named(["b"]), skipsInterval: true), open)
    while await said(.status(job: "b"), open).first?["waiting"] == .null { await Task.yield() }
    bench.clock.advance(by: .seconds(8))
    let answering = await said(.status(job: "a"), open)
    #expect(
      answering.first?["why"]?.stringValue
        == "it has been running since 2026-11-20T00:00:00Z; waiting for an answer from h1.localhost for 8s"
    )
    #expect(answering.first?["waiting"]?["for"]?.stringValue == "answer")
    let queued = await said(.explain(job: "b"), open)
    #expect(
      queued.dropFirst().first?["sentence"]?.stringValue
        == "Its run has been waiting for a worker for 8s (1 of 1 is busy).")
    #expect(
      queued.dropFirst().first?["waiting"]
        == ["for": "worker", "hostname": .null, "since": "2026-11-20T00:00:00Z"])
    bench.site.free("h1/a")
    while open.records.count < 2 { await Task.yield() }
    #expect(open.records.allSatisfy { $0.outcome.failure == nil })
    #expect(await said(.status(job: "b"), open).first?["waiting"] == .null)
    try await open.stop()
  }
}

import FetchEngine
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of the metrics that a daemon counts.
@Suite(.timeLimit(.minutes(5))) struct DaemonMetricsTests {
  let bench: ServiceBench

  init() throws {
    bench = try ServiceBench()
    try bench.write(
      "one.lua",
      """
      return {
        api = 1, name = "one", version = "1.0.0",
        fetch = function(ctx)
          if ctx.job == "bad" then error("no") end
          return { { id = "1", title = "One", published = "2026-11-19T23:00:00Z" } }
        end,
      }
      """)
  }

  private static let jobs = """
    budget: { requests: 100/h }
    jobs:
      - {name: a, plugin: ./one.lua, interval: never}
      - {name: bad, plugin: ./one.lua, interval: 1h}
      - {name: c, plugin: ./one.lua, interval: 1h}
    """

  private func ask(_ request: ControlRequest, _ open: OpenService) async -> [Value] {
    let lines = Mutex<[Value]>([])
    let end = await open.service.control(reload: { .done }).answer(request) { line in
      lines.withLock { $0.append(line) }
    }
    #expect(end == .done)
    return lines.withLock { $0 }
  }

  @Test func `runs are counted by outcome, trigger and job`() async throws {
    let open = try await bench.serve(Self.jobs)
    await open.untilQuiet()
    let first = await ask(.metrics(.first(2)), open)
    let line = try #require(first.first.flatMap(MetricsLine.init))
    #expect(line.value == first.first)
    #expect(line.overview.jobs == [.idle: 1, .backOff: 1, .scheduled: 1])
    #expect(line.counters.runs == ["newData": ["schedule": 1], "failed": ["schedule": 1]])
    #expect(line.counters.failures == ["pluginError": 1])
    #expect(line.counters.items == ["added": 1])
    #expect(line.counters.runSeconds.count == 2 && line.counters.startDelaySeconds.count == 2)
    // The first items of a source are as old as the source.
    #expect(line.counters.itemDelaySeconds.count == 0)
    #expect(line.counters.commitSeconds.count == 2)
    #expect(line.counters.lastRuns.keys.sorted() == ["failed", "newData"])
    #expect(line.storeBytes > 0 && line.residentBytes > 1_000_000 && line.cpuSeconds > 0)
    #expect(line.budget.map(\.resource) == ["requests"] && line.budget.first?.ratio == 1)
    #expect(line.jobsLeftOut == 1)
    let jobs = first.dropFirst().compactMap(JobMetricsLine.init)
    #expect(jobs.map(\.job) == ["a", "bad"] && jobs.map(\.failures) == [0, 1])
    #expect(jobs.map { $0.runs["failed"] } == [0, 1])
    #expect(jobs.allSatisfy { $0.lastSuccessAt == nil })
    try await open.stop()
  }

  @Test func `series of single jobs are chosen by name or left out`() async throws {
    let open = try await bench.serve(Self.jobs)
    await open.untilQuiet()
    let named = await ask(.metrics(.named(["c", "nobody"])), open)
    let jobs = named.dropFirst().compactMap(JobMetricsLine.init)
    #expect(jobs.map(\.job) == ["c"])
    #expect(jobs.first?.lastSuccessAt != nil && jobs.first?.runs["newData"] == 1)
    #expect(await ask(.metrics(.first(0)), open).count == 1)
    try await open.stop()
  }

  @Test func `skipped triggers and attempts to deliver are counted`() async throws {
    let open = try await bench.serve(Self.jobs)
    await open.untilQuiet()
    _ = await ask(.pause(.named(["c"])), open)
    _ = await ask(.push(jobs: ["c"]), open)
    _ = await ask(.run(.named(["a"]), skipsInterval: true), open)
    while open.records.count < 3 { await Task.yield() }
    var line: MetricsLine?
    while line?.counters.skips["paused"] != 1 {
      line = await ask(.metrics(.first(0)), open).first.flatMap(MetricsLine.init)
      await Task.yield()
    }
    #expect(line?.counters.runs["newData"]?["manual"] == 1)
    try await open.stop()
  }

  @Test func `the sums of a store`() async throws {
    for store in [MemoryStore() as any Store, try await bench.openStore()] {
      for (hook, key) in [("desk", "1"), ("desk", "2"), ("phone", "3")] {
        try await store.add(
          NewDelivery(
            hook: HookName(hook), job: "a", run: nil, event: .newData, payload: "{}", key: key,
            createdAt: ServiceBench.startAt))
      }
      var dead = try #require(try await store.deliveries([2]).first)
      dead.state = .dead
      try await store.update([dead])
      let sums = try await store.sums()
      #expect(sums.hooks.map(\.name) == ["desk", "phone"])
      #expect(sums.hooks.map(\.pending) == [1, 1] && sums.hooks.map(\.dead) == [1, 0])
      #expect(sums.hooks[0].oldestAt == ServiceBench.startAt && sums.transfers.isEmpty)
      var line = MetricsLine(OverviewLine(isServed: true))
      line.add(sums)
      #expect(line.hooks.map(\.hook) == ["desk", "phone"])
      try await store.close()
    }
  }

  @Test func `hooks beyond the maximum share a line`() {
    var sums = StoreSums()
    for number in 100..<250 {
      sums.add("hook\(number)", .pending, 1, oldestAt: Timestamp(seconds: Int64(number)))
    }
    var line = MetricsLine(OverviewLine(isServed: true))
    line.add(sums)
    #expect(line.hooks.count == MonitoringCounters.hooksMax + 1)
    #expect(line.hooks.last?.hook == "other" && line.hooks.last?.pending == 50)
    #expect(line.hooks.last?.oldestAt == Timestamp(seconds: 200))
  }
}

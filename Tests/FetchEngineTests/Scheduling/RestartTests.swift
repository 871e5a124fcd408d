import FetchConfig
import FetchEngine
import FetchModel
import FetchSchedule
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Testing

/// Tests of requests and learned state that one process stores for the next process.
@Suite(.timeLimit(.minutes(5))) struct RestartTests {
  let bench: ServiceBench

  init() throws { bench = try ServiceBench() }

  private func job(_ more: String) -> String {
    """
    lanes: {"*": {gap: 0s}}
    jobs:
      - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: never\(more)}
    """
  }

  private func run(_ open: OpenService) async {
    _ = open.service.jobs.trigger("a", .manual, now: bench.now)
    open.service.loop.poke()
    await open.untilQuiet()
  }

  @Test(arguments: [TriggerKind.push, .file])
  func `a request that waits for the job's hours survives a restart`(kind: TriggerKind) async throws
  {
    let yaml = job(#", between: "07:00-08:00""#)
    let first = try await bench.serve(yaml)
    guard case .waits = first.service.jobs.trigger("a", kind, now: bench.now) else {
      Issue.record("the request does not wait")
      return
    }
    first.service.loop.poke()
    try await first.stop()
    let second = try await bench.serve(yaml)
    await second.pass(.seconds(8 * 3600))
    #expect(second.starts("a") == [.seconds(7 * 3600)])
    #expect(second.records.first?.trigger == kind.trigger)
    try await second.stop()
  }

  @Test func `a push that waits for a condition is stored immediately`() async throws {
    let yaml = job(", conditions: [network]")
    let open = try await bench.serve(yaml)
    open.service.jobs.setOnline(false, now: bench.now)
    _ = open.service.jobs.trigger("a", .push, now: bench.now)
    // The loop stores the push in its next turn, whatever happens to the process afterwards.
    await ScheduleMemory(store: open.store, events: .failing).keepSkips(
      of: open.service.jobs)
    let kept = try await ScheduleMemory.schedules(in: StoreReader(at: bench.storePath))
    #expect(kept["a"]?.dueReason == .triggered(.push))
    #expect(kept["a"]?.dueAt == bench.now)
    try await open.stop()
    let next = try await bench.serve(yaml)
    await next.untilQuiet()
    #expect(next.records.map(\.trigger) == [.push])
    try await next.stop()
  }

  @Test func `a command that runs jobs once leaves no requests for jobs that it did not run`()
    async throws
  {
    let open = try await bench.open(job(", conditions: [network]"), runsOnce: true)
    open.service.jobs.setOnline(false, now: bench.now)
    _ = open.service.jobs.trigger("a", .manual, now: bench.now)
    await ScheduleMemory(store: open.store, events: .failing).keepSkips(
      of: open.service.jobs)
    let left = try await ScheduleMemory.schedules(in: StoreReader(at: bench.storePath))
    #expect(left["a"]?.dueAt == nil)
    try await open.store.close()
  }

  @Test func `five 403 in a row count as five, even if each is in another process`() async throws {
    bench.site.at("h1/a") { _ in .init(status: 403) }
    for count in 1...5 {
      let open = try await bench.serve(job(""))
      #expect(open.service.jobs.look { $0.closedUntil("h1.localhost", now: bench.now) } == nil)
      await run(open)
      #expect(open.records.count == 1, "\(count)")
      try await open.stop()
    }
    let open = try await bench.serve(job(""))
    let until = bench.now + .seconds(600)
    #expect(open.service.jobs.look { $0.closedUntil("h1.localhost", now: bench.now) } == until)
    await run(open)
    #expect(open.records.isEmpty)
    let closed = WaitReason.laneClosed(hostname: "h1.localhost", until: until, .forbidden(5))
    #expect(open.waitReason("a") == closed)
    try await open.stop()
  }

  @Test(arguments: [403, 429]) func `the closure of a lane is stored with the run that caused it`(
    status: Int
  ) async throws {
    bench.site.at("h1/a") { _ in .init(status: status) }
    let open = try await bench.serve(job(""))
    for _ in 1...(status == 403 ? 5 : 1) { await run(open) }
    let reader = try StoreReader(at: bench.storePath)
    let config = try bench.config(job(""))
    let left = ScheduleMemory.scheduler(
      lanes: config.lanes, limits: BudgetLimits(), memory: try reader.sharedMemory(),
      coolDowns: try reader.coolDowns(after: bench.now), now: bench.now)
    let closures = left.closures()
    #expect(closures.map(\.hostname) == ["h1.localhost"])
    #expect(closures.map(\.until) == [bench.now + .seconds(600)])
    #expect(closures.map(\.why) == [status == 403 ? .forbidden(5) : .tooManyRequests])
    // Runs of a plugin without a config use these cooldowns.
    #expect(try reader.coolDowns(after: bench.now).values.max() == bench.now + .seconds(600))
    try await open.stop()
  }

  @Test func `a lane that closes again after a restart is closed for twice as long`() async throws {
    bench.site.at("h1/a") { _ in .init(status: 429) }
    let first = try await bench.serve(job(""))
    await run(first)
    try await first.stop()
    bench.clock.advance(by: .seconds(601))
    let second = try await bench.serve(job(""))
    await run(second)
    let until = second.service.jobs.look { $0.closedUntil("h1.localhost", now: bench.now) }
    #expect(until == bench.now + .seconds(1200))
    try await second.stop()
  }

  @Test func `a success resets the time of the next closure, also in another process`() async throws
  {
    bench.site.at("h1/a") { .init(status: $0 == 5 ? 200 : 403) }
    for _ in 1...9 {
      let open = try await bench.serve(job(""))
      await run(open)
      #expect(open.service.jobs.look { $0.closedUntil("h1.localhost", now: bench.now) } == nil)
      try await open.stop()
    }
  }

  @Test func `a stopping daemon accepts no push`() async throws {
    let open = try await bench.serve(job(""))
    open.service.loop.drain()
    let lines = Lines()
    let end = await open.service.control(reload: { .done }).answer(.push(jobs: ["a"])) {
      lines.append($0)
    }
    #expect(end == .failed("the daemon is stopping"))
    #expect(lines.all.isEmpty)
    #expect(open.schedule("a")?.dueAt == nil)
    try await open.stop()
  }
}

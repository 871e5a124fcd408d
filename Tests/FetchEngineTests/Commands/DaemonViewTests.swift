import FetchEngine
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of the requests of programs that display a daemon's state: overviews, selections, plans
/// and notifications.
@Suite(.timeLimit(.minutes(5))) struct DaemonViewTests {
  let bench: ServiceBench

  init() throws {
    bench = try ServiceBench(inMemory: true)
    try bench.write(
      "one.lua",
      """
      return {
        api = 1, name = "one", version = "1.0.0",
        fetch = function(ctx)
          if ctx.job == "bad" then error("no") end
          return { { id = "1", title = "One" } }
        end,
      }
      """)
  }

  private static let jobs = """
    jobs:
      - {name: a, plugin: ./one.lua, interval: never}
      - {name: bad, plugin: ./one.lua, interval: 1h}
      - {name: c, plugin: ./one.lua, interval: 1h}
    """

  private func ask(
    _ request: ControlRequest, _ open: OpenService
  ) async -> (lines: [Value], end: ControlEnd) {
    let lines = Lines()
    let end = await open.service.control(reload: { .done }).answer(request) { lines.append($0) }
    return (lines.all, end)
  }

  private func names(_ open: OpenService, _ change: (inout StatusFilter) -> Void) async -> String {
    var filter = StatusFilter()
    change(&filter)
    return await ask(.status(job: nil, filter), open).lines
      .compactMap { $0["job"]?.stringValue }.joined(separator: " ")
  }

  @Test func `status lines are selected, and come by name`() async throws {
    let open = try await bench.serve(Self.jobs)
    await open.untilQuiet()
    #expect(await ask(.status(job: nil), open).lines.count == 3)
    #expect(await names(open) { $0.limit = 2 } == "a bad")
    #expect(await names(open) { ($0.after, $0.limit) = ("bad", 1) } == "c")
    #expect(await names(open) { $0.after = "b" } == "bad c")
    #expect(await names(open) { $0.after = "zz" } == "")
    #expect(await names(open) { $0.isFailing = true } == "bad")
    #expect(await names(open) { $0.states = [.idle, .scheduled] } == "a c")
    #expect(await names(open) { $0.match = "A" } == "a bad")
    #expect(await names(open) { ($0.match, $0.states) = ("b*", [.backOff]) } == "bad")
    try await open.stop()
  }

  @Test func `the overview counts the jobs by state`() async throws {
    let open = try await bench.serve(Self.jobs)
    await open.untilQuiet()
    _ = await ask(.pause(.named(["c"])), open)
    let value = try #require(await ask(.overview, open).lines.first)
    let line = try #require(OverviewLine(value))
    #expect(line.value == value)
    #expect(line.jobs == [.idle: 1, .backOff: 1, .paused: 1])
    #expect(line.isServed && line.startedAt == ServiceBench.startAt)
    #expect(line.version == Product.version && line.runs == 0 && line.broken == 0)
    #expect(line.overdue == .zero && line.pausedSince == nil && line.storeTrouble == nil)
    #expect(line.nextDueAt.map { $0 > bench.now } == true)
    _ = await ask(.pause(.all), open)
    let paused = try #require(await ask(.overview, open).lines.first.flatMap(OverviewLine.init))
    #expect(paused.pausedSince == bench.now && paused.nextDueAt == nil)
    try await open.stop()
  }

  @Test func `a plan has the exact next time of each job, and expected ones`() async throws {
    let open = try await bench.serve(Self.jobs)
    await open.untilQuiet()
    let (lines, end) = await ask(.plan(jobs: ["c", "a"], hours: 3), open)
    #expect(end == .done)
    let times = lines.compactMap(PlanLine.init)
    #expect(times.map(\.job) == ["c", "c"])
    #expect(times.map(\.at) == [1, 2].map { ServiceBench.startAt + .seconds($0 * 3600) })
    #expect(times.map(\.isExact) == [true, false])
    #expect(
      await ask(.plan(jobs: ["a", "nobody"], hours: 3), open).end
        == .failed("there is no job 'nobody'", code: .unknownJob))
    #expect(await ask(.lanes, open).lines.isEmpty)
    let findings = await ask(.doctor, open).lines.compactMap(Finding.init)
    #expect(findings.map(\.subject) == ["worker", "http"])
    try await open.stop()
  }

  @Test func `explain has the gates of the job with its first sentence`() async throws {
    let open = try await bench.serve(Self.jobs)
    await open.untilQuiet()
    let lines = await ask(.explain(job: "c"), open).lines.compactMap(ExplainLine.init)
    let gates = try #require(lines.first?.gates)
    #expect(gates.first == GateLine("enabled", why: nil))
    #expect(gates.last == GateLine("grant", why: nil))
    #expect(gates.filter { !$0.isOpen }.map(\.gate) == ["due"])
    #expect(lines.dropFirst().allSatisfy { $0.gates == nil })
    let first = try #require(lines.first)
    #expect(ExplainLine(first.value) == first)
    try await open.stop()
  }

  @Test
  func `a client that watches is notified at once, then of each change, at most every 100 ms`()
    async throws
  {
    let open = try await bench.serve(Self.jobs)
    await open.untilQuiet()
    let control = open.service.control(reload: { .done })
    let lines = Lines()
    let watch = Task { await control.answer(.watch) { lines.append($0) } }
    while lines.all.isEmpty { await Task.yield() }
    let first = try #require(lines.all.first.flatMap(WatchLine.init))
    #expect(first.items == 1 && first.ended == 2)
    for number in 1...3 {
      _ = await ask(.run(.named(["a"]), skipsInterval: true), open)
      while open.records.count < 2 + number { await Task.yield() }
    }
    // No further line is sent while the clock does not advance.
    #expect(lines.all.count == 1)
    // The clock advances only for the watch. A back-off or an interval that ends starts more runs.
    while lines.all.last.flatMap(WatchLine.init)?.ended != 5 {
      if let next = bench.clock.firstSleeper, next <= bench.clock.now.offset + .milliseconds(100) {
        bench.clock.advance(by: .milliseconds(100))
      }
      await Task.yield()
    }
    let last = try #require(lines.all.last.flatMap(WatchLine.init))
    #expect(last.items == 2 && last.states > first.states)
    #expect(lines.all.count <= 4)
    try await open.stop()
    // The watch ends when the daemon ends.
    bench.clock.advance(by: .milliseconds(100))
    #expect(await watch.value == .done)
  }

  @Test func `only some clients may watch, and each leaves its place when it disconnects`()
    async throws
  {
    let open = try await bench.serve(Self.jobs)
    await open.untilQuiet()
    let control = open.service.control(reload: { .done })
    let lines = Lines()
    let watches = (0..<8).map { _ in Task { await control.answer(.watch) { lines.append($0) } } }
    while lines.all.count < 8 { await Task.yield() }
    #expect(
      await control.answer(.watch) { _ in }
        == .failed(
          "too many clients watch the daemon (at most 8); try again later",
          code: .tooManyClients))
    for watch in watches { watch.cancel() }
    for watch in watches { _ = await watch.value }
    let again = Task { await control.answer(.watch) { lines.append($0) } }
    while lines.all.count < 9 { await Task.yield() }
    again.cancel()
    _ = await again.value
    try await open.stop()
  }
}

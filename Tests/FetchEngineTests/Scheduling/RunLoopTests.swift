import FetchConfig
import FetchModel
import FetchSchedule
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchEngine

/// Tests of the start and the end of the service: for one pass over the jobs, with reloads, and
/// with active runs.
@Suite struct RunLoopTests {
  let bench: ServiceBench

  init() throws { bench = try ServiceBench() }

  private let three = """
    jobs:
      - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1h}
      - {name: b, plugin: rss, options: {url: "{h2}/b"}, interval: 1d}
      - {name: never, plugin: rss, options: {url: "{h3}/c"}, interval: never}
    """

  /// Acts like `fetchrun run`. Returns the jobs that ran.
  private func runOnce(_ yaml: String, due: Bool = false) async throws -> [JobName] {
    let open = try await bench.open(yaml, runsOnce: true)
    if due {
      await open.service.keepPlanned()
      open.service.jobs.keepDue(now: bench.now)
    } else {
      for name in ["a", "b", "never"] {
        _ = open.service.jobs.trigger(JobName(name), .manual, now: bench.now)
      }
    }
    open.begin(until: .idle(patience: .seconds(60)))
    await open.untilOver()
    #expect(open.service.jobs.look(\.count) == 0 || due)
    try await open.stop()
    return open.records.map(\.job).sorted()
  }

  @Test func `a command runs each job once, whatever its interval, and due jobs when they are due`()
    async throws
  {
    #expect(try await runOnce(three) == ["a", "b", "never"])
    #expect(try await runOnce(three) == ["a", "b", "never"])
    #expect(try await runOnce(three, due: true) == [])
    bench.clock.advance(by: .seconds(3600))
    #expect(try await runOnce(three, due: true) == ["a"])
    #expect(try await runOnce(three, due: true) == [])
    bench.clock.advance(by: .seconds(86_400))
    #expect(try await runOnce(three, due: true) == ["a", "b"])
    #expect(try bench.records().count == 9)
  }

  @Test func `a command that only checks what is due stores the first due times`() async throws {
    let yaml = """
      jobs:
        - {name: noon, plugin: rss, options: {url: "{h1}/a"}, interval: "0 12 * * *", zone: UTC}
        - {name: late, plugin: rss, options: {url: "{h2}/b"}, interval: 1h, between: "22:00-23:00",
           zone: UTC}
      """
    #expect(try await runOnce(yaml, due: true) == [])
    bench.clock.advance(by: .seconds(12 * 3600 + 30))
    #expect(try await runOnce(yaml, due: true) == ["noon"])
    bench.clock.advance(by: .seconds(10 * 3600))
    #expect(try await runOnce(yaml, due: true) == ["late"])
    #expect(try await runOnce(yaml, due: true) == [])
  }

  @Test func `a job that is not due keeps its own budget, to which its transfers are charged`()
    async throws
  {
    let open = try await bench.open(
      """
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: never, budget: {requests: 4/h}}
      """, runsOnce: true)
    let now = bench.now
    open.service.jobs.keepDue(now: now)
    let opensAt = open.service.jobs.withState { state in
      state.charge(RunCost(requests: 10), to: "a", now: now)
      return state.opening(for: RunCost(requests: 1), of: "a", now: now)
    }
    #expect(opensAt != nil)
    try await open.stop()
  }

  @Test func `a daemon that was stopped at a job's first due time catches up on it`() async throws {
    let yaml = """
      jobs:
        - {name: noon, plugin: rss, options: {url: "{h1}/a"}, interval: "0 12 * * *", zone: UTC}
      """
    let first = try await bench.serve(yaml)
    await first.pass(.seconds(60))
    try await first.stop()
    bench.clock.advance(by: .seconds(13 * 3600))
    let second = try await bench.serve(yaml)
    await second.untilQuiet()
    #expect(second.records.map(\.job) == ["noon"])
    try await second.stop()
  }

  @Test func `a clock that is set forward wakes the sleepers`() async throws {
    let open = try await bench.serve(
      """
      jobs:
        - {name: two, plugin: rss, options: {url: "{h1}/a"}, interval: "0 14 * * *", zone: UTC}
      """)
    await open.untilQuiet()
    bench.setClock(forward: .seconds(3600))
    open.service.clockWasSet()
    let wake = try await bench.clock.waitForSleeper(notAfter: .seconds(13 * 3600))
    #expect(wake == .seconds(13 * 3600))
    bench.clock.advance(by: wake)
    while open.records.isEmpty { await Task.yield() }
    #expect(open.starts("two") == [.seconds(14 * 3600)])
    try await open.stop()
  }

  @Test func `a failing job with another source after a reload is retried immediately`()
    async throws
  {
    bench.site.at("h1/typo") { _ in .init(status: 404) }
    let yaml = """
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/typo"}, interval: 1h}
      """
    let open = try await bench.serve(yaml)
    await open.untilQuiet()
    #expect(open.schedule("a")?.dueReason == .backOff(1))
    let same = try bench.config(yaml.replacing("1h", with: "1h, priority: high"))
    try await open.service.reload(same, bench.prepare(same), local: .utc)
    #expect(open.schedule("a")?.dueReason == .backOff(1))
    let mended = try bench.config(yaml.replacing("typo", with: "a"))
    try await open.service.reload(mended, bench.prepare(mended), local: .utc)
    await open.pass(.seconds(2))
    #expect(open.records.count == 2)
    #expect(open.records.last?.outcome.counts.added == 1)
    try await open.stop()
  }

  @Test func `a reload affects only what has changed`() async throws {
    let open = try await bench.serve(three)
    await open.pass(.seconds(1800))
    let before = (open.schedule("a"), open.schedule("b"))
    let config = try bench.config(
      """
      jobs:
        - {name: b, plugin: rss, options: {url: "{h2}/b"}, interval: 1d}
        - {name: new, plugin: rss, options: {url: "{h4}/d"}, interval: 2h}
        - {name: a, plugin: rss, options: {url: "{h1}/other"}, interval: 1h, priority: high}
      """)
    try await open.service.reload(config, bench.prepare(config), local: .utc)
    #expect(open.schedule("a") == before.0)
    #expect(open.schedule("b") == before.1)
    #expect(open.schedule("never") == nil)
    await open.pass(.seconds(1800))
    #expect(open.starts("new") == [.seconds(1800)])
    #expect(open.starts("a") == [.zero, .seconds(3600)])
    // The requested address is the one from the reload.
    #expect(bench.site.asked.last == "h1/other")
    // Another interval gives another due time, counted from the last run.
    let faster = try bench.config(three.replacing("1d", with: "2h"))
    try await open.service.reload(faster, bench.prepare(faster), local: .utc)
    #expect(open.schedule("b")?.dueAt == ServiceBench.startAt + .seconds(7200))
    try await open.stop()
  }

  @Test func `a job that was removed and added again keeps its memory`() async throws {
    let open = try await bench.serve(three)
    await open.pass(.seconds(1800))
    let before = open.schedule("a")
    for yaml in ["jobs: []", three] {
      let config = try bench.config(yaml)
      try await open.service.reload(config, bench.prepare(config), local: .utc)
    }
    #expect(open.schedule("a") == before)
    try await open.stop()
  }

  @Test func `a job that is removed while it runs ends its run and keeps its memory`()
    async throws
  {
    let open = try await bench.serve(three)
    await open.pass(.seconds(1800))
    bench.site.hold("h1/a")
    #expect(open.service.jobs.trigger("a", .manual, now: bench.now) == .due)
    open.service.loop.poke()
    await bench.site.wait(for: "h1/a", count: 2)
    for yaml in ["jobs: []", three] {
      let config = try bench.config(yaml)
      try await open.service.reload(config, bench.prepare(config), local: .utc)
      if yaml == three { break }
      bench.site.free("h1/a")
      await open.untilQuiet()
      #expect(open.service.jobs.withState { $0.jobs.isEmpty })
    }
    #expect(open.records.filter { $0.job == "a" }.count == 2)
    #expect(open.schedule("a")?.lastSuccessAt == ServiceBench.startAt)
    try await open.stop()
  }

  @Test func `a job that is removed during a run that the store refuses is not saved again`()
    async throws
  {
    let open = try await bench.open(three)
    let jobs = open.service.jobs
    let run = try #require(jobs.due(now: bench.now).first { $0.start.name == "a" })
    jobs.set([], local: .utc, now: bench.now)
    jobs.askFresh("a")
    #expect(jobs.pause("a", now: bench.now) == true)
    var report = RunReport(
      record: RunRecord(
        run: RunID(startedAt: bench.now, random: (0, 0)), job: "a", plugin: "rss",
        trigger: .schedule, outcome: .noData(.empty), startedAt: bench.now))
    report.storeError = StoreError(.full, "the disk is full")
    jobs.finish(run, report, now: bench.now)
    let number = run.start.job
    #expect(jobs.withState { $0.jobs[number] == nil && !$0.changed.contains(number) })
    #expect(!jobs.takeFresh("a"))
    try await open.stop()
  }

  @Test func `a pause that is stored before the commit of a run is stored again after it`()
    async throws
  {
    let open = try await bench.open(three)
    let jobs = open.service.jobs
    let run = try #require(jobs.due(now: bench.now).first { $0.start.name == "a" })
    let number = run.start.job
    let record = RunRecord(
      run: RunID(startedAt: bench.now, random: (0, 0)), job: "a", plugin: "rss",
      trigger: .schedule, outcome: .noData(.empty), startedAt: bench.now)
    _ = jobs.settle(run, record, RunFacts(), now: bench.now)
    #expect(jobs.pause("a", now: bench.now) == true)
    jobs.withState { $0.changed = [] }
    jobs.finish(run, RunReport(record: record), now: bench.now)
    #expect(jobs.withState { $0.changed.contains(number) })
    try await open.stop()
  }

  @Test func `draining starts no run and waits for the active ones`() async throws {
    bench.site.hold("h1/a")
    let open = try await bench.serve(three)
    await bench.site.wait(for: "h1/a", count: 1)
    open.service.loop.drain()
    #expect(open.service.jobs.trigger("never", .manual, now: bench.now) == .due)
    open.service.loop.poke()
    bench.site.free("h1/a")
    await open.untilOver()
    #expect(open.records.map(\.job).sorted() == ["a", "b"])
    #expect(open.records.allSatisfy { $0.outcome.failure == nil })
    try await open.stop()
    #expect(try bench.records().count == 2)
  }

  @Test(arguments: [false, true])
  func `cancelled runs are ended, reported and stored before the loop returns`(
    byTask: Bool
  ) async throws {
    bench.site.hold("h1/a")
    bench.site.hold("h2/b")
    let open = try await bench.serve(three)
    await bench.site.wait(for: "h1/a", count: 1)
    await bench.site.wait(for: "h2/b", count: 1)
    if byTask {
      open.cancel()
    } else {
      open.service.loop.drain()
      open.service.loop.cancelRuns()
    }
    await open.untilOver()
    #expect(open.records.map(\.outcome.failure?.code) == [.cancelled, .cancelled])
    #expect(try bench.records().map(\.outcome.failure?.code) == [.cancelled, .cancelled])
    bench.site.free("h1/a")
    bench.site.free("h2/b")
    try await open.stop()
    // The cancelled runs do not count as failures, and are due in a minute.
    let next = try await bench.serve(three)
    #expect(next.schedule("a")?.failureCount == 0)
    await next.pass(.seconds(60))
    #expect(next.records.map(\.job).sorted() == ["a", "b"])
    try await next.stop()
  }

  @Test func `pushes during a run cause one more run after it`() async throws {
    bench.site.hold("h1/a")
    let open = try await bench.serve(three)
    await bench.site.wait(for: "h1/a", count: 1)
    for _ in 0..<5 { _ = open.service.jobs.trigger("a", .push, now: bench.now) }
    _ = open.service.jobs.trigger("a", .manual, now: bench.now)
    bench.site.free("h1/a")
    await open.pass(.seconds(300))
    #expect(open.records.filter { $0.job == "a" }.map(\.trigger) == [.schedule, .push])
    try await open.stop()
    let skips = try StoreReader(at: bench.storePath).skips(job: "a", limit: 10)
    #expect(skips.last?.reason.hasPrefix("it was pushed, but a run was already pending") == true)
    #expect(skips.first?.reason == "a run that started at 2026-11-20T00:00:00Z was under way")
    #expect(skips.count == 5)
  }

  @Test func `the costs of runs are in the store with their records`() async throws {
    let open = try await bench.serve("budget: {requests: 20/h}\n" + three)
    await open.untilQuiet()
    while open.records.isEmpty { await Task.yield() }
    // The store is read before the stop, so its contents are those after a crash.
    let ledger = try StoreReader(at: bench.storePath).ledger()
    var budget = Budget(
      try bench.config("budget: {requests: 20/h}\n" + three).budget, now: bench.now)
    try budget.restore(encoded: try #require(ledger["budget"]))
    #expect((budget.requestFill(now: bench.now) ?? 1) < 1)
    try await open.stop()
  }
}

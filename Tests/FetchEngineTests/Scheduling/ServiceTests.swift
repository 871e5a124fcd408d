import FetchConfig
import FetchEngine
import FetchModel
import FetchSchedule
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Testing

/// Tests of a config's jobs over simulated time, with real runs against a server.
@Suite struct ServiceTests {
  let bench: ServiceBench

  init() throws { bench = try ServiceBench() }

  private func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
  private func days(_ count: Int) -> Duration { hours(count * 24) }

  /// A config with one job: `a` at h1/a, every hour.
  private let hourly = """
    jobs:
      - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1h}
    """

  @Test func `two months of jobs run at their intervals`() async throws {
    let open = try await bench.serve(
      """
      jobs:
        - {name: often, plugin: rss, options: {url: "{h1}/a"}, interval: 8h}
        - {name: daily, plugin: rss, options: {url: "{h2}/a"}, interval: 1d}
        - {name: cron, plugin: rss, options: {url: "{h3}/a"}, interval: "30 7 * * mon-fri"}
        - {name: never, plugin: rss, options: {url: "{h4}/a"}, interval: never}
      """)
    await open.pass(days(60))
    #expect(open.starts("often") == (0...180).map { hours(8) * $0 })
    #expect(open.starts("daily") == (0...60).map { days($0) })
    // The bench begins on a Friday, so the weekend is the second and third day of each week.
    let weekdays = (0..<60).filter { $0 % 7 != 1 && $0 % 7 != 2 }
    #expect(open.starts("cron") == weekdays.map { days($0) + .seconds(7 * 3600 + 1800) })
    #expect(open.starts("never") == [])
    #expect(open.records.allSatisfy { $0.outcome.failure == nil })
    try await open.stop()
    #expect(try bench.records().count == open.records.count)
    #expect(try StoreReader(at: bench.storePath).items(ItemQuery()).count == 3)
  }

  @Test func `items are in the store, and not in the reports of runs that are not shown`()
    async throws
  {
    bench.site.at("h1/a") { _ in Site.Answer(body: Site.feed(items: 50)) }
    let open = try await bench.serve(hourly)
    await open.pass(hours(1))
    #expect(
      open.records.map(\.outcome) == [
        .newData(ChangeCounts(added: 50)), .noData(.sameBody),
      ])
    #expect(open.reports.allSatisfy { $0.lines.isEmpty })
    try await open.stop()
    #expect(try StoreReader(at: bench.storePath).items(ItemQuery()).count == 50)
  }

  @Test func `a job without news is reported, but not as failing`() async throws {
    let open = try await bench.serve(
      """
      hooks:
        - {name: watch, on: stale, stale_after: 1d, quiet_after: 3d, file: out.jsonl}
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 8h}
      """)
    await open.pass(.zero)
    _ = await open.service.stale.tellDue()
    // The watch starts after the days have passed, because the test could not distinguish two
    // sleepers on one clock.
    await open.pass(days(7))
    let watching = Task { await open.service.stale.run() }
    let reader = try StoreReader(at: bench.storePath)
    while try reader.pendingDeliveries().isEmpty { await Task.yield() }
    #expect(try reader.pendingDeliveries().map(\.event) == [.stale])
    let payload = try reader.deliveries([1])[0].payload
    #expect(payload.contains(#""stale":{"what":"newData","since":"2026-11-20T00:00:00.000Z"}"#))
    open.service.stale.drain()
    await watching.value
    try await open.stop()
  }

  @Test func `the simulation of a store predicts the real runs, including their jitter`()
    async throws
  {
    let yaml = """
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1h, jitter: 20m}
        - {name: b, plugin: rss, options: {url: "{h2}/a"}, interval: "0 */3 * * *", jitter: 1h}
      """
    let first = try await bench.serve(yaml)
    await first.pass(hours(1))
    try await first.stop()
    let config = try bench.config(yaml)
    var simulation = try await ConfigSimulation(
      config, try await bench.prepare(config), remembering: StoreReader(at: bench.storePath),
      local: .utc, plan: SimulationPlan(from: bench.now, days: 2))
    var foretold: [JobName: [Duration]] = [:]
    simulation.run { run in
      foretold[run.job, default: []].append(run.startedAt - ServiceBench.startAt)
    }
    let second = try await bench.serve(yaml)
    await second.pass(days(2))
    for job: JobName in ["a", "b"] {
      let starts = second.starts(job)
      #expect(starts == foretold[job])
      #expect(starts.count >= 15)
      let gaps = zip(starts, starts.dropFirst()).map { $1 - $0 }
      #expect(Set(gaps).count > 10)
    }
    try await second.stop()
  }

  @Test func `the schedules survive a restart, and a missed time is caught up on once`()
    async throws
  {
    let yaml = """
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1h}
        - {name: b, plugin: rss, options: {url: "{h2}/a"}, interval: 1d}
        - {name: none, plugin: rss, options: {url: "{h3}/a"}, interval: 1h, catch_up: none}
      """
    let first = try await bench.serve(yaml)
    await first.pass(hours(2) + .seconds(60))
    let due = [first.schedule("a")?.dueAt, first.schedule("b")?.dueAt]
    #expect(due == [ServiceBench.startAt + hours(3), ServiceBench.startAt + days(1)])
    try await first.stop()
    let second = try await bench.serve(yaml)
    await second.pass(.zero)
    #expect([second.schedule("a")?.dueAt, second.schedule("b")?.dueAt] == due)
    #expect(second.records.isEmpty)
    try await second.stop()
    // No process runs from 2:01 to 6:01.
    bench.clock.advance(by: hours(4))
    let third = try await bench.serve(yaml)
    await third.pass(hours(1))
    #expect(third.starts("a") == [hours(6) + .seconds(60), hours(7) + .seconds(60)])
    #expect(third.starts("b") == [])
    #expect(third.starts("none").count == 1)
    try await third.stop()
    let skips = try StoreReader(at: bench.storePath).skips(job: "none", limit: 10)
    #expect(
      skips.map(\.reason) == [
        "it missed its due time 2026-11-20T03:00:00Z, and its `catch_up` is `none`"
      ])
  }

  @Test func `a paused job waits until it is resumed, also after a restart`() async throws {
    let first = try await bench.serve(hourly)
    await first.pass(hours(1))
    #expect(first.service.jobs.pause("a", now: bench.now) == true)
    first.service.loop.poke()
    await first.pass(hours(5))
    #expect(first.starts("a") == [.zero, hours(1)])
    try await first.stop()
    let second = try await bench.serve(hourly)
    await second.pass(hours(5))
    #expect(second.records.isEmpty)
    #expect(
      second.waitReason("a")?.sentence(now: bench.now)
        == "it has been paused since 2026-11-20T01:00:00Z")
    #expect(second.service.jobs.resume("a", now: bench.now) == true)
    second.service.loop.poke()
    await second.pass(hours(1))
    #expect(second.starts("a") == [hours(11), hours(12)])
    try await second.stop()
  }

  @Test func `all jobs are paused and resumed together, also after a restart`() async throws {
    let first = try await bench.serve(hourly)
    await first.pass(hours(1))
    #expect(first.service.jobs.pause(nil, now: bench.now) == true)
    await first.service.memory.keepPause(of: first.service.jobs)
    first.service.loop.poke()
    await first.pass(hours(5))
    #expect(first.starts("a").count == 2)
    try await first.stop()
    let second = try await bench.serve(hourly)
    await second.pass(hours(5))
    #expect(second.records.isEmpty)
    #expect(
      second.waitReason("a")?.sentence(now: bench.now)
        == "all jobs have been paused since 2026-11-20T01:00:00Z")
    #expect(second.service.jobs.resume(nil, now: bench.now) == true)
    await second.service.memory.keepPause(of: second.service.jobs)
    second.service.loop.poke()
    await second.pass(.zero)
    #expect(second.starts("a") == [hours(11)])
    try await second.stop()
    let third = try await bench.serve(hourly)
    await third.pass(hours(1))
    #expect(third.starts("a") == [hours(12)])
    try await third.stop()
  }

  @Test func `a reload changes nothing if the store cannot be read`() async throws {
    let bench = try ServiceBench(inMemory: true)
    let open = try await bench.open(hourly, logger: { _ in })
    let store = try #require(open.store as? MemoryStore)
    let next = try bench.config("hooks: [{name: tell, file: out.jsonl}]\n" + hourly)
    let prepared = try await bench.prepare(next)
    store.fail(StoreError(.unreachable, "the disk is gone"))
    await #expect(throws: StoreError.self) {
      try await open.service.reload(next, prepared, local: .utc)
    }
    #expect(open.service.hookConfigs.isEmpty)
    store.fail(nil)
    try await open.service.reload(next, prepared, local: .utc)
    #expect(open.service.hookConfigs.map(\.name) == ["tell"])
    try await open.stop()
  }

  @Test func `a run whose end the store refused ends in the store with the next commit`()
    async throws
  {
    let bench = try ServiceBench(inMemory: true)
    bench.site.hold("h1/a")
    let open = try await bench.open(hourly, logger: { _ in })
    let store = try #require(open.store as? MemoryStore)
    open.begin(until: .stopped)
    await bench.site.wait(for: "h1/a", count: 1)
    store.fail(StoreError(.full, "the disk is full"))
    bench.site.free("h1/a")
    while open.records.isEmpty { await Task.yield() }
    store.fail(nil)
    let refused = try #require(open.records.first)
    #expect(refused.outcome.failure?.message == "the disk is full")
    await open.pass(hours(2))
    let stored = try bench.records()
    #expect(stored.count >= 2)
    #expect(stored.filter { $0.run == refused.run }.map(\.outcome) == [refused.outcome])
    try await open.stop()
    #expect(try store.reopened().recover().abandonedJobs == [])
  }

  @Test func `a pause that the store refused is stored with the next memory`() async throws {
    let bench = try ServiceBench(inMemory: true)
    let open = try await bench.open(hourly, logger: { _ in })
    let store = try #require(open.store as? MemoryStore)
    store.fail(StoreError(.full, "the disk is full"))
    #expect(open.service.jobs.pause(nil, now: bench.now) == true)
    await open.service.memory.keepPause(of: open.service.jobs)
    store.fail(nil)
    #expect(try store.sharedMemory().pause == nil)
    await open.service.memory.keepAll(of: open.service.jobs)
    #expect(try store.sharedMemory().pause == .since(bench.now))
    try await open.stop()
  }

  @Test
  func
    `a spent budget delays jobs but lets each one run, and a restart does not refill it`()
    async throws
  {
    let yaml = """
      budget: {requests: 20/h}
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1m}
        - {name: b, plugin: rss, options: {url: "{h2}/a"}, interval: 1m}
        - {name: c, plugin: rss, options: {url: "{h3}/a"}, interval: 1m}
      """
    let first = try await bench.serve(yaml)
    await first.pass(hours(3))
    #expect((55...61).contains(bench.site.asked.count))
    for name in ["a", "b", "c"] { #expect(first.starts(JobName(name)).count >= 17) }
    let reasons = ["a", "b", "c"].compactMap { first.waitReason($0)?.sentence(now: bench.now) }
    let spent = "the budget of 20 requests an hour has too little left until "
    #expect(reasons.contains { $0.hasPrefix(spent) }, "\(reasons)")
    try await first.stop()
    for _ in 0..<5 {
      let next = try await bench.serve(yaml)
      await next.pass(.zero)
      try await next.stop()
    }
    #expect(bench.site.asked.count <= 61)
  }

  @Test func `a job's own budget persists over a restart, and no other job waits for it`()
    async throws
  {
    let yaml = """
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1m, budget: {requests: 4/h}}
        - {name: b, plugin: rss, options: {url: "{h1}/b"}, interval: 10m}
      """
    let first = try await bench.serve(yaml)
    await first.pass(hours(3) + .seconds(120))
    #expect((12...13).contains(first.starts("a").count))
    #expect(first.starts("b").count == 19)
    #expect(
      first.waitReason("a")?.sentence(now: bench.now)
        .hasPrefix("its own budget of 4 requests an hour has too little left until 2026-11-20T03:")
        == true)
    try await first.stop()
    for _ in 0..<5 {
      let next = try await bench.serve(yaml)
      await next.pass(.seconds(1))
      try await next.stop()
    }
    #expect(bench.site.asked.filter { $0 == "h1/a" }.count <= 13)
  }

  @Test func `the number of simultaneous runs is limited, and every job gets its turn`()
    async throws
  {
    let jobs = (1...6).map {
      "  - {name: j\($0), plugin: rss, options: {url: \"{h\($0)}/a\"}, interval: 1h}"
    }
    for number in 1...6 { bench.site.hold("h\(number)/a") }
    let open = try await bench.serve("budget: {runs: 2}\njobs:\n" + jobs.joined(separator: "\n"))
    for number in 1...6 {
      while bench.site.asked.count < min(number + 1, 6) { await Task.yield() }
      #expect(open.service.jobs.runningCount <= 2)
      bench.site.free(bench.site.asked[number - 1])
    }
    await open.untilQuiet()
    #expect(Set(open.records.map(\.job)).count == 6)
    try await open.stop()
  }

  @Test func `a failing job backs off, is reported, and recovers`() async throws {
    bench.site.at("h1/a") { $0 <= 5 ? Site.Answer(status: 404, body: "no") : Site.Answer() }
    let open = try await bench.serve(
      "jobs: [{name: a, plugin: rss, options: {url: \"{h1}/a\"}, interval: 1m}]")
    while open.records.count < 3 { await open.pass(.seconds(60)) }
    #expect(open.notices.map(\.job) == ["a"])
    #expect(open.notices.map(\.notice) == [.broken(failures: 3)])
    if case .backOff(let failures, _) = open.waitReason("a") {
      #expect(failures == 3)
    } else {
      Issue.record("\(String(describing: open.waitReason("a")))")
    }
    await open.pass(days(1))
    #expect(
      open.notices.map(\.notice.sentence) == [
        "it failed 3 times in a row", "it works again after 5 failures",
      ])
    let starts = open.starts("a")
    for failures in 1...5 {
      let delay = starts[failures] - starts[failures - 1]
      let most = Backoff.outage(failures: failures, failingFor: starts[failures - 1])
        .longest(failures: failures)
      #expect(delay >= .seconds(60) && delay <= most)
    }
    // The job has recovered, so it runs every minute.
    #expect(starts[7] - starts[6] == .seconds(60))
    try await open.stop()
  }

  @Test func `Retry-After to one job closes the lane for another, also after a restart`()
    async throws
  {
    bench.site.at("h1/a") {
      $0 == 2 ? Site.Answer(status: 429, headers: ["Retry-After: 3600"]) : Site.Answer()
    }
    let yaml = """
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 20m}
        - {name: b, plugin: rss, options: {url: "{h1}/b"}, interval: 30m}
        - {name: c, plugin: rss, options: {url: "{h2}/c"}, interval: 30m}
      """
    let first = try await bench.serve(yaml)
    // The answer at 0:20 closes the lane until 1:20.
    await first.pass(.seconds(3600))
    #expect(first.starts("a") == [.zero, .seconds(1200)])
    #expect(first.starts("b") == [.seconds(1)])
    #expect(first.starts("c") == [.zero, .seconds(1800), .seconds(3600)])
    #expect(
      first.waitReason("b")?.sentence(now: bench.now)
        == "h1.localhost gets no requests until 2026-11-20T01:20:00Z (in 20m)"
        + " because it sent Retry-After")
    try await first.stop()
    let second = try await bench.serve(yaml)
    await second.pass(.seconds(1199))
    #expect(second.starts("a") + second.starts("b") == [])
    await second.pass(.seconds(60))
    #expect((second.starts("a") + second.starts("b")).sorted() == [.seconds(4800), .seconds(4801)])
    try await second.stop()
  }

  @Test func `a cooldown without a stated end persists over a restart`()
    async throws
  {
    bench.site.at("h1/a") { _ in Site.Answer(status: 429) }
    let yaml = """
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1h}
      """
    let first = try await bench.serve(yaml)
    await first.untilQuiet()
    try await first.stop()
    let second = try await bench.serve(
      yaml + "\n  - {name: b, plugin: rss, options: {url: \"{h1}/b\"}, interval: 1h}")
    await second.untilQuiet()
    #expect(bench.site.asked == ["h1/a"])
    await second.pass(.seconds(601))
    #expect(Set(bench.site.asked) == ["h1/a", "h1/b"])
    try await second.stop()
  }

  @Test
  func `jobs of one hostname keep its gap and its number of connections, and others do not wait`()
    async throws
  {
    let open = try await bench.serve(
      """
      lanes: {"*": {gap: 5s}, h9.localhost: {gap: 250ms, connections: 2}}
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1h}
        - {name: b, plugin: rss, options: {url: "{h1}/b"}, interval: 1h}
        - {name: c, plugin: rss, options: {url: "{h1}/c"}, interval: 1h}
        - {name: d, plugin: rss, options: {url: "{h9}/d"}, interval: 1h}
        - {name: e, plugin: rss, options: {url: "{h9}/e"}, interval: 1h}
      """)
    await open.pass(.seconds(60))
    func starts(_ names: [JobName]) -> [Duration] { names.flatMap { open.starts($0) }.sorted() }
    #expect(starts(["a", "b", "c"]) == [.zero, .seconds(5), .seconds(10)])
    #expect(starts(["d", "e"]) == [.zero, .milliseconds(250)])
    try await open.stop()
  }

  @Test func `410 pauses the job until a user resumes it, with the reason`() async throws {
    bench.site.at("h1/a") { $0 == 2 ? Site.Answer(status: 410, body: "gone") : Site.Answer() }
    let first = try await bench.serve(hourly)
    await first.pass(days(3))
    #expect(first.starts("a").count == 2)
    #expect(
      first.notices.map(\.notice.sentence) == [
        "the source answered 410 Gone, so the job is paused: change the source's address to "
          + "resume the job, or remove the job"
      ])
    try await first.stop()
    let second = try await bench.serve(hourly)
    await second.pass(days(3))
    #expect(second.records.isEmpty)
    #expect(
      second.waitReason("a")?.sentence(now: bench.now)
        == "it has been paused since 2026-11-20T01:00:00Z because its source answered 410 Gone")
    try await second.stop()
  }

  @Test func `another address ends a pause by 410, also after a restart, but not a user's pause`()
    async throws
  {
    for place in ["h1/a", "h2/a"] {
      bench.site.at(place) { _ in Site.Answer(status: 410, body: "gone") }
    }
    func yaml(_ address: String) -> String {
      hourly.replacing("{h1}/a", with: address)
    }
    let first = try await bench.serve(yaml("{h1}/a"))
    await first.pass(hours(1))
    // The address changes while the job is served.
    let moved = try bench.config(yaml("{h2}/a"))
    try await first.service.reload(moved, bench.prepare(moved), local: .utc)
    await first.pass(.seconds(60))
    #expect(first.starts("a") == [.zero, hours(1)])
    #expect(first.notices.map(\.notice) == [.gone, .sourceChanged, .gone])
    try await first.stop()
    // The address changes while the job is not served.
    let second = try await bench.serve(yaml("{h2}/a"))
    await second.pass(hours(1))
    #expect(second.records.isEmpty)
    try await second.stop()
    let third = try await bench.serve(yaml("{h3}/a"))
    await third.pass(hours(1))
    #expect(third.starts("a").count == 2)
    #expect(third.notices.map(\.notice) == [.sourceChanged])
    #expect(third.service.jobs.pause("a", now: bench.now) == true)
    try await third.stop()
    let fourth = try await bench.serve(yaml("{h1}/b"))
    await fourth.pass(hours(2))
    #expect(fourth.records.isEmpty)
    try await fourth.stop()
    #expect(bench.site.asked == ["h1/a", "h2/a", "h3/a", "h3/a"])
  }

  @Test func `a job whose plugin does not load is due when it is new or its plugin has changed`()
    async throws
  {
    let config = try bench.config(hourly)
    let failing = Job(failing: Failure(.invalidPlugin, "no"), config.jobs[0])
    func reason(_ service: JobService) -> DueReason? {
      service.jobs.look { scheduler in
        scheduler.number(of: "a").map { scheduler.schedule(of: $0).dueReason }
      }
    }
    let first = try await bench.open(hourly)
    first.service.replace([failing], local: .utc)
    #expect(reason(first.service) == .firstRun)
    try await first.store.close()
    let second = try await bench.serve(hourly)
    await second.pass(.seconds(60))
    try await second.stop()
    let third = try await bench.open(hourly)
    #expect(reason(third.service) == .interval)
    third.service.replace([failing], local: .utc)
    #expect(reason(third.service) == .sourceChanged)
    try await third.store.close()
  }

  @Test func `explain does not say that a file must load if the options of a job are invalid`()
    async throws
  {
    let config = try bench.config(hourly)
    let open = try await bench.open(hourly)
    open.service.replace([Job(failing: Failure(.invalidOption, "no"), config.jobs[0])], local: .utc)
    let lines = Lines()
    _ = await open.service.control(reload: { .done }).answer(.explain(job: "a")) {
      lines.append($0)
    }
    let sentences = lines.all.compactMap { $0["sentence"]?.stringValue }
    #expect(
      sentences.contains(
        "Its options or secrets are missing or invalid (invalidOption): no. It fails until this is"
          + " corrected; a daemon retries when the file changes."), "\(sentences)")
    try await open.store.close()
  }

  @Test func `a new address that is configured during a 410 of the old one is requested next`()
    async throws
  {
    bench.site.at("h1/a") { _ in Site.Answer(status: 410, body: "gone") }
    bench.site.hold("h1/a")
    let open = try await bench.serve(hourly)
    await bench.site.wait(for: "h1/a", count: 1)
    let moved = try bench.config(hourly.replacing("{h1}/a", with: "{h2}/a"))
    try await open.service.reload(moved, bench.prepare(moved), local: .utc)
    bench.site.free("h1/a")
    await open.untilQuiet()
    await open.pass(.seconds(60))
    #expect(bench.site.asked == ["h1/a", "h2/a"])
    #expect(open.notices.map(\.notice) == [.gone, .sourceChanged])
    try await open.stop()
  }
}

import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchSchedule
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of notifications about stale jobs, with real runs and on a clock that only the test moves.
@Suite(.timeLimit(.minutes(5))) struct StaleTests {
  let bench: ServiceBench

  init() throws { bench = try ServiceBench() }

  private func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
  private func days(_ count: Int) -> Duration { hours(count * 24) }
  private func at(_ offset: Duration) -> Timestamp { ServiceBench.startAt + offset }

  private static let hook = """
    hooks:
      - {name: watch, on: stale, stale_after: 1d, quiet_after: 3d, file: out.jsonl}

    """
  private static let job = #"""
      - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 8h}

    """#
  private static let yaml = hook + "jobs:\n" + job

  /// Returns the notifications in the outbox in order, in the form `a success 2026-…`.
  private func told() throws -> [String] {
    let reader = try StoreReader(at: bench.storePath)
    let ids = try reader.pendingDeliveries().map(\.id)
    return try reader.deliveries(ids).map { delivery in
      let payload = try JSONReader.decode(delivery.payload)
      #expect(payload["event"] == "stale")
      #expect(payload["id"]?.stringValue == delivery.key)
      let stale = payload["stale"]
      return
        "\(delivery.job) \(stale?["what"]?.stringValue ?? "") \(stale?["since"]?.stringValue ?? "")"
    }
  }

  private func success(since offset: Duration, _ job: JobName = "a") -> String {
    "\(job) success \(at(offset))"
  }

  private func news(since offset: Duration, _ job: JobName = "a") -> String {
    "\(job) newData \(at(offset))"
  }

  private func isBroken(_ isBroken: Bool, _ place: String = "h1/a") {
    bench.site.at(place) { _ in Site.Answer(status: isBroken ? 500 : 200) }
  }

  private func ask(_ open: OpenService, _ request: ControlRequest) async {
    let end = await open.service.control(reload: { .done }).answer(request) { _ in }
    #expect(end == .done)
  }

  @Test func `a job without success and a job without new data are reported separately, each once`()
    async throws
  {
    let open = try await bench.serve(Self.yaml)
    await open.pass(.zero)
    let stale = open.service.stale
    #expect(await stale.tellDue() == at(days(1)))
    isBroken(true)
    await open.pass(days(1) - .milliseconds(1))
    #expect(await stale.tellDue() == at(days(1)))
    #expect(try told() == [])
    await open.pass(.milliseconds(1))
    #expect(await stale.tellDue() == at(days(2)))
    #expect(try told() == [success(since: .zero)])
    await open.pass(days(2))
    #expect(await stale.tellDue() == at(days(4)))
    #expect(try told() == [success(since: .zero), news(since: .zero)])
    await open.pass(days(30))
    #expect(await stale.tellDue() == at(days(34)))
    #expect(try told().count == 2)
    try await open.stop()
  }

  @Test func `a job that succeeds without new data is reported only as quiet`() async throws {
    let open = try await bench.serve(Self.yaml)
    for _ in 0..<10 {
      await open.pass(days(1))
      _ = await open.service.stale.tellDue()
    }
    #expect(try told() == [news(since: .zero)])
    // New data ends the quiet period, and the next quiet period is reported separately.
    bench.site.at("h1/a") { _ in Site.Answer(body: Site.feed(items: 2)) }
    for _ in 0..<10 {
      await open.pass(days(1))
      _ = await open.service.stale.tellDue()
    }
    let since = try #require(open.schedule("a")?.lastNewDataAt)
    #expect(since > at(days(9)))
    #expect(try told() == [news(since: .zero), "a newData \(since)"])
    try await open.stop()
  }

  @Test func `a job that recovers and fails again is reported again`() async throws {
    let open = try await bench.serve(Self.yaml)
    await open.pass(.zero)
    let stale = open.service.stale
    _ = await stale.tellDue()
    isBroken(true)
    await open.pass(days(1))
    _ = await stale.tellDue()
    isBroken(false)
    await open.pass(days(1))
    _ = await stale.tellDue()
    #expect(try told() == [success(since: .zero)])
    let since = try #require(open.schedule("a")?.lastSuccessAt)
    isBroken(true)
    await open.pass(since + days(1) - bench.now)
    _ = await stale.tellDue()
    #expect(try told() == [success(since: .zero), "a success \(since)"])
    try await open.stop()
  }

  @Test func `a notification is not repeated after a restart`() async throws {
    var open = try await bench.serve(Self.yaml)
    await open.pass(.zero)
    _ = await open.service.stale.tellDue()
    isBroken(true)
    await open.pass(days(3))
    _ = await open.service.stale.tellDue()
    let before = try told()
    #expect(before == [success(since: .zero), news(since: .zero)])
    for _ in 0..<3 {
      try await open.stop()
      open = try await bench.serve(Self.yaml)
      _ = await open.service.stale.tellDue()
      await open.pass(hours(3))
      _ = await open.service.stale.tellDue()
      #expect(try told() == before)
    }
    try await open.stop()
  }

  @Test func `daily restarts do not restart the quiet period of a job`() async throws {
    bench.site.at("h1/a") { _ in Site.Answer(body: Site.feed(items: 0)) }
    for day in 0..<5 {
      let open = try await bench.serve(Self.yaml)
      _ = await open.service.stale.tellDue()
      await open.pass(hours(23))
      _ = await open.service.stale.tellDue()
      #expect(try told() == (day < 3 ? [] : [news(since: .zero)]))
      try await open.stop()
      bench.clock.advance(by: hours(1))
    }
  }

  @Test(arguments: [false, true])
  func `a job that was not served for long gets an hour to succeed before it is reported`(
    isBroken: Bool
  )
    async throws
  {
    var open = try await bench.serve(Self.yaml)
    await open.pass(.zero)
    try await open.stop()
    bench.clock.advance(by: days(10))
    self.isBroken(isBroken)
    open = try await bench.serve(Self.yaml)
    #expect(await open.service.stale.tellDue() == at(days(10) + hours(1)))
    #expect(try told() == [])
    await open.pass(hours(1))
    _ = await open.service.stale.tellDue()
    #expect(try told() == (isBroken ? [success(since: .zero)] : []) + [news(since: .zero)])
    try await open.stop()
  }

  @Test func `a paused job is not stale, and gets an hour after it is resumed`() async throws {
    let open = try await bench.serve(Self.yaml)
    await open.pass(.zero)
    let stale = open.service.stale
    _ = await stale.tellDue()
    for selection in [JobSelection.named(["a"]), .all] {
      await ask(open, .pause(selection))
      #expect(await stale.tellDue() == nil)
      await open.pass(days(2))
      #expect(await stale.tellDue() == nil)
      isBroken(selection == .all)
      bench.site.hold("h1/a")
      await ask(open, .resume(selection))
      #expect(await stale.tellDue() == bench.now + hours(1))
      #expect(try told() == [])
      bench.site.free("h1/a")
      await open.pass(hours(1))
      _ = await stale.tellDue()
    }
    let since = try #require(open.schedule("a")?.lastSuccessAt)
    #expect(since == at(days(2)))
    #expect(try told() == ["a success \(since)", news(since: .zero)])
    try await open.stop()
  }

  @Test func `a disabled job, and a job that runs only on request, are never stale`()
    async throws
  {
    let open = try await bench.serve(
      Self.yaml + """
          - {name: never, plugin: rss, options: {url: "{h2}/a"}, interval: never}

        """)
    await open.pass(.zero)
    _ = await open.service.stale.tellDue()
    try await reload(
      open,
      Self.yaml.replacing("interval: 8h", with: "interval: 8h, enabled: false"))
    await open.pass(days(10))
    #expect(await open.service.stale.tellDue() == nil)
    #expect(try told() == [])
    try await open.stop()
  }

  private func reload(_ open: OpenService, _ yaml: String) async throws {
    let config = try bench.config(yaml)
    try await open.service.reload(config, bench.prepare(config), local: .utc)
  }

  @Test func `the age of a new job counts from its first time in the store`() async throws {
    let open = try await bench.serve(Self.yaml)
    await open.pass(days(2))
    _ = await open.service.stale.tellDue()
    isBroken(true, "h2/b")
    try await reload(
      open,
      Self.yaml + Self.job.replacing("name: a", with: "name: b").replacing("h1}/a", with: "h2}/b")
    )
    await open.pass(.zero)
    #expect(await open.service.stale.tellDue() == at(days(3)))
    await open.pass(days(1) - .seconds(1))
    _ = await open.service.stale.tellDue()
    #expect(try told() == [])
    await open.pass(.seconds(1))
    _ = await open.service.stale.tellDue()
    #expect(try told() == [news(since: .zero), success(since: days(2), "b")])
    await open.pass(days(2))
    _ = await open.service.stale.tellDue()
    #expect(
      try told() == [
        news(since: .zero), success(since: days(2), "b"), news(since: days(2), "b"),
      ])
    try await open.stop()
  }

  @Test func `the watch wakes when a job becomes stale, and again for a job that may recover`()
    async throws
  {
    let open = try await bench.serve(Self.yaml)
    await open.pass(.zero)
    let (bench, clock) = (bench, ManualClock())
    let count = Mutex(0)
    // The watch has its own clock, because the test could not distinguish two sleepers on one
    // clock.
    let watch = StaleWatch(
      jobs: open.service.jobs, hooks: HookRegistry(try bench.config(Self.yaml).allHooks),
      store: open.store, time: RunTime(now: { bench.now }, random: { 7 }), clock: clock,
      events: .failing, onDeliveries: { count.withLock { $0 += 1 } })
    let watching = Task { await watch.run() }
    #expect(try await clock.waitForSleeper(notAfter: days(1)) == days(1))
    isBroken(true)
    await open.pass(days(1))
    clock.advance(by: days(1))
    #expect(try await clock.waitForSleeper(notAfter: days(2)) == days(2))
    #expect(try told() == [success(since: .zero)])
    isBroken(false)
    await open.pass(days(1))
    clock.advance(by: days(1))
    let since = try #require(open.schedule("a")?.lastSuccessAt) - ServiceBench.startAt
    let wake = min(since + days(1), days(3))
    #expect(try await clock.waitForSleeper(notAfter: wake) == wake)
    isBroken(true)
    await open.pass(since + days(1) - days(2))
    clock.advance(by: since + days(1) - days(2))
    let next = min(since + days(2), days(3))
    #expect(try await clock.waitForSleeper(notAfter: next) == next)
    #expect(try told() == [success(since: .zero), success(since: since)])
    #expect(count.withLock { $0 } == 2)
    watch.drain()
    await watching.value
    try await open.stop()
  }

  @Test func `a clock that is not set yet makes no job stale`() async throws {
    isBroken(true)
    let open = try await bench.serve(Self.yaml)
    let bench = bench
    let now = Mutex(Timestamp(seconds: 100))
    let watch = StaleWatch(
      jobs: open.service.jobs, hooks: HookRegistry(try bench.config(Self.yaml).allHooks),
      store: open.store, time: RunTime(now: { now.withLock { $0 } }, random: { 7 }),
      clock: ManualClock(), events: .failing, onDeliveries: {})
    #expect(await watch.tellDue() == nil)
    now.withLock { $0 = bench.now }
    #expect(await watch.tellDue() == at(days(1)))
    now.withLock { $0 = bench.now + days(1) }
    _ = await watch.tellDue()
    #expect(try told() == [success(since: .zero)])
    try await open.stop()
  }

  // MARK: By a timer

  /// Acts like one call of `fetchrun run --due`: runs the due jobs, and then notifies hooks of
  /// stale jobs.
  private func runDue(_ yaml: String = Self.yaml, isOnline: Bool = true) async throws {
    let open = try await bench.open(yaml, runsOnce: true)
    open.service.jobs.setOnline(isOnline, now: bench.now)
    open.service.jobs.keepDue(now: bench.now)
    open.begin(until: .idle(patience: .zero))
    await open.untilOver()
    let config = try bench.config(yaml)
    await open.service.tellStale(try await bench.prepare(config), config, local: .utc)
    try await open.store.close()
  }

  private func runDue(hourlyFor duration: Duration) async throws {
    let end = bench.now + duration
    while bench.now < end {
      bench.clock.advance(by: hours(1))
      try await runDue()
    }
  }

  @Test func `a timer that starts a run each hour reports each stale job once`() async throws {
    try await runDue()
    isBroken(true)
    try await runDue(hourlyFor: hours(23))
    #expect(try told() == [])
    try await runDue(hourlyFor: hours(10))
    #expect(try told() == [success(since: .zero)])
    try await runDue(hourlyFor: days(3))
    #expect(try told() == [success(since: .zero), news(since: .zero)])
    isBroken(false)
    try await runDue(hourlyFor: days(1))
    #expect(try told().count == 2)
    // A daemon that starts later finds both notifications stored.
    let open = try await bench.serve(Self.yaml)
    _ = await open.service.stale.tellDue()
    await open.pass(hours(3))
    _ = await open.service.stale.tellDue()
    #expect(try told().count == 2)
    try await open.stop()
  }

  @Test(arguments: [false, true])
  func `after a long sleep, a timer reports what its first run reveals`(isBroken: Bool) async throws
  {
    try await runDue()
    bench.clock.advance(by: days(10))
    self.isBroken(isBroken)
    try await runDue()
    #expect(try told() == (isBroken ? [success(since: .zero)] : []) + [news(since: .zero)])
  }

  @Test func `a job that could not run yet gets one hour in total over all starts of the timer`()
    async throws
  {
    // The job waits for a network, because this machine has none.
    let yaml = Self.yaml.replacing("interval: 8h", with: "interval: 8h, conditions: [network]")
    try await runDue(yaml)
    bench.clock.advance(by: days(10))
    for minutes in [0, 30, 29] {
      bench.clock.advance(by: .seconds(minutes * 60))
      try await runDue(yaml, isOnline: false)
      #expect(try told() == [])
    }
    // For a job that ran in between, the hour begins again.
    try await runDue(yaml)
    #expect(try told() == [news(since: .zero)])
    let since = try #require(try bench.records().last).startedAt
    bench.clock.advance(by: days(2))
    try await runDue(yaml, isOnline: false)
    #expect(try told().count == 1)
    bench.clock.advance(by: hours(1))
    try await runDue(yaml, isOnline: false)
    #expect(try told().count == 2)
    let last = try told().last ?? ""
    #expect(last.hasPrefix("a success "), "\(last)")
    let toldSince = Timestamp(rfc3339: String(last.dropFirst("a success ".count)))
    #expect(toldSince.map { $0 >= since } == true)
  }

  @Test func `a timer does not report paused and disabled jobs`() async throws {
    try await runDue()
    isBroken(true)
    bench.clock.advance(by: days(10))
    try await runDue(Self.yaml.replacing("interval: 8h", with: "interval: 8h, enabled: false"))
    #expect(try told() == [])
    let open = try await bench.open(Self.yaml)
    await ask(open, .pause(.named(["a"])))
    try await open.store.close()
    try await runDue()
    #expect(try told() == [])
  }
}

import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchEngine

/// Tests of runs that a client requests from a daemon and waits for.
@Suite(.timeLimit(.minutes(5))) struct RequestedRunTests {
  let bench: ServiceBench

  init() throws { bench = try ServiceBench(inMemory: true) }

  private static let yaml = """
    jobs:
      - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1h}
      - {name: b, plugin: rss, options: {url: "{h2}/b"}, interval: 1h}
    """

  /// A client that waits for runs.
  private final class Asker: Sendable {
    let lines = Lines()
    let task: Task<ControlEnd, Never>

    init(_ open: OpenService, _ selection: JobSelection, onlyDue: Bool = false) {
      let control = open.service.control(reload: { .done })
      let lines = lines
      task = Task {
        await control.answer(.run(selection, skipsInterval: !onlyDue, waits: true)) {
          lines.append($0)
        }
      }
    }

    /// The result of each job, without the parts that vary between runs.
    var told: [String] {
      lines.all.compactMap(RunAnswer.init).map { answer in
        switch answer {
        case .refused(let job, let why): "\(job) refused: \(why)"
        case .notDue(let job, let why): "\(job) not due: \(why)"
        case .awaited(let count): "\(count) awaited"
        case .log(let job, let line): "\(job) \(line.level): \(line.message)"
        case .ended(let record): "\(record.job) \(record.outcome.word) \(record.trigger)"
        case .notice(let job, let sentence): "\(job) notice: \(sentence)"
        case .notRun(let job, let why): "\(job) not run: \(why)"
        }
      }
    }

    func end() async -> ControlEnd { await task.value }
    func untilTold(_ count: Int) async { while lines.all.count < count { await Task.yield() } }
  }

  /// Returns a daemon whose jobs have run once, at the beginning.
  private func served(_ yaml: String = yaml) async throws -> OpenService {
    let open = try await bench.serve(yaml)
    await open.pass(.seconds(60))
    return open
  }

  @Test func `each run is reported when it has ended`() async throws {
    let open = try await served()
    bench.site.hold("h2/b")
    let asker = Asker(open, .all)
    await asker.untilTold(2)
    #expect(asker.told == ["2 awaited", "a noData manual"])
    bench.site.free("h2/b")
    #expect(await asker.end() == .done)
    #expect(asker.told.last == "b noData manual")
    #expect(open.records.map(\.trigger).filter { $0 == .manual }.count == 2)
    try await open.stop()
  }

  @Test func `a run under way answers a request, and is not repeated`() async throws {
    bench.site.hold("h1/a")
    let open = try await bench.serve(Self.yaml)
    await bench.site.wait(for: "h1/a", count: 1)
    let askers = (0..<3).map { _ in Asker(open, .named(["a"])) }
    for asker in askers { await asker.untilTold(1) }
    bench.site.free("h1/a")
    for asker in askers {
      #expect(await asker.end() == .done)
      #expect(asker.told == ["1 awaited", "a newData schedule"])
    }
    #expect(bench.site.asked.filter { $0 == "h1/a" }.count == 1)
    try await open.stop()
  }

  @Test func `a run's log and its job's notices are sent with its result`() async throws {
    bench.site.at("h1/a") { $0 == 2 ? Site.Answer(status: 410, body: "gone") : Site.Answer() }
    let open = try await served()
    let asker = Asker(open, .named(["a"]))
    #expect(await asker.end() == .done)
    #expect(
      asker.told == [
        "1 awaited", "a failed manual",
        "a notice: the source answered 410 Gone, so the job is paused: change the source's "
          + "address to resume the job, or remove the job",
      ])
    try await open.stop()
  }

  @Test func `a paused job is refused, and the other jobs run`() async throws {
    let open = try await served()
    _ = open.service.jobs.pause("a", now: bench.now)
    let asker = Asker(open, .all)
    #expect(await asker.end() == .done)
    #expect(
      asker.told == [
        "a refused: it was paused at 2026-11-20T00:01:00Z", "1 awaited", "b noData manual",
      ])
    try await open.stop()
  }

  @Test func `nothing runs if one name is unknown`() async throws {
    let open = try await served()
    let asker = Asker(open, .named(["a", "bb"]))
    #expect(
      await asker.end()
        == .failed("there is no job 'bb' (did you mean 'b'?)", code: .unknownJob))
    #expect(asker.told == [])
    #expect(bench.site.asked.count == 2)
    try await open.stop()
  }

  @Test
  func `a job that must wait for long is reported as not run when the other jobs have ended`()
    async throws
  {
    let open = try await bench.serve("budget: {requests: 1/h}\n" + Self.yaml)
    await open.pass(.seconds(3600 + 1800))
    // The budget let one job run at 0:00 and the other at 1:00. The budget allows the next run in
    // half an hour.
    bench.site.hold("h2/b")
    let asker = Asker(open, .all)
    #expect(await asker.end() == .done)
    #expect(asker.told.first == "2 awaited")
    let why = "not run: the budget of 1 request an hour has too little left until 2026-11-20T02:"
    #expect(asker.told.dropFirst().count == 2)
    #expect(asker.told.dropFirst().allSatisfy { $0.contains(why) }, "\(asker.told)")
    try await open.stop()
  }

  @Test func `a lane that closes while a job waits for it ends the waiting`() async throws {
    for place in ["h1/a", "h1/c"] {
      bench.site.at(place) { count in
        count == 2 ? Site.Answer(status: 429, headers: ["Retry-After: 600"]) : Site.Answer()
      }
    }
    let open = try await bench.serve(
      """
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1h}
        - {name: c, plugin: rss, options: {url: "{h1}/c"}, interval: 1h}
      """)
    await open.pass(.seconds(60))
    let asker = Asker(open, .all)
    #expect(await asker.end() == .done)
    // The budget determines which job runs first.
    #expect(asker.told[0] == "2 awaited")
    #expect(asker.told[1].hasSuffix(" failed manual"))
    #expect(
      asker.told[2].hasSuffix(
        " not run: h1.localhost gets no requests until 2026-11-20T00:11:00Z (in 10m)"
          + " because it sent Retry-After"))
    try await open.stop()
  }

  @Test func `the loss of the network ends the wait for jobs that need it`() async throws {
    let open = try await served(
      """
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1h, conditions: [network]}
      """)
    open.service.jobs.setOnline(false, now: bench.now)
    let asker = Asker(open, .all)
    #expect(await asker.end() == .done)
    #expect(
      asker.told.last == "a not run: this machine has been offline since 2026-11-20T00:01:00Z")
    try await open.stop()
  }

  @Test
  func `a stopping daemon reports the results of active runs, and the jobs that will not run`()
    async throws
  {
    let open = try await served("budget: {runs: 1}\n" + Self.yaml)
    bench.site.hold("h1/a")
    let first = Asker(open, .named(["a"]))
    await bench.site.wait(for: "h1/a", count: 2)
    let second = Asker(open, .named(["b"]))
    await second.untilTold(1)
    open.service.loop.drain()
    #expect(await second.end() == .done)
    #expect(second.told == ["1 awaited", "b not run: the daemon is stopping"])
    #expect(first.told == ["1 awaited"])
    bench.site.free("h1/a")
    #expect(await first.end() == .done)
    #expect(first.told == ["1 awaited", "a noData manual"])
    try await open.stop()
    let late = Asker(open, .all)
    #expect(await late.end() == .done)
    #expect(late.told.count == 3 && late.told.last == "b not run: the daemon is stopping")
  }

  @Test func `a job that a reload removes is reported as removed`() async throws {
    let open = try await served("budget: {runs: 1}\n" + Self.yaml)
    bench.site.hold("h1/a")
    let first = Asker(open, .named(["a"]))
    await bench.site.wait(for: "h1/a", count: 2)
    let second = Asker(open, .named(["b"]))
    await second.untilTold(1)
    let config = try bench.config("jobs: []")
    try await open.service.reload(config, [], local: .utc)
    #expect(await second.end() == .done)
    #expect(second.told.last == "b not run: the job was removed")
    bench.site.free("h1/a")
    #expect(await first.end() == .done)
    #expect(first.told.last == "a noData manual")
    try await open.stop()
  }

  @Test func `a client that disconnects ends no run, and another client can wait in its place`()
    async throws
  {
    let open = try await served()
    bench.site.hold("h1/a")
    let askers = (0..<RunLoop.watchesMax).map { _ in Asker(open, .named(["a"])) }
    for asker in askers { await asker.untilTold(1) }
    let tooMany = Asker(open, .all)
    #expect(
      await tooMany.end()
        == .failed(
          "too many clients wait for runs; try again later", code: .tooManyClients))
    for asker in askers { asker.task.cancel() }
    for asker in askers { #expect(await asker.end() == .done) }
    let after = Asker(open, .named(["a"]))
    await after.untilTold(1)
    bench.site.free("h1/a")
    #expect(await after.end() == .done)
    #expect(after.told == ["1 awaited", "a noData manual"])
    #expect(bench.site.asked.filter { $0 == "h1/a" }.count == 2)
    try await open.stop()
  }

  @Test func `each due job is reported, and no other job runs`() async throws {
    bench.site.hold("h1/a")
    let open = try await bench.serve(
      """
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1h}
        - {name: beside, plugin: rss, options: {url: "{h1}/b"}, interval: 1h}
        - {name: c, plugin: rss, options: {url: "{h2}/c"}, interval: 1d}
        - {name: paused, plugin: rss, options: {url: "{h3}/d"}, interval: 1h}
        - {name: never, plugin: rss, options: {url: "{h4}/e"}, interval: never}
      """)
    await bench.site.wait(for: "h1/a", count: 1)
    await bench.site.wait(for: "h2/c", count: 1)
    await bench.site.wait(for: "h3/d", count: 1)
    while open.records.count < 2 { await Task.yield() }
    _ = open.service.jobs.pause("paused", now: bench.now)
    let asker = Asker(open, .all, onlyDue: true)
    await asker.untilTold(1)
    #expect(asker.told == ["2 awaited"])
    bench.site.free("h1/a")
    await asker.untilTold(2)
    #expect(asker.told.last == "a newData schedule")
    await open.pass(.seconds(1))
    #expect(await asker.end() == .done)
    #expect(asker.told.dropFirst(2) == ["beside newData schedule"])
    #expect(bench.site.asked.count == 4)

    let late = Asker(open, .all, onlyDue: true)
    #expect(await late.end() == .done)
    #expect(late.told == ["0 awaited"])
    let named = Asker(open, .named(["paused", "c"]), onlyDue: true)
    #expect(await named.end() == .done)
    try #require(named.told.count == 3, "\(named.told)")
    #expect(named.told.first == "paused refused: it has been paused since 2026-11-20T00:00:00Z")
    #expect(named.told[1].hasPrefix("c not due: it is due at 2026-11-21T00:0"), "\(named.told)")
    #expect(named.told.last == "0 awaited")
    try await open.stop()
  }

  // MARK: Which run

  @Test func `a run that ended before the request does not answer it`() throws {
    func ended(_ number: Int64) -> EndedRun {
      let record = RunRecord(
        run: RunID(startedAt: bench.now, random: (0, 0)), job: "a", plugin: "", trigger: .manual,
        outcome: .noData(.empty), startedAt: bench.now)
      return EndedRun(number: number, report: RunReport(record: record))
    }
    let watch = RunSubscription()
    watch.expect("a") { 3 }
    watch.expect("b") { nil }
    let notice = JobNotice(job: "b", notice: .gone)
    watch.note([ended(2)], [notice])
    #expect(watch.takeEvents().isEmpty)
    #expect(watch.look { $0 } == [JobName("a"): 3])
    watch.note([ended(3), ended(4)], [JobNotice(job: "a", notice: .gone), notice])
    #expect(watch.awaitedCount == 0)
    #expect(watch.takeEvents().count == 2)
    watch.note([ended(5)], [JobNotice(job: "a", notice: .gone)])
    #expect(watch.takeEvents().isEmpty)
  }
}

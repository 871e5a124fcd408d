import FetchConfig
import FetchEngine
import FetchModel
import FetchSchedule
import FetchStore
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of a config's jobs while no daemon uses the store, without starting the program.
@Suite struct StoredJobsTests {
  private static let good = """
    jobs:
      - { name: a, plugin: json-api, interval: never, options: { url: "{h1}/a" } }
      - { name: off, plugin: json-api, options: { url: "{h1}/b" }, enabled: false }
    """
  private static let bad = good + "\n  - { name: b, plugin: json-api }"

  /// A job and a hook whose files ask for more than the config allows.
  private static let refused = """
    hooks: [{ name: tidy, lua: { file: ./tidy.lua, allow: { hosts: [] } } }]
    jobs:
      - { name: a, plugin: ./asker.lua, allow: { hosts: [] }, interval: 1h }
    """

  private let bench: ServiceBench

  init() throws { bench = try ServiceBench() }

  private func jobs(
    _ yaml: String, problems: [ConfigProblem] = [], toleratesMistakes: Bool = true
  ) async throws -> StoredJobs {
    try await StoredJobs(
      bench.config(yaml), problems: problems, toleratesMistakes: toleratesMistakes,
      store: .file(bench.storePath), shelf: bench.shelf, local: .utc,
      suggested: SuggestedCommand())
  }

  private func writeAskers() throws {
    let asked = "permissions = { http = { \"a.example\" } },"
    try bench.write(
      "asker.lua",
      """
      return {
        api = 1, name = "asker", version = "1.0.0", \(asked) fetch = function() return {} end,
      }
      """)
    try bench.write(
      "tidy.lua", "return { \(asked) on_item = function(item) return item end }")
  }

  private func ask(_ request: ControlRequest, _ control: JobControl) async -> [Value] {
    let lines = Mutex<[Value]>([])
    let end = await control.answer(request) { line in lines.withLock { $0.append(line) } }
    #expect(end == .done)
    return lines.withLock { $0 }
  }

  private func states(_ jobs: StoredJobs) async throws -> [String] {
    let control = try #require(try await jobs.readingControl(at: bench.now))
    return await ask(.status(job: nil), control).compactMap(StatusLine.init).map {
      "\($0.job) \($0.state)"
    }
  }

  @Test func `jobs have the state that a daemon would start with, and nothing is written`()
    async throws
  {
    try await bench.openStore().close()
    let found = try await jobs(Self.good)
    #expect(found.problems.isEmpty)
    #expect(try await states(found) == ["a idle", "off disabled"])
    #expect(try await StoreOpener.read(.file(bench.storePath)).jobs().isEmpty)
  }

  @Test func `a job with mistakes is listed if mistakes are tolerated`() async throws {
    try await bench.openStore().close()
    let found = try await jobs(Self.bad)
    #expect(found.problems.count == 1)
    #expect(found.problems.first?.description.contains("job 'b': ") == true)
    #expect(try await states(found).count == 3)
    let error = await #expect(throws: ConfigProblems.self) {
      _ = try await jobs(Self.bad, toleratesMistakes: false)
    }
    #expect(error?.all.map(\.description) == found.problems.map(\.description))
  }

  @Test func `a missing store is an error, unless the config has mistakes to report`()
    async throws
  {
    let good = try await jobs(Self.good)
    let error = await #expect(throws: StoreError.self) {
      _ = try await good.readingControl(at: bench.now)
    }
    #expect(error?.code == .missing)
    let bad = try await jobs(Self.bad)
    let control = try await bad.readingControl(at: bench.now)
    if control != nil { Issue.record("a missing store was opened") }
  }

  @Test func `explain reports files that may not run, before their first run`() async throws {
    try writeAskers()
    try await bench.openStore().close()
    let control = try #require(try await jobs(Self.refused).readingControl(at: bench.now))
    let sentences = await ask(.explain(job: "a"), control).compactMap {
      $0["sentence"]?.stringValue
    }
    #expect(sentences.contains { $0.hasPrefix("It is held: ") }, "\(sentences)")
    #expect(sentences.contains { $0.hasPrefix("Its hook tidy is held: ") }, "\(sentences)")
  }

  @Test func `the status says that a job is held after a refused run`() async throws {
    try writeAskers()
    let open = try await bench.open(Self.refused, logger: { _ in })
    open.begin(until: .stopped)
    await open.untilQuiet()
    #expect(open.records.map(\.outcome.failure?.code) == [.permission])
    try await open.stop()
    let control = try #require(try await jobs(Self.refused).readingControl(at: bench.now))
    let lines = await ask(.status(job: nil), control).compactMap(StatusLine.init)
    #expect(lines.map(\.isHeld) == [true])
  }

  @Test func `the status says that the last run was cancelled, beside the outcome before it`()
    async throws
  {
    let yaml = "jobs: [{name: a, plugin: rss, interval: 1h, options: {url: \"{h1}/a\"}}]"
    let open = try await bench.serve(yaml)
    await open.pass(.seconds(60))
    bench.site.hold("h1/a")
    _ = open.service.jobs.trigger("a", .manual, now: bench.now)
    open.service.loop.poke()
    await bench.site.wait(for: "h1/a", count: 2)
    open.service.loop.drain()
    open.service.loop.cancelRuns()
    await open.untilOver()
    bench.site.free("h1/a")
    try await open.stop()
    let control = try #require(try await jobs(yaml).readingControl(at: bench.now))
    let lines = await ask(.status(job: "a"), control).compactMap(StatusLine.init)
    #expect(lines.map(\.lastOutcome) == ["newData"])
    #expect(
      lines.map(\.why) == [
        "it is due at 2026-11-20T01:00:00Z (in 59m) by its interval; its last run was cancelled"
      ])
  }

  @Test func `a pause is stored for the next daemon`() async throws {
    let store = try await bench.openStore()
    let control = try await jobs(Self.good).writingControl(bench.pipeline(store), events: .none)
    let lines = await ask(.pause(.named(["a"])), control)
    #expect(lines.compactMap { $0["job"] } == ["a"])
    try await store.close()
    #expect(try await states(try await jobs(Self.good)) == ["a paused", "off disabled"])
    let reopened = try await bench.openStore()
    let other = try await jobs(Self.good).writingControl(bench.pipeline(reopened), events: .none)
    _ = await ask(.resume(.named(["a"])), other)
    try await reopened.close()
    #expect(try await states(try await jobs(Self.good)) == ["a idle", "off disabled"])
  }
}

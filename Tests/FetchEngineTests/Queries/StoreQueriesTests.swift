import FetchEngine
import FetchModel
import FetchSchedule
import FetchStore
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the commands' queries, on a store in memory and without starting the program.
@Suite struct StoreQueriesTests {
  private static let start = Timestamp(seconds: 1_800_000_000)
  private let folder: String
  private let store: MemoryStore
  private let queries: StoreQueries

  init() throws {
    folder = try TemporaryFolder.make("queries")
    store = MemoryStore(path: folder + "/store")
    queries = StoreQueries(store) { Self.start }
  }

  /// The lines in the log of reads.
  private var reads: [String] {
    let text = try? String(contentsOfFile: folder + "/store.reads", encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  private func runID(_ number: UInt64) -> RunID {
    RunID(startedAt: Self.start, random: (number, number))
  }

  private func run(_ number: UInt64, title: String) async throws {
    let snapshot = try await store.openJob("news", run: runID(number))
    var item = ParsedItem()
    item.id = "a"
    item.title = title
    let rules = ItemRules()
    let result = IdentifiedItems([item], rules: rules)
    let known = try store.known(result, of: snapshot, rules: rules)
    let changes = Diff.decide(
      result, rules: rules, known: known, isFirstRun: snapshot.isFirstRun, isWhole: true,
      now: Self.start)
    var commit = RunCommit(
      record: RunRecord(
        run: runID(number), job: "news", plugin: "rss", trigger: .manual,
        outcome: changes.outcome, startedAt: Self.start))
    commit.changes = changes
    _ = try store.commit(commit)
    store.abandon("news", run: runID(number))
  }

  @Test func `a person's read is recorded, whichever command makes it`() async throws {
    try await run(1, title: "one")
    _ = try await queries.items(ItemQuery(), after: nil)
    _ = try await queries.items(ItemQuery(job: "news"), after: nil)
    _ = try await queries.versions(job: "news", id: "a")
    _ = try await queries.versions(job: "news", id: "missing")
    #expect(
      reads == [
        "1800000000", #"1800000000 "news""#, #"1800000000 "news""#, #"1800000000 "news""#,
      ])
  }

  @Test func `a program that continues reading, and a later page, are not recorded as reads`()
    async throws
  {
    try await run(1, title: "one")
    let page = try await queries.items(ItemQuery(since: 0), after: nil)
    #expect(page.elements.map(\.title) == ["one"])
    _ = try await queries.items(ItemQuery(), after: .sequence(9, left: nil))
    #expect(reads == [])
  }

  @Test func `a message about an unknown job has the nearest name, and no read is recorded`()
    async throws
  {
    try await run(1, title: "one")
    let error = StoreError.unknownJob("newz", among: ["news"])
    #expect(error.message == "the store has no job 'newz' (did you mean 'news'?)")
    await #expect(throws: error) { _ = try await queries.items(ItemQuery(job: "newz"), after: nil) }
    await #expect(throws: error) { _ = try await queries.versions(job: "newz", id: "a") }
    await #expect(throws: error) { _ = try await queries.runs(job: "newz", limit: nil) }
    await #expect(throws: error) { _ = try await queries.job("newz") }
    #expect(reads == [])
    #expect(try await queries.job("news").itemCount == 1)
  }

  @Test func `a job without items has an empty page and no versions, and each read is recorded`()
    async throws
  {
    let record = RunRecord(
      run: runID(1), job: "quiet", plugin: "rss", trigger: .manual, outcome: .noData(.empty),
      startedAt: Self.start)
    _ = try store.commit(RunCommit(record: record))
    #expect(
      try await queries.items(ItemQuery(job: "quiet"), after: nil).elements.isEmpty)
    #expect(try await queries.versions(job: "quiet", id: "a").isEmpty)
    #expect(reads == [#"1800000000 "quiet""#, #"1800000000 "quiet""#])
  }

  @Test func `versions and runs come newest first`() async throws {
    try await run(1, title: "one")
    try await run(2, title: "two")
    #expect(try await queries.versions(job: "news", id: "a").map(\.title) == ["two", "one"])
    #expect(try await queries.runs(job: nil, limit: nil).map(\.run) == [runID(2), runID(1)])
    #expect(try await queries.runs(job: "news", limit: 1).map(\.run) == [runID(2)])
  }

  @Test func `without deliveries the config's hooks are not read`() async throws {
    let listed = try await queries.deliveries(onlyDead: false, hook: nil) {
      Issue.record("asked")
      return nil
    }
    #expect(listed.isEmpty)
    try await store.add(
      NewDelivery(
        hook: "x", job: "a", run: nil, event: .newData, payload: "{}", key: "1",
        createdAt: Self.start))
    let hooks = try await queries.deliveries(onlyDead: false, hook: nil) { nil }.map(\.hook)
    #expect(hooks == ["x"])
    #expect(try await queries.deliveries(onlyDead: true, hook: nil) { nil }.isEmpty)
    #expect(try await queries.deliveryCounts() == (1, 0))
  }

  @Test func `a message gives the reason why a run is not kept`() async throws {
    try await run(1, title: "one")
    #expect(try await queries.keptRuns().isEmpty)
    let unknown = try await queries.sentence(missing: "other", among: [], listing: "`list`")
    #expect(
      unknown
        == "the store has no run of a job 'other', and not exactly one run whose id begins with"
        + " 'other'; `list` lists the kept runs")
    try await run(2, title: "two")
    let part = String(runID(1).description.prefix(8))
    #expect(
      try await queries.sentence(missing: part, among: [], listing: "`list`")
        == "the store has no run of a job '\(part)', and not exactly one run whose id begins with"
        + " '\(part)'; `list` lists the kept runs")
    let known = try await queries.sentence(missing: "news", among: [], listing: "`list`")
    #expect(known.hasPrefix("the run \(runID(2)) of news cannot be replayed: "))
  }

  @Test func `a message about an ambiguous name of a kept run lists runs that have it`()
    async throws
  {
    let rows = (1...3).map { number in
      KeptRunRow(run: runID(number), job: "news", startedAt: Self.start, bytes: 1_000)
    }
    let part = String(runID(1).description.prefix(8))
    #expect(rows.run(named: part) == nil)
    #expect(
      try await queries.sentence(missing: part, among: rows, listing: "`list`")
        == "the ids of 3 kept runs begin with '\(part)', such as \(runID(1)) of news and"
        + " \(runID(2)) of news: type more of the run's id, or a job's name for its last kept run;"
        + " `list` lists the kept runs")
  }

  @Test func `a job that the config disables counts neither as broken nor as due`() async throws {
    var schedule = JobSchedule()
    schedule.failureCount = Scheduler.brokenAfter
    schedule.dueAt = Self.start
    let stored = StoredSchedule(schedule.encoded)
    var memory = SchedulerMemory()
    memory.schedules = [("off", "rss", stored), ("on", "rss", stored)]
    try store.remember(memory)
    let known = try await queries.overview(disabled: ["off"])
    #expect(known.broken == 1 && known.jobs == [.disabled: 1, .backOff: 1])
    let all = try await queries.overview(disabled: ["off", "on"])
    #expect(all.broken == 0 && all.nextDueAt == nil)
    #expect(try await queries.overview().broken == 2)
  }

  @Test func `an error of the store reaches the caller`() async throws {
    let error = StoreError(.unreachable, "the disk is gone")
    store.fail(error)
    await #expect(throws: error) { _ = try await queries.items(ItemQuery(), after: nil) }
    #expect(reads == [])
  }
}

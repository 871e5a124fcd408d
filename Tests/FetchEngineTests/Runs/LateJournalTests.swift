import FetchEngine
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

/// Tests of runs that are stored while they are under way.
@Suite(.timeLimit(.minutes(5))) struct LateJournalTests {
  private let clock = ManualClock()
  private let store: any Store
  private let slow: LateJournal
  private static let start = Timestamp(seconds: 1_800_000_000)

  init() async throws {
    store = MemoryStore()
    slow = LateJournal(store: store, clock: clock)
  }

  private func begin(_ job: JobName) async throws -> LateJournal.Entry {
    let number = UInt64(job.text.utf8.first ?? 0)
    let record = RunRecord(
      run: RunID(startedAt: Self.start, random: (number, number)), job: job, plugin: "rss",
      trigger: .manual, outcome: .noData(.sameItems), startedAt: Self.start)
    _ = try await store.openJob(job, run: record.run)
    return slow.begin(record)
  }

  /// Advances the clock by one period, and waits until the journal has checked the runs.
  private func pass(_ number: Int) async throws {
    _ = try await clock.waitForSleeper(notAfter: LateJournal.period * number)
    clock.advance(by: LateJournal.period)
    while clock.sleeperCount == 0, slow.isLooking { await Task.yield() }
  }

  private func waitForJobs(_ names: [JobName]) async throws {
    while try await store.jobs().map(\.name) != names { await Task.yield() }
  }

  @Test func `only long runs are stored early, and nothing is checked while no run is active`()
    async throws
  {
    _ = try await begin("a")
    let short = try await begin("b")
    try await pass(1)
    short.end()
    let other = try await begin("c")
    try await pass(2)
    // Only runs that had not ended are stored.
    try await waitForJobs(["a"])
    other.end()
    try await pass(3)
    // No run is left, so the journal checks again only after another run has begun.
    #expect(!slow.isLooking && clock.sleeperCount == 0)
    _ = try await begin("d")
    try await pass(4)
    try await pass(5)
    try await waitForJobs(["a", "d"])
    #expect(!slow.isLooking && clock.sleeperCount == 0)
  }
}

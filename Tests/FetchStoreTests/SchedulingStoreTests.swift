import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the scheduler's state in the store, also after crashes.
@Suite struct SchedulingStoreTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("store.sqlite")
  }

  private func reader() throws -> StoreReader { try StoreReader(at: path) }

  private func remember(_ store: SQLiteStore, _ body: (inout SchedulerMemory) -> Void) async throws
  {
    var memory = SchedulerMemory()
    body(&memory)
    try await store.remember(memory)
  }

  private static func memory(budget: [UInt8], learned: [UInt8]) -> SharedMemory {
    var memory = SharedMemory()
    memory.budget = budget
    memory.learned = learned
    return memory
  }

  /// The rows have the form that fetchrun has always written.
  @Test func `the ledger of an older fetchrun is read`() async throws {
    try await SQLiteStore.open(at: path).close()
    let mark = withUnsafeBytes(of: Runs.start.milliseconds.littleEndian) { Array($0) }
    let rows: [(String, [UInt8])] = [
      ("budget", [1]), ("lane a.test", [2]), ("pausedAll", Value.integer(5_000).encoded),
      ("adaptive", [3]), ("reads", [4]), ("readsOfJobs", [5]),
      ("seed", Value.integer(-1).encoded), ("hook rate chat", [6]),
      ("stale waits", Value.object(ValueObject([("news", .integer(7_000))])).encoded),
      ("stale seen news", mark), ("stale success chat news", mark),
    ]
    let db = try SQLConnection(at: path, .readWrite)
    for (name, content) in rows { try db.run("INSERT INTO ledger VALUES (?, ?)", name, content) }
    let store = try await SQLiteStore.open(at: path)
    var memory = Self.memory(budget: [1], learned: [3])
    memory.lanes = ["a.test": [2]]
    memory.pause = .since(Timestamp(seconds: 5))
    (memory.habits, memory.habitsOfJobs, memory.seed) = ([4], [5], .max)
    #expect(try reader().sharedMemory() == memory)
    #expect(try reader().paces(of: ["chat", "mail"]) == ["chat": [6]])
    #expect(try reader().waits() == ["news": Timestamp(seconds: 7)])
    let later = Runs.start + .seconds(1)
    #expect(try await store.firstSeen(["news"], now: later) == ["news": Runs.start])
    let stale = NewDelivery(
      hook: "chat", job: "news", run: nil, event: .stale, payload: "{}", key: "a",
      createdAt: Runs.start)
    #expect(try await !store.notifyStale(stale, what: .success, since: Runs.start))
    // The ledger is also written in the same form.
    var over = SharedMemory()
    over.pause = .over
    try await remember(store) { $0.shared = over }
    try await store.setWaits(["news": Timestamp(seconds: 7)])
    let ledger = try reader().ledger()
    #expect(ledger["pausedAll"] == Value.null.encoded)
    #expect(ledger["stale waits"] == rows[8].1)
  }

  @Test func `a part of the state stays until it is replaced`() async throws {
    let store = try await SQLiteStore.open(at: path)
    for (number, learned) in [[5], nil, [6]].enumerated() as EnumeratedSequence<[[UInt8]?]> {
      var commit = RunCommit(record: Runs.record(number + 1))
      commit.schedule = StoredSchedule([UInt8(number)], learned: learned)
      _ = try await store.openJob("news", run: Runs.id(number + 1))
      _ = try await store.commit(commit)
      #expect(
        try reader().schedules()
          == ["news": StoredSchedule([UInt8(number)], learned: learned ?? [5])])
    }
  }

  @Test func `the state is available to readers, and after a restart`() async throws {
    let store = try await SQLiteStore.open(at: path)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try await remember(store) {
      $0.schedules = [
        ("news", "rss", StoredSchedule([1, 2], learned: [9])),
        ("new", "json-api", StoredSchedule([3])),
      ]
      $0.shared = Self.memory(budget: [4], learned: [5])
    }
    try await remember(store) { $0.shared.budget = [6] }
    try await store.close()
    #expect(
      try reader().schedules() == [
        "news": StoredSchedule([1, 2], learned: [9]), "new": StoredSchedule([3]),
      ])
    #expect(try reader().sharedMemory() == Self.memory(budget: [6], learned: [5]))
    let again = try await SQLiteStore.open(at: path)
    // A job that has only a schedule has had no result.
    #expect(try await again.openJob("new", run: Runs.id(2)).isFirstRun)
    #expect(again.abandonedJobs.isEmpty)
  }

  @Test func `a run's commit stores both schedule and ledger, or neither of them`() async throws {
    let store = try await SQLiteStore.open(at: path)
    var commit = RunCommit(record: Runs.record(1))
    commit.schedule = StoredSchedule([7])
    commit.shared.budget = [8]
    _ = try await store.openJob("news", run: Runs.id(1))
    _ = try await store.commit(commit)
    #expect(try reader().schedules() == ["news": StoredSchedule([7])])
    #expect(try reader().sharedMemory().budget == [8])
    // A commit without schedule and ledger leaves both unchanged.
    try await Runs.run(2, store, items: [])
    #expect(try reader().schedules() == ["news": StoredSchedule([7])])
    #expect(try reader().sharedMemory().budget == [8])
  }

  @Test func `a reset removes the items and keeps the due time`() async throws {
    let store = try await SQLiteStore.open(at: path)
    try await Runs.run(1, store, items: [Runs.item("a")])
    try await remember(store) { $0.schedules = [("news", "rss", StoredSchedule([1]))] }
    #expect(try await store.reset(job: "news"))
    #expect(try reader().schedules() == ["news": StoredSchedule([1])])
  }

  @Test func `the latest skips of each job are kept`() async throws {
    let store = try await SQLiteStore.open(at: path)
    func skip(_ job: JobName, _ number: Int) -> SkipRecord {
      SkipRecord(
        job: job, at: Runs.start + .seconds(Int64(number)), reason: "\(job) skipped \(number)")
    }
    let count = SkipRecord.keptPerJob + 30
    try await remember(store) { $0.skips = [skip("quiet", 0), skip("quiet", 1)] }
    for half in [0..<count / 2, count / 2..<count] {
      try await remember(store) { $0.skips = half.map { skip("busy", $0) } }
    }
    let busy = try reader().skips(job: "busy", limit: 1000)
    #expect(busy == (0..<count).suffix(SkipRecord.keptPerJob).reversed().map { skip("busy", $0) })
    #expect(try reader().skips(job: "quiet", limit: 1000) == [skip("quiet", 1), skip("quiet", 0)])
    #expect(try reader().skips(limit: 3) == Array(busy.prefix(3)))
    #expect(try reader().skips(limit: 1000).count == SkipRecord.keptPerJob + 2)
    #expect(try reader().skips(job: "nobody", limit: 5).isEmpty)
  }

  // MARK: Abandoned runs

  @Test func `the next process that opens the store reports an unfinished run as abandoned`()
    async throws
  {
    var store: SQLiteStore? = try await SQLiteStore.open(at: path)
    try await Runs.run(1, #require(store), job: "calm", items: [Runs.item("a")])
    for (number, job) in [(2, "news"), (3, "prices")] {
      _ = try await store?.openJob(
        JobName(job), run: Runs.id(number), noting: Runs.record(number, job: JobName(job)))
    }
    // This is the state after a crash: nothing more is written, and the lock is released.
    store = nil
    let again = try await SQLiteStore.open(at: path)
    #expect(again.abandonedJobs.sorted() == ["news", "prices"])
    let runs = try reader().runs()
    #expect(runs.count == 3)
    for run in runs where run.job != "calm" {
      #expect(run.outcome.failure?.code == .abandoned)
      #expect(run.outcome.failure?.retryable == true)
      #expect(
        run.outcome.failure?.message
          == "the run did not end: fetchrun stopped in the middle of it")
    }
    // The abandoned run had no result, so the next run still counts as the first one.
    #expect(try await again.openJob("news", run: Runs.id(4)).isFirstRun)
    try await again.close()
    // The process may have no scheduler, so the store returns the run until a scheduler
    // acknowledges it.
    let steps: [([JobName], [JobName])] = [
      ([], ["news", "prices"]), (["prices"], ["news"]), (["news"], []),
    ]
    for (rescued, left) in steps {
      let store = try await SQLiteStore.open(at: path)
      var memory = SchedulerMemory()
      memory.rescued = rescued
      try await store.remember(memory)
      try await store.close()
      let next = try await SQLiteStore.open(at: path)
      #expect(next.abandonedJobs.sorted() == left)
      try await next.close()
    }
  }

  @Test func `a run whose start was recorded has one record when it has ended`() async throws {
    let store = try await SQLiteStore.open(at: path)
    _ = try await store.openJob("news", run: Runs.id(1), noting: Runs.record(1))
    #expect(try reader().runs().isEmpty)
    _ = try await store.commit(RunCommit(record: Runs.record(1, outcome: .noData(.empty))))
    #expect(try reader().runs().map(\.outcome) == [.noData(.empty)])
    try await store.close()
    #expect(try await SQLiteStore.open(at: path).abandonedJobs.isEmpty)
  }
}

import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the scheduler's state in the store, also after crashes.
@Suite struct SchedulingStoreTests {
  private func remember(
    _ store: any Store, _ body: (inout SchedulerMemory) -> Void
  ) async throws {
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
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
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
    #expect(try store.reader.sharedMemory() == memory)
    #expect(try store.reader.paces(of: ["chat", "mail"]) == ["chat": [6]])
    #expect(try store.reader.waits() == ["news": Timestamp(seconds: 7)])
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
    let ledger = try store.reader.ledger()
    #expect(ledger["pausedAll"] == Value.null.encoded)
    #expect(ledger["stale waits"] == rows[8].1)
  }

  @Test(arguments: StoreKind.allCases)
  func `a part of the state stays until it is replaced`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    for (number, learned) in [[5], nil, [6]].enumerated() as EnumeratedSequence<[[UInt8]?]> {
      var commit = RunCommit(record: Runs.record(number + 1))
      commit.schedule = StoredSchedule([UInt8(number)], learned: learned)
      _ = try await store.openJob("news", run: Runs.id(number + 1))
      _ = try await store.commit(commit)
      let schedule = StoredSchedule([UInt8(number)], learned: learned ?? [5])
      #expect(try await store.allSchedules() == [JobMemory(job: "news", schedule: schedule)])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `the state is available after a restart`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    try await Runs.run(1, bench.store, items: [Runs.item("a")])
    try await remember(bench.store) {
      $0.schedules = [
        ("news", "rss", StoredSchedule([1, 2], learned: [9])),
        ("new", "json-api", StoredSchedule([3])),
      ]
      $0.shared = Self.memory(budget: [4], learned: [5])
    }
    try await remember(bench.store) { $0.shared.budget = [6] }
    let again = try await bench.restarted().store
    #expect(
      try await again.allSchedules() == [
        JobMemory(job: "news", schedule: StoredSchedule([1, 2], learned: [9])),
        JobMemory(job: "new", schedule: StoredSchedule([3])),
      ])
    #expect(try await again.sharedMemory() == Self.memory(budget: [6], learned: [5]))
    // A job that has only a schedule has had no result.
    #expect(try await again.openJob("new", run: Runs.id(2)).isFirstRun)
    #expect(try await again.recover() == StoreRecovery())
  }

  @Test(arguments: StoreKind.allCases)
  func `a run's commit stores its schedule and the shared state, or leaves them unchanged`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    var commit = RunCommit(record: Runs.record(1))
    commit.schedule = StoredSchedule([7])
    commit.shared.budget = [8]
    _ = try await store.openJob("news", run: Runs.id(1))
    _ = try await store.commit(commit)
    let schedules = [JobMemory(job: "news", schedule: StoredSchedule([7]))]
    #expect(try await store.allSchedules() == schedules)
    #expect(try await store.sharedMemory().budget == [8])
    try await Runs.run(2, store, items: [])
    #expect(try await store.allSchedules() == schedules)
    #expect(try await store.sharedMemory().budget == [8])
  }

  @Test(arguments: StoreKind.allCases)
  func `a reset removes the items and keeps the due time`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await Runs.run(1, store, items: [Runs.item("a")])
    try await remember(store) { $0.schedules = [("news", "rss", StoredSchedule([1]))] }
    #expect(try await store.reset(job: "news"))
    #expect(try await store.allItems(ItemQuery()).isEmpty)
    #expect(
      try await store.allSchedules() == [JobMemory(job: "news", schedule: StoredSchedule([1]))])
  }

  @Test(arguments: StoreKind.allCases)
  func `the latest skips of each job are kept`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    func skip(_ job: JobName, _ number: Int) -> SkipRecord {
      SkipRecord(
        job: job, at: Runs.start + .seconds(Int64(number)), reason: "\(job) skipped \(number)")
    }
    let count = SkipRecord.keptPerJob + 30
    try await remember(store) { $0.skips = [skip("quiet", 0), skip("quiet", 1)] }
    for half in [0..<count / 2, count / 2..<count] {
      try await remember(store) { $0.skips = half.map { skip("busy", $0) } }
    }
    let busy = try await store.skips(job: "busy", limit: 1000)
    #expect(busy == (0..<count).suffix(SkipRecord.keptPerJob).reversed().map { skip("busy", $0) })
    let quiet = try await store.skips(job: "quiet", limit: 1000)
    #expect(quiet == [skip("quiet", 1), skip("quiet", 0)])
    #expect(try await store.skips(job: nil, limit: 3) == Array(busy.prefix(3)))
    #expect(try await store.skips(job: nil, limit: 1000).count == SkipRecord.keptPerJob + 2)
    #expect(try await store.skips(job: "nobody", limit: 5).isEmpty)
  }

  // MARK: Abandoned runs

  @Test(arguments: StoreKind.allCases)
  func `the next process that opens the store reports an unfinished run as abandoned`(
    kind: StoreKind
  ) async throws {
    var bench = try await StoreBench(kind)
    try await Runs.run(1, bench.store, job: "calm", items: [Runs.item("a")])
    for (number, job) in [(2, "news"), (3, "prices")] {
      let job = JobName(job)
      _ = try await bench.store.openJob(
        job, run: Runs.id(number), plugin: nil, noting: Runs.record(number, job: job))
    }
    bench = try await bench.restarted()
    #expect(try await bench.store.recover().abandonedJobs.sorted() == ["news", "prices"])
    let runs = try await bench.store.allRuns()
    #expect(runs.count == 3)
    for run in runs where run.job != "calm" {
      #expect(run.outcome.failure?.code == .abandoned)
      #expect(run.outcome.failure?.retryable == true)
      #expect(
        run.outcome.failure?.message
          == "the run did not end: fetchrun stopped in the middle of it")
    }
    // The abandoned run had no result, so the next run still counts as the first one.
    #expect(try await bench.store.openJob("news", run: Runs.id(4)).isFirstRun)
    // The process may have no scheduler, so the store returns the run until a scheduler
    // acknowledges it.
    let steps: [([JobName], [JobName])] = [
      ([], ["news", "prices"]), (["prices"], ["news"]), (["news"], []),
    ]
    for (rescued, left) in steps {
      try await remember(bench.store) { $0.rescued = rescued }
      bench = try await bench.restarted()
      #expect(try await bench.store.recover().abandonedJobs.sorted() == left)
    }
  }
}

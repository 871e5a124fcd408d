import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

/// The contract for the state that all jobs share, for the starts of runs, and for closing.
extension StoreContract {
  private static func remember(
    _ store: any Store, _ body: (inout SchedulerMemory) -> Void
  ) async throws {
    var memory = SchedulerMemory()
    body(&memory)
    try await store.remember(memory)
  }

  @Test(arguments: StoreKind.allCases)
  func `each of many schedules is on exactly one page`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let count = PageMark.countMax + 5
    try await Self.remember(bench.store) { memory in
      memory.schedules = (0..<count).map {
        (JobName("job \($0)"), PluginName("rss"), StoredSchedule([1]))
      }
    }
    let page = try await bench.store.schedules(after: nil)
    #expect(page.elements.count == PageMark.countMax)
    #expect(Set(try await bench.store.allSchedules().map(\.job)).count == count)
  }

  @Test(arguments: StoreKind.allCases)
  func `the schedules of jobs are found by their names`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    try await Runs.run(1, bench.store, items: [])
    try await Self.remember(bench.store) { memory in
      memory.schedules = [
        ("a", "rss", StoredSchedule([1], learned: [2])), ("b", "rss", StoredSchedule([3])),
        ("c", "rss", StoredSchedule([4])),
      ]
    }
    let found = try await bench.store.schedules(of: ["c", "none", "news", "a"])
    #expect(
      found.sorted { $0.job < $1.job } == [
        JobMemory(job: "a", schedule: StoredSchedule([1], learned: [2])),
        JobMemory(job: "c", schedule: StoredSchedule([4])),
      ])
    #expect(try await bench.store.schedules(of: []).isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `the parts of the shared state are stored separately`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    #expect(try await bench.store.sharedMemory() == SharedMemory())
    var all = SharedMemory()
    all.budget = [1]
    all.lanes = ["a.test": [2], "b.test": [3]]
    all.pause = .since(Runs.start)
    all.learned = [4]
    all.habits = [5]
    all.habitsOfJobs = [6]
    all.seed = .max
    try await Self.remember(bench.store) { $0.shared = all }
    var commit = RunCommit(record: Runs.record(1))
    commit.shared.budget = [7]
    commit.shared.lanes["b.test"] = [8]
    _ = try await bench.store.openJob("news", run: Runs.id(1))
    _ = try await bench.store.commit(commit)
    try await Self.remember(bench.store) { $0.shared.pause = .over }
    all.merge(commit.shared)
    all.pause = .over
    let again = try await bench.restarted().store
    #expect(try await again.sharedMemory() == all)
  }

  @Test(arguments: StoreKind.allCases)
  func `a run whose start was recorded has one record when it has ended`(kind: StoreKind)
    async throws
  {
    let bench = try await StoreBench(kind)
    let store = bench.store
    _ = try await store.openJob("news", run: Runs.id(1), plugin: nil, noting: Runs.record(1))
    _ = try await store.openJob("late", run: Runs.id(2))
    let late = Runs.record(2, job: "late")
    try await store.note([late, Runs.record(3, job: "nobody")])
    #expect(try await store.allRuns().isEmpty)
    for record in [Runs.record(1), late] { _ = try await store.commit(RunCommit(record: record)) }
    try await store.note([late])
    #expect(try await store.allRuns().map(\.job) == ["late", "news"])
    let again = try await bench.restarted().store
    #expect(try await again.recover() == StoreRecovery())
  }

  @Test(arguments: StoreKind.allCases)
  func `paces, waits and first times are kept`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await store.setPace([1], of: "chat")
    try await store.setPace([2], of: "mail")
    try await store.setPace(nil, of: "mail")
    try await store.setWaits(["news": Runs.start])
    let later = Runs.start + .seconds(9)
    #expect(try await store.firstSeen(["a"], now: Runs.start) == ["a": Runs.start])
    let again = try await bench.restarted().store
    #expect(try await again.paces(of: ["chat", "mail", "none"]) == ["chat": [1]])
    #expect(try await again.waits() == ["news": Runs.start])
    #expect(try await again.firstSeen(["a", "b"], now: later) == ["a": Runs.start, "b": later])
  }

  @Test(arguments: StoreKind.allCases)
  func `a closed store throws the error closed`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await store.close()
    let closed = StoreError(.closed, "the store \(store.address) was closed")
    await #expect(throws: closed) { _ = try await store.openJob("news", run: Runs.id(1)) }
    await #expect(throws: closed) { try await store.setPace([1], of: "chat") }
    await #expect(throws: closed) { _ = try await store.lastSequence() }
  }
}

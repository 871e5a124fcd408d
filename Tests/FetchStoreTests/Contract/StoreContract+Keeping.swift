import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

/// The contract for the scheduler's state, the outbox, transfers and grants.
extension StoreContract {
  private static func remember(
    _ store: any Store, _ body: (inout SchedulerMemory) -> Void
  ) async throws {
    var memory = SchedulerMemory()
    body(&memory)
    try await store.remember(memory)
  }

  // MARK: The scheduler

  @Test(arguments: StoreKind.allCases)
  func `schedules are read back with the latest learned state`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    try await Self.remember(bench.store) {
      $0.schedules = [
        ("news", "rss", StoredSchedule([1], learned: [9])), ("new", "rss", StoredSchedule([3])),
      ]
    }
    var commit = RunCommit(record: Runs.record(1))
    commit.schedule = StoredSchedule([2])
    _ = try await bench.store.openJob("news", run: Runs.id(1))
    _ = try await bench.store.commit(commit)
    let again = try await bench.restarted().store
    #expect(
      try await again.allSchedules() == [
        JobMemory(job: "news", schedule: StoredSchedule([2], learned: [9])),
        JobMemory(job: "new", schedule: StoredSchedule([3])),
      ])
  }

  @Test(arguments: StoreKind.allCases)
  func `each of many schedules is on exactly one page`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let count = PageMark.countMax + 5
    try await Self.remember(bench.store) { memory in
      memory.schedules = (0..<count).map { (JobName("job \($0)"), "rss", StoredSchedule([1])) }
    }
    let page = try await bench.store.schedules(after: nil)
    #expect(page.elements.count == PageMark.countMax)
    #expect(Set(try await bench.store.allSchedules().map(\.job)).count == count)
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
  func `the latest skips of each job are kept`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    func skip(_ job: JobName, _ number: Int) -> SkipRecord {
      SkipRecord(job: job, at: Runs.start + .seconds(Int64(number)), reason: "skip \(number)")
    }
    let count = SkipRecord.keptPerJob + 5
    try await Self.remember(bench.store) { $0.skips = [skip("quiet", 0)] }
    try await Self.remember(bench.store) { $0.skips = (0..<count).map { skip("busy", $0) } }
    let busy = try await bench.store.skips(job: "busy", limit: 1000)
    #expect(busy == (0..<count).suffix(SkipRecord.keptPerJob).reversed().map { skip("busy", $0) })
    #expect(try await bench.store.skips(job: nil, limit: 3) == Array(busy.prefix(3)))
    #expect(try await bench.store.skips(job: "quiet", limit: 9) == [skip("quiet", 0)])
  }

  // MARK: Abandoned runs

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
  func `the next process queues active transfers again`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let ids = try await queue(bench.store, 1, ["a", "b"])
    var record = try #require(try await bench.store.transfer(ids[0]))
    record.state = .running
    #expect(try await bench.store.update(record))
    let again = try await bench.restarted().store
    #expect(try await again.recover() == StoreRecovery(requeuedTransferCount: 1))
    #expect(try await again.openTransfers(after: 0, limit: nil).map(\.state) == [.queued, .queued])
  }

  // MARK: Transfers

  private func queue(
    _ store: any Store, _ number: Int, _ paths: [String]
  ) async throws -> [Int64] {
    var commit = RunCommit(record: Runs.record(number, job: "films", outcome: .noData(.empty)))
    for path in paths {
      let request = TransferRequest(url: "https://a.test/\(path)", to: try FilePath(path))
      commit.transfers.append(
        QueuedTransfer(id: try await store.newTransferID(), request: request))
    }
    _ = try await store.openJob("films", run: Runs.id(number))
    _ = try await store.commit(commit)
    return commit.transfers.map(\.id)
  }

  @Test(arguments: StoreKind.allCases)
  func `another request for a path replaces the pending transfer`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let first = try await queue(store, 1, ["a", "b"])
    let old = try #require(try await store.transfer(first[0]))
    let second = try await queue(store, 2, ["a"])
    #expect(try await store.openTransferIDs() == [first[1], second[0]])
    #expect(try await !store.update(old))
    #expect(try await store.pendingTransfer(of: "films", to: try FilePath("b"))?.id == first[1])
    var done = try #require(try await store.transfer(second[0]))
    done.state = .done
    done.isTold = true
    #expect(try await store.update(done))
    #expect(try await store.openTransferIDs() == [first[1]])
    #expect(
      try await store.transfers(job: "films", endedLimit: nil).map(\.id) == [first[1], second[0]])
    #expect(try await store.hasOpenTransfers(of: "films"))
    #expect(try await !store.hasOpenTransfers(of: "news"))
  }

  // MARK: Deliveries

  private func new(_ key: String, hook: HookName = "chat") -> NewDelivery {
    NewDelivery(
      hook: hook, job: "news", run: Runs.id(1), event: .newData, payload: #"{"id":"\#(key)"}"#,
      key: key, createdAt: Runs.start)
  }

  @Test(arguments: StoreKind.allCases)
  func `deliveries are read back, and no id is assigned twice`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    var commit = RunCommit(record: Runs.record(1))
    commit.deliveries = [new("a"), new("b", hook: "mail"), new("c")]
    _ = try await store.commit(commit)
    var pending = try await store.pendingDeliveries(after: 0)
    #expect(pending.map(\.id) == [1, 2, 3] && pending.map(\.payload) == ["", "", ""])
    pending[0].state = .dead
    pending[0].failure = "gone"
    pending[0].attemptCount = 3
    try await store.update(pending)
    let later = Runs.start + .seconds(60)
    try await store.setDeliveryTimes([1: later, 2: later])
    #expect(
      try await store.listedDeliveries(onlyDead: false, hook: nil).map(\.nextAttemptAt)
        == [nil, later, nil])
    #expect(try await store.listedDeliveries(onlyDead: true, hook: nil) == [pending[0]])
    #expect(try await store.listedDeliveries(onlyDead: false, hook: "mail").map(\.id) == [2])
    #expect(
      try await store.deliveries([3, 9, 2]).map(\.payload) == [#"{"id":"c"}"#, #"{"id":"b"}"#])
    #expect(try await store.deliveryCounts() == (2, 1))
    try await store.removeDeliveries([3])
    #expect(try await store.revive(1)?.state == .pending)
    #expect(try await store.notifyStale(new("d"), what: .success, since: Runs.start))
    #expect(try await !store.notifyStale(new("e"), what: .success, since: Runs.start))
    #expect(try await store.notifyStale(new("f"), what: .newData, since: Runs.start))
    #expect(try await store.pendingDeliveries(after: 1).map(\.id) == [2, 4, 5])
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

  // MARK: Grants and names

  @Test(arguments: StoreKind.allCases)
  func `each pair of a job and a plugin has its own grant, which a reset keeps`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    func grant(_ plugin: String, _ hash: UInt8) -> PinnedGrant {
      PinnedGrant(
        plugin: plugin, hash: [hash], granted: AskedPermissions(), at: Runs.start,
        source: .firstRun)
    }
    try await store.keep(grant("a", 1), of: "news", manifestName: "rss")
    try await store.keep(grant("a", 2), of: "news", manifestName: "rss")
    var commit = RunCommit(record: Runs.record(1))
    commit.grant = grant("b", 3)
    _ = try await store.commit(commit)
    try await store.keep(grant("c", 4), ofHook: "chat")
    #expect(try await store.reset(job: "news"))
    let opened = try await store.openJob("news", run: Runs.id(2), plugin: "a", noting: nil)
    #expect(opened.grant == grant("a", 2))
    #expect(try await store.grant(of: "news", plugin: "b") == grant("b", 3))
    #expect(try await store.grant(of: "other", plugin: "b") == nil)
    #expect(try await store.grants(of: "news") == [grant("a", 2), grant("b", 3)])
    #expect(try await store.grant(ofHook: "chat", plugin: "c") == grant("c", 4))
    #expect(try await store.grant(ofHook: "none", plugin: "c") == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `a claimed name is found by its identity`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    try await bench.store.claim("rss-swift.org", identity: "rss-1", plugin: "rss")
    #expect(try await bench.store.job(identity: "rss-1") == "rss-swift.org")
    #expect(try await bench.store.job(identity: "rss-swift.org") == "rss-swift.org")
    #expect(try await bench.store.job(identity: "rss-3") == nil)
    #expect(try await bench.store.hasJob("rss-swift.org"))
    #expect(try await !bench.store.hasJob("rss-1"))
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

import FetchEngine
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of a user's changes to a store in memory, without a daemon and without starting the
/// program.
@Suite struct StoreControlTests {
  private static let start = Timestamp(seconds: 1_800_000_000)
  private let store: any Store = MemoryStore(path: "/nowhere/store")

  private var control: StoreControl {
    StoreControl(
      store, time: RunTime(now: { Self.start }, random: { 0 }), suggested: SuggestedCommand())
  }

  private func ask(_ request: ControlRequest) async -> (end: ControlEnd, lines: [Value]) {
    let lines = Mutex<[Value]>([])
    let end = await control.answer(request) { line in lines.withLock { $0.append(line) } }
    return (end, lines.withLock { $0 })
  }

  /// Queues a transfer of the job `films` to each path, and returns the ids of the transfers.
  private func queue(_ paths: String...) async throws -> [Int64] {
    let run = RunID(startedAt: Self.start, random: (1, UInt64(try await store.newTransferID())))
    _ = try await store.openJob("films", run: run)
    let record = RunRecord(
      run: run, job: "films", plugin: "films", trigger: .manual, outcome: .noData(.empty),
      startedAt: Self.start)
    var commit = RunCommit(record: record)
    for path in paths {
      let request = TransferRequest(url: "https://a.test/f", to: try FilePath(path))
      commit.transfers.append(
        QueuedTransfer(id: try await store.newTransferID(), request: request))
    }
    _ = try await store.commit(commit)
    store.abandon("films", run: run)
    return commit.transfers.map(\.id)
  }

  private func deliver(_ key: String) async throws {
    try await store.add(
      NewDelivery(
        hook: "desk", job: "a", run: nil, event: .newData, payload: "{}", key: key,
        createdAt: Self.start))
  }

  @Test func `a transfer is cancelled, and queued again, in the store`() async throws {
    let id = try await queue("f")[0]
    let cancelled = await ask(.transfers(.cancel, ids: [id]))
    #expect(cancelled.end == .done)
    #expect(cancelled.lines.map { $0["state"] } == ["failed"])
    let failed = try #require(try await store.transfer(id))
    #expect(failed.failure?.message == "the user cancelled the transfer")
    #expect(failed.updatedAt == Self.start)
    #expect(
      await ask(.transfers(.cancel, ids: [id])).end
        == .failed("there is no pending transfer \(id)"))
    let retried = await ask(.transfers(.retry, ids: [id]))
    #expect(retried.end == .done)
    #expect(retried.lines.map { $0["state"] } == ["queued"])
    #expect(try await store.transfer(id)?.state == .queued)
  }

  @Test func `a request reports transfers that it cannot change, and changes the others`()
    async throws
  {
    let ids = try await queue("f", "g")
    let (end, lines) = await ask(.transfers(.cancel, ids: [ids[0], 99, ids[1]]))
    #expect(end == .failed("there is no pending transfer 99"))
    #expect(lines.count == 2)
    #expect(
      await ask(.transfers(.retry, ids: [98, 99])).end
        == .failed(
          "there is no waiting or failed transfer 98; "
            + "there is no waiting or failed transfer 99"))
  }

  @Test func `a transfer is not queued again if another one fetches the same file`() async throws {
    let first = try await queue("f")[0]
    _ = await ask(.transfers(.cancel, ids: [first]))
    let second = try await queue("f")[0]
    #expect(
      await ask(.transfers(.retry, ids: [first])).end
        == .failed(
          "transfer \(second) of the job 'films' is pending for the same file 'f': cancel it first"
            + " (fetchrun transfers cancel \(second))"))
  }

  @Test func `deliveries are dropped and retried in the store`() async throws {
    for key in ["1", "2"] { try await deliver(key) }
    let (end, lines) = await ask(.deliveries(.drop, ids: [1, 9]))
    #expect(end == .failed("there is no delivery 9"))
    #expect(lines.map { $0["state"] } == ["dropped"])
    let retried = await ask(.deliveries(.retry, ids: [2]))
    #expect(retried.end == .done)
    #expect(retried.lines.map { $0["state"] } == ["pending"])
    #expect(try await store.deliveryCounts() == (1, 0))
  }

  @Test func `a grant is stored, and the deliveries that waited for it are due`() async throws {
    let grant = PinnedGrant(
      plugin: "desk", hash: [1], granted: AskedPermissions(), at: Self.start, source: .agreement)
    let (end, lines) = await ask(.grant(of: .hook("desk"), grant, manifestName: "desk"))
    #expect(end == .done)
    #expect(lines == [GrantLine(.hook("desk"), hash: [1], isDue: false).value])
    #expect(try await store.grant(ofHook: "desk", plugin: "desk") == grant)
    _ = await ask(.grant(of: .job("films"), grant, manifestName: "films"))
    #expect(try await store.grant(of: "films", plugin: "desk") == grant)
  }

  @Test(arguments: [
    ControlRequest.push(jobs: ["a"]), .reload, .status(job: nil), .watch, .lanes, .doctor,
    .metrics(.first(9)), .plan(jobs: ["a"], hours: 6),
  ])
  func `all other requests need a daemon`(request: ControlRequest) async {
    #expect(
      await ask(request).end
        == .failed("no daemon is running on /nowhere/store; start one: fetchrun serve"))
  }

  @Test func `the overview of a store says that no daemon runs`() async throws {
    try await deliver("k")
    let (end, lines) = await ask(.overview)
    #expect(end == .done)
    let line = try #require(lines.first.flatMap(OverviewLine.init))
    #expect(!line.isServed && line.startedAt == nil && line.pendingDeliveries == 1)
    #expect(try await StoreQueries(store).overview() == line)
  }

  @Test func `an error of the store is reported at the end of the request`() async throws {
    let memory = MemoryStore(path: "/nowhere/store")
    memory.fail(StoreError(.unreachable, "the disk is gone"))
    let control = StoreControl(memory, suggested: SuggestedCommand())
    for request in [
      ControlRequest.transfers(.retry, ids: [1]), .deliveries(.drop, ids: [1]),
    ] {
      #expect(await control.answer(request) { _ in } == .failed("the disk is gone"))
    }
  }
}

import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of stores in formats other than the present one.
@Suite struct StoreFormatTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("store.sqlite")
  }

  /// Writes to each table, without features of formats after 9.
  private func fill(_ store: SQLiteStore) async throws {
    try await Runs.run(1, store, items: [Runs.item("a", title: "A"), Runs.item("b", title: "B")])
    var commit = RunCommit(record: Runs.record(2, outcome: .failed(Failure(.pluginError, "no"))))
    commit.state = ["page": 7]
    commit.validators = [
      ExactText("http://a.test/"): Validators(etag: "\"1\"", lastFullAnswerAt: Runs.start)
    ]
    commit.coolDowns = [ExactText("http://a.test"): Runs.start + .seconds(60)]
    commit.schedule = StoredSchedule([1], learned: [2])
    commit.grant = PinnedGrant(
      plugin: "./news.lua", hash: [1], granted: AskedPermissions([.reach("a.example")]),
      at: Runs.start, source: .firstRun)
    commit.kept = KeptAnswers(content: [3], countMax: 1)
    commit.transfers = [
      QueuedTransfer(
        id: try await store.newTransferID(),
        request: TransferRequest(url: "https://a.test/film.mkv", to: try FilePath("film.mkv")))
    ]
    _ = try await store.openJob("news", run: Runs.id(2))
    _ = try await store.commit(commit)
    var memory = SchedulerMemory()
    memory.shared.budget = [4]
    memory.skips = [SkipRecord(job: "news", at: Runs.start, reason: "paused")]
    try await store.remember(memory)
    let delivery = NewDelivery(
      hook: "x", job: "news", run: nil, event: .newData, payload: "{}", key: "k",
      createdAt: Runs.start)
    _ = try await store.notifyStale(delivery, what: .success, since: Runs.start)
  }

  /// Returns all data that a reader can read, with one line for each entry.
  private func contents(_ reader: StoreReader) throws -> [String] {
    var lines = try reader.items(ItemQuery()).map(\.json)
    lines += try reader.versions(job: "news", key: ItemKey("a")).map(\.json)
    lines += try reader.runs().map(\.json)
    lines += try reader.jobs().map { "\($0)" }
    lines += try reader.schedules().map { "\($0)" }
    lines += try reader.ledger().sorted { $0.key < $1.key }.map { "\($0)" }
    lines += try reader.skips(limit: 9).map { "\($0)" }
    lines += try reader.coolDowns(after: Runs.start).map { "\($0.key.text) \($0.value)" }
    lines += try reader.grants(of: "news").map { "\($0)" }
    lines += try reader.keptRuns().map { "\($0)" }
    lines += try reader.transfers().map { "\($0)" }
    lines += try reader.pendingDeliveries().map { "\($0)" }
    lines += try reader.addresses(of: "news").sorted()
    lines += [
      try reader.job(identity: "news")?.text ?? "none",
      try reader.job(identity: "x")?.text ?? "none",
    ]
    return lines
  }

  @Test(arguments: OldStore.versions)
  func `a store of an earlier format is converted to the present one`(_ version: Int) async throws {
    try await SQLiteStore.open(at: path).close()
    let new = try OldStore.shape(of: path)
    try OldStore.takeBack(path, to: version)
    #expect(try OldStore.shape(of: path) != new)
    try await SQLiteStore.open(at: path).close()
    #expect(try OldStore.shape(of: path) == new)
  }

  @Test(arguments: OldStore.versions)
  func `a store of an earlier format is read without conversion, and keeps all its data`(
    _ version: Int
  ) async throws {
    let store = try await SQLiteStore.open(at: path)
    try await fill(store)
    let before = try contents(store.reader)
    #expect(before.count == 19)
    try await store.close()
    try OldStore.takeBack(path, to: version)
    let bytes = try Data(contentsOf: URL(filePath: path))
    #expect(try contents(StoreReader(at: path)) == before)
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    let again = try await SQLiteStore.open(at: path)
    #expect(try contents(again.reader) == before)
    let job = try await again.openJob("news", run: Runs.id(3))
    #expect(job.state == ["page": 7])
    #expect(job.validators[ExactText("http://a.test/")]?.etag == "\"1\"")
    #expect(try again.reader.keptAnswers(of: Runs.id(2)) == [3])
    again.abandon("news", run: Runs.id(3))
    let items = [Runs.item("a", title: "A"), Runs.item("b", title: "B")]
    #expect(try await Runs.run(4, again, items: items) == .noData(.sameItems))
    #expect(try again.reader.check().isEmpty)
  }

  @Test(arguments: OldStore.versions.filter { $0 < 12 })
  func `runs of an earlier format are numbered in the order of their beginnings`(
    _ version: Int
  ) async throws {
    let store = try await SQLiteStore.open(at: path)
    for number in 1...3 { try await Runs.run(number, store, job: "job\(number)", items: []) }
    // This run is left unfinished.
    _ = try await store.openJob("left", run: Runs.id(4), noting: Runs.record(4, job: "left"))
    try await Runs.run(5, store, job: "job5", items: [])
    try await store.close()
    try OldStore.takeBack(path, to: version)
    let reader = try StoreReader(at: path)
    #expect(try reader.endedRuns(after: 0, limit: 9) == EndedRuns())
    #expect(try reader.lastEnded() == 0)
    #expect(try reader.runs(RunQuery(), after: nil).elements.count == 5)
    let again = try await SQLiteStore.open(at: path)
    try await Runs.run(6, again, job: "job6", items: [])
    // The reader that was open during the conversion also finds the numbers of the runs' ends.
    for reader in [reader, again.reader] {
      let ends = try reader.endedRuns(after: 0, limit: 9).runs
      #expect(ends.map(\.ended) == [1, 2, 3, 4, 5, 6])
      #expect(ends.map(\.record.job) == ["job1", "job2", "job3", "job5", "left", "job6"])
      #expect(try reader.lastEnded() == 6)
    }
  }

  /// Returns the error of the writer and of a reader about another format. Both must leave the
  /// store unchanged.
  private func refusal(of version: Int) async throws -> StoreError? {
    try await SQLiteStore.open(at: path).close()
    try SQLConnection(at: path, .readWrite).execute("PRAGMA user_version = \(version)")
    let bytes = try Data(contentsOf: URL(filePath: path))
    let error = await #expect(throws: StoreError.self) { _ = try await SQLiteStore.open(at: path) }
    #expect(#expect(throws: StoreError.self) { try StoreReader(at: path) } == error)
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    return error
  }

  @Test func `a store of a newer fetchrun is refused`() async throws {
    #expect(
      try await refusal(of: 99)
        == StoreError(
          .newer,
          "the store \(path) was written by a newer fetchrun (format 99, this one supports 14): "
            + "use the newer one"))
  }

  @Test(arguments: [0, 8])
  func `a store of an early build is refused and not changed`(
    _ version: Int
  ) async throws {
    #expect(
      try await refusal(of: version)
        == StoreError(
          .rejected,
          "the store \(path) was written by an early build of fetchrun (format "
            + "\(version), this one converts 9 and later): move it away to begin a new store, "
            + "where all items count as new"))
  }
}

import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Testing

/// Tests of runs whose start is recorded late, and runs that never ended.
@Suite struct AbandonedRunTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("store.sqlite")
  }

  private func reader() throws -> StoreReader { try StoreReader(at: path) }

  /// Returns the number of all stored runs, including active ones.
  private func rowCount() throws -> Int64 {
    try #require(try SQLConnection(at: path, .readOnly).integer("SELECT count(*) FROM runs"))
  }

  @Test func `a run whose start is recorded late has one record`() async throws {
    let store = try await SQLiteStore.open(at: path)
    #expect(try await store.openJob("news", run: Runs.id(1)).isFirstRun)
    try await store.note([Runs.record(1)])
    #expect(try rowCount() == 1)
    #expect(try reader().runs().isEmpty)
    _ = try await store.commit(RunCommit(record: Runs.record(1, outcome: .noData(.empty))))
    #expect(try rowCount() == 1)
    #expect(try reader().runs().map(\.outcome) == [.noData(.empty)])
    try await store.close()
    #expect(try await SQLiteStore.open(at: path).abandonedJobs.isEmpty)
  }

  @Test func `a late, repeated or unknown start writes nothing`() async throws {
    let store = try await SQLiteStore.open(at: path)
    _ = try await store.openJob("ended", run: Runs.id(1))
    _ = try await store.commit(RunCommit(record: Runs.record(1, job: "ended")))
    _ = try await store.openJob("parted", run: Runs.id(2))
    var part = RunCommit(record: Runs.record(2, job: "parted"))
    part.part = .checkpoint
    _ = try await store.commit(part)
    _ = try await store.openJob("again", run: Runs.id(3))
    #expect(try rowCount() == 2)
    try await store.note([
      Runs.record(1, job: "ended"), Runs.record(2, job: "parted"), Runs.record(4, job: "again"),
      Runs.record(5, job: "nobody"),
    ])
    #expect(try rowCount() == 2)
    #expect(try reader().jobs().map(\.name) == ["ended", "parted"])
  }

  @Test func `runs that end while their starts are recorded have one record each`() async throws {
    let store = try await SQLiteStore.open(at: path)
    let records = (1...200).map { Runs.record($0, job: "job\($0)") }
    for record in records { _ = try await store.openJob(record.job, run: record.run) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for start in stride(from: 0, to: records.count, by: 10) {
          try await store.note(Array(records[start..<start + 10]))
        }
      }
      for record in records {
        group.addTask {
          if record.job.text.hasSuffix("7") {
            var part = RunCommit(record: record)
            part.part = .checkpoint
            _ = try await store.commit(part)
          }
          _ = try await store.commit(RunCommit(record: record))
        }
      }
      try await group.waitForAll()
    }
    #expect(try rowCount() == records.count)
    #expect(Set(try reader().runs().map(\.run)) == Set(records.map(\.run)))
  }

  @Test func `starts that are rolled back lose no record of a run`() async throws {
    let store = try await SQLiteStore.open(at: path)
    for number in 1...2 {
      let record = Runs.record(number, job: "job\(number)")
      _ = try await store.openJob(record.job, run: record.run)
      try await store.note([record])
      try SQLConnection(at: path, .readWrite).execute(
        "DELETE FROM runs; DELETE FROM sqlite_sequence")
    }
    // The row of the first run now has the row number of the second run.
    for number in [2, 1] {
      _ = try await store.commit(RunCommit(record: Runs.record(number, job: "job\(number)")))
    }
    #expect(try reader().runs().map(\.job) == ["job1", "job2"])
  }

  @Test func `an abandoned run is visible before the next write`() async throws {
    var store: SQLiteStore? = try await SQLiteStore.open(at: path)
    try await Runs.run(1, #require(store), job: "calm", items: [Runs.item("a")])
    _ = try await store?.openJob("news", run: Runs.id(2))
    try await store?.note([Runs.record(2)])
    #expect(try reader().runs().map(\.job) == ["calm"])
    #expect(try reader().abandonedJobs().isEmpty)
    // This is the state after a crash: nothing more is written, and the lock is released.
    store = nil
    let runs = try reader().runs()
    #expect(runs.map(\.job) == ["news", "calm"])
    #expect(runs.first?.outcome.failure?.code == .abandoned)
    #expect(try reader().runs(job: "news").count == 1)
    #expect(try reader().abandonedJobs() == ["news"])
    let again = try await SQLiteStore.open(at: path)
    #expect(try reader().abandonedJobs() == ["news"])
    #expect(try again.reader.runs().count == 2)
    // A run that is active now is not abandoned.
    _ = try await again.openJob("prices", run: Runs.id(3), noting: Runs.record(3, job: "prices"))
    #expect(try reader().runs().count == 2)
    #expect(try again.reader.runs().count == 2)
    try await again.forgetAbandoned("prices")
    #expect(try reader().abandonedJobs() == ["news"])
    try await again.forgetAbandoned("news")
    #expect(try reader().abandonedJobs().isEmpty)
  }
}

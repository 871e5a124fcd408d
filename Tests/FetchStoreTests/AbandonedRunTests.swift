import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Testing

/// Tests of runs whose start is recorded late, and runs that never ended.
@Suite struct AbandonedRunTests {
  @Test(arguments: StoreKind.allCases)
  func `a late, repeated or unknown start writes nothing`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    _ = try await store.openJob("ended", run: Runs.id(1))
    _ = try await store.commit(RunCommit(record: Runs.record(1, job: "ended")))
    _ = try await store.openJob("parted", run: Runs.id(2))
    var part = RunCommit(record: Runs.record(2, job: "parted"))
    part.part = .checkpoint
    _ = try await store.commit(part)
    _ = try await store.openJob("again", run: Runs.id(3))
    try await store.note([
      Runs.record(1, job: "ended"), Runs.record(2, job: "parted"), Runs.record(4, job: "again"),
      Runs.record(5, job: "nobody"),
    ])
    #expect(try await store.jobs().map(\.name) == ["ended", "parted"])
    // Each stored start would be an abandoned run.
    let again = try await bench.restarted().store
    #expect(try await again.recover().abandonedJobs == ["parted"])
    #expect(try await again.allRuns().map(\.job) == ["parted", "ended"])
  }

  @Test(arguments: StoreKind.allCases)
  func `runs that end while their starts are recorded have one record each`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let records = (1...200).map { Runs.record($0, job: JobName("job\($0)")) }
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
    let again = try await bench.restarted().store
    #expect(try await again.recover() == StoreRecovery())
    let runs = try await again.allRuns()
    #expect(runs.count == records.count)
    #expect(Set(runs.map(\.run)) == Set(records.map(\.run)))
  }

  @Test func `starts that are rolled back lose no record of a run`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
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
    #expect(try store.reader.runs().map(\.job) == ["job1", "job2"])
  }

  @Test(.timeLimit(.minutes(5)), arguments: StoreKind.lasting)
  func `an abandoned run is visible before the next write`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    try await Runs.run(1, bench.store, job: "calm", items: [Runs.item("a")])
    _ = try await bench.store.openJob("news", run: Runs.id(2))
    try await bench.store.note([Runs.record(2)])
    let reader = try await bench.reader()
    #expect(try await reader.allRuns().map(\.job) == ["calm"])
    #expect(try await reader.abandoned().isEmpty)
    // Nothing more is written. A server releases the lock a moment after the connection has ended.
    try await bench.store.close()
    while try await reader.abandoned().isEmpty { await Task.yield() }
    #expect(try await reader.abandoned() == ["news"])
    let runs = try await reader.allRuns()
    #expect(runs.map(\.job) == ["news", "calm"])
    #expect(runs.first?.outcome.failure?.code == .abandoned)
    #expect(try await reader.runs(job: "news", limit: nil).count == 1)
    let again = try await bench.restarted().store
    #expect(try await reader.abandoned() == ["news"])
    #expect(try await again.allRuns().count == 2)
    // A run that is active now is not abandoned.
    _ = try await again.openJob(
      "prices", run: Runs.id(3), plugin: nil, noting: Runs.record(3, job: "prices"))
    #expect(try await reader.allRuns().count == 2)
    #expect(try await again.allRuns().count == 2)
    try await again.forgetAbandoned("prices")
    #expect(try await reader.abandoned() == ["news"])
    try await again.forgetAbandoned("news")
    #expect(try await reader.abandoned().isEmpty)
  }

  @Test(.timeLimit(.minutes(5)), arguments: StoreKind.lasting, [1, 2, 3, 4, 9])
  func `pages have every abandoned run once, before the ended ones`(
    kind: StoreKind, limit: Int
  ) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    for number in 1...2 { try await Runs.run(number, store, items: []) }
    for number in 3...5 {
      let record = Runs.record(number, job: JobName("job\(number)"))
      _ = try await store.openJob(record.job, run: record.run, plugin: nil, noting: record)
    }
    let reader = try await bench.reader()
    // A server releases the lock a moment after the connection has ended.
    try await store.close()
    while try await reader.abandoned().isEmpty { await Task.yield() }
    for outcome in [nil, OutcomeKind.failed] {
      var found: [RunID] = []
      var mark: PageMark?
      repeat {
        let page = try await reader.runs(RunQuery(outcome: outcome, limit: limit), after: mark)
        #expect(page.elements.count <= limit)
        found += page.elements.map(\.run)
        mark = page.next
      } while mark != nil
      #expect(found == (outcome == nil ? 1...5 : 3...5).reversed().map(Runs.id))
    }
  }

  @Test func `an opening that fails records no run as abandoned`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try await SQLiteStore.open(at: path)
    _ = try await store.openJob("news", run: Runs.id(1), plugin: nil, noting: Runs.record(1))
    try await store.close()
    // The list of jobs with abandoned runs is stored after the runs.
    try SQLConnection(at: path, .readWrite).execute(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON ledger BEGIN SELECT raise(ABORT, 'no'); END
      """)
    await #expect(throws: StoreError.self) { _ = try await SQLiteStore.open(at: path) }
    try SQLConnection(at: path, .readWrite).execute("DROP TRIGGER refuse")
    let again = try await SQLiteStore.open(at: path)
    #expect(again.abandonedJobs == ["news"])
  }
}

import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the kept answers of failed runs, and the time for which they are kept.
@Suite struct KeptRunTests {
  private func fail(
    _ number: Int, _ store: any Store, job: JobName = "news", _ content: [UInt8],
    countMax: Int = 3, at time: Timestamp = Runs.start, isAnswerless: Bool = false
  ) async throws {
    let failure = Failure(.pluginError, "no")
    _ = try await store.openJob(job, run: Runs.id(number))
    var commit = RunCommit(
      record: Runs.record(number, job: job, outcome: .failed(failure), at: time))
    var kept = KeptAnswers(content: content, countMax: countMax)
    kept.isAnswerless = isAnswerless
    commit.kept = kept
    _ = try await store.commit(commit)
  }

  @Test(arguments: StoreKind.allCases)
  func `the answers of each job's latest runs are kept`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    for number in 1...4 { try await fail(number, store, [UInt8(number)]) }
    try await fail(5, store, job: "other", [5])
    let rows = try await store.keptRuns()
    #expect(rows.map(\.run) == [5, 4, 3, 2].map(Runs.id))
    #expect(rows.map(\.job) == ["other", "news", "news", "news"])
    #expect(rows.map(\.bytes) == [1, 1, 1, 1])
    #expect(try await store.keptAnswers(of: Runs.id(4)) == [4])
    #expect(try await store.keptAnswers(of: Runs.id(1)) == nil)
    try await fail(6, store, [6], countMax: 1)
    #expect(try await store.keptRuns().map(\.run) == [6, 5].map(Runs.id))
  }

  @Test(arguments: StoreKind.allCases)
  func `the latest run of a job is also kept if it got no answer`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    for number in 1...3 { try await fail(number, store, [1]) }
    for number in 4...6 { try await fail(number, store, [2], isAnswerless: true) }
    try await fail(7, store, job: "other", [3], isAnswerless: true)
    #expect(try await store.keptRuns().map(\.run) == [7, 6, 3, 2, 1].map(Runs.id))
    try await fail(8, store, [1])
    #expect(try await store.keptRuns().map(\.run) == [8, 7, 6, 3, 2].map(Runs.id))
    try await withThrowingTaskGroup { group in
      for number in 1...(2 * KeptAnswers.answerlessRunCountMax) {
        group.addTask {
          try await fail(100 + number, store, job: "job \(number)", [1], isAnswerless: true)
        }
      }
      try await group.waitForAll()
    }
    let rows = try await store.keptRuns()
    #expect(rows.count == KeptAnswers.answerlessRunCountMax + 3)
    #expect(rows.filter { $0.job == "news" }.map(\.run) == [8, 3, 2].map(Runs.id))
  }

  @Test(arguments: StoreKind.allCases)
  func `all jobs together keep no more than the size limit`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let third = [UInt8](repeating: 1, count: KeptAnswers.bytesMax / 3)
    for number in 1...3 { try await fail(number, store, job: "job \(number)", third) }
    #expect(try await store.keptRuns().count == 3)
    try await fail(4, store, job: "job 4", [1, 2, 3])
    #expect(try await store.keptRuns().map(\.run) == [4, 3, 2].map(Runs.id))
    try await fail(5, store, job: "huge", [UInt8](repeating: 1, count: KeptAnswers.bytesMax + 1))
    #expect(try await store.keptRuns().count == 3)
  }

  @Test(arguments: StoreKind.allCases)
  func `all jobs together keep no more than the count limit`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await fail(0, store, job: "first", [1])
    // The runs are concurrent, so that they share transactions.
    try await withThrowingTaskGroup { group in
      for number in 1...KeptAnswers.runCountMax {
        group.addTask { try await fail(number, store, job: "job \(number)", [1]) }
      }
      try await group.waitForAll()
    }
    #expect(try await store.keptRuns().count == KeptAnswers.runCountMax)
    #expect(try await store.keptAnswers(of: Runs.id(0)) == nil)
    // The last run without an answer replaces the first one, and no run with answers.
    let last = KeptAnswers.runCountMax + KeptAnswers.answerlessRunCountMax + 1
    try await withThrowingTaskGroup { group in
      for number in (KeptAnswers.runCountMax + 1)...last {
        group.addTask {
          try await fail(number, store, job: "job \(number)", [1], isAnswerless: true)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.keptRuns().count == KeptAnswers.runCountMax)
  }

  @Test(arguments: StoreKind.allCases)
  func `a reset removes the kept answers of its job`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await fail(1, store, job: "other", [1])
    try await fail(2, store, job: "reset", [2])
    #expect(try await store.reset(job: "reset"))
    #expect(try await store.keptRuns().map(\.job) == ["other"])
  }

  @Test(arguments: StoreKind.lasting)
  func `retention removes the kept answers of old runs`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    try await fail(1, store, job: "old", [1], at: Runs.start)
    try await fail(2, store, job: "new", [2], at: Runs.start + .seconds(100 * 86_400))
    _ = try await store.prune(Retention(), now: Runs.start + .seconds(101 * 86_400))
    #expect(try await store.keptRuns().map(\.job) == ["new"])
  }
}

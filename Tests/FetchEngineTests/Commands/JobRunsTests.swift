import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of the runs that a command requests, without starting the program.
@Suite struct JobRunsTests {
  private static let config = """
    jobs:
      - { name: a, plugin: rss, interval: never, options: { url: "{h1}/a" } }
      - { name: b, plugin: rss, interval: never, options: { url: "{h2}/b" } }
    """

  private let bench: ServiceBench
  private let recorder = EventRecorder()

  init() throws { bench = try ServiceBench(inMemory: true) }

  private func runs(
    on store: any Store, _ yaml: String = config, onlyDue: Bool = false, areNamed: Bool = false
  ) async throws -> JobRuns {
    let config = try bench.config(yaml)
    return try await JobRuns(
      config, bench.prepare(config), hooks: LuaHooks(), pipeline: bench.pipeline(store),
      onlyDue: onlyDue, areNamed: areNamed, local: .utc, environment: [:],
      events: recorder.sink { Issue.record("\($0)") })
  }

  /// Returns the reported answers, and the number of runs that had ended when the call waited for
  /// the remaining runs.
  private func answers(of runs: JobRuns) async -> (answers: [RunAnswer], endedCount: Int) {
    var answers: [RunAnswer] = []
    var endedCount = 0
    await runs.run(waitsForTransfers: true, onProgress: nil) { answer in
      answers.append(answer)
    } runsEnded: {
      endedCount = recorder.reports.count
    }
    return (answers, endedCount)
  }

  private func pause(_ job: JobName, in store: any Store) async throws {
    let config = try bench.config(Self.config)
    let service = try await JobService(
      config, pipeline: bench.pipeline(store), noting: .never, local: .utc, events: .none)
    try await service.load(bench.prepare(config), local: .utc)
    let end = await service.control(reload: { .done }).answer(.pause(.named([job]))) { _ in }
    #expect(end == .done)
  }

  @Test func `every job runs once, and the store is closed at the end`() async throws {
    let store = try await bench.openStore()
    let runs = try await runs(on: store)
    let (answers, endedCount) = await answers(of: runs)
    #expect(answers == [.awaited(2)])
    #expect(endedCount == 2)
    #expect(Set(recorder.reports.map(\.record.job)) == ["a", "b"])
    #expect(runs.failedTransferCount == 0)
    try await runs.close()
    let error = await #expect(throws: StoreError.self) { _ = try await store.jobs() }
    #expect(error?.code == .closed)
    #expect(try await bench.openStore().runs(job: nil, limit: nil).count == 2)
  }

  @Test func `a paused job is refused, and the others run`() async throws {
    let store = try await bench.openStore()
    try await pause("b", in: store)
    let runs = try await runs(on: store)
    let (answers, _) = await answers(of: runs)
    #expect(answers.count == 2)
    guard case .refused("b", let why) = answers.first else {
      Issue.record("\(answers)")
      return
    }
    #expect(why.contains("paused"))
    #expect(recorder.reports.map(\.record.job) == ["a"])
    try await runs.close()
  }

  @Test(arguments: [false, true])
  func `with only due jobs, a paused job is refused if it was named`(areNamed: Bool) async throws {
    let store = try await bench.openStore()
    try await pause("b", in: store)
    let runs = try await runs(on: store, onlyDue: true, areNamed: areNamed)
    let (answers, _) = await answers(of: runs)
    let never = "its interval is never: it runs only when triggered"
    let paused = "it has been paused since \(bench.now.descriptionInSeconds)"
    let refused: [RunAnswer] =
      areNamed ? [.notDue(job: "a", why: never), .refused(job: "b", why: paused)] : []
    #expect(answers == refused + [.awaited(0)])
    try await runs.close()
  }

  @Test func `nothing runs if no job is due`() async throws {
    let store = try await bench.openStore()
    let runs = try await runs(on: store, onlyDue: true)
    let (answers, endedCount) = await answers(of: runs)
    #expect(answers == [.awaited(0)])
    #expect(endedCount == 0)
    try await runs.close()
    #expect(try await bench.openStore().runs(job: nil, limit: nil).isEmpty)
  }
}

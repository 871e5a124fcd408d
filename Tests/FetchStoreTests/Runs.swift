import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Synchronization

/// Complete runs on a store, in the same steps as in the pipeline.
enum Runs {
  static let start = Timestamp(seconds: 1_800_000_000)

  static func id(_ number: Int) -> RunID {
    RunID(startedAt: start, random: (UInt64(number), UInt64(number)))
  }

  static func item(
    _ id: String?, title: String = "", url: String? = nil, content: String? = nil
  ) -> ParsedItem {
    var item = ParsedItem()
    item.id = id
    item.title = title
    item.url = url
    item.content = content
    return item
  }

  static func record(
    _ number: Int, job: JobName = "news", outcome: Outcome = .noData(.sameItems),
    at time: Timestamp = start
  ) -> RunRecord {
    RunRecord(
      run: id(number), job: job, plugin: "rss", trigger: .manual, outcome: outcome,
      startedAt: time)
  }

  /// Opens the job, compares the items, commits the changes, and returns the outcome.
  ///
  /// - Parameter beforeCommit: called directly before the commit.
  @discardableResult
  static func run(
    _ number: Int, _ store: any Store, job: JobName = "news", items: [ParsedItem],
    rules: ItemRules = ItemRules(), isWhole: Bool = true, at time: Timestamp = start,
    beforeCommit: () async throws -> Void = {}
  ) async throws -> Outcome {
    let snapshot = try await store.openJob(job, run: id(number))
    defer { store.abandon(job, run: id(number)) }
    let result = IdentifiedItems(items, rules: rules)
    let known = try await store.known(result, of: snapshot, rules: rules)
    let changes = Diff.decide(
      result, rules: rules, known: known, isFirstRun: snapshot.isFirstRun, isWhole: isWhole,
      now: time)
    var commit = RunCommit(
      record: record(number, job: job, outcome: changes.outcome, at: time))
    commit.changes = changes
    try await beforeCommit()
    _ = try await store.commit(commit)
    return changes.outcome
  }

  /// A count that tasks share, such as that of the runs that have ended.
  final class Progress: Sendable {
    let count = Atomic(0)
  }

  /// Stores one run for each number, of a job with the name `jNUMBER`. Repeats each run until it is
  /// stored.
  ///
  /// - Parameter disturb: called after a random number of the runs, at least one: a store that was
  ///   disturbed before has connected again.
  static func runAll(
    _ numbers: ClosedRange<Int>, _ store: any Store, disturb: @Sendable () async throws -> Void
  ) async throws {
    let progress = Progress()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in numbers {
        group.addTask {
          while true {
            let outcome = try? await Runs.run(
              number, store, job: JobName("j\(number)"), items: [Runs.item("a")])
            if outcome != nil { break }
            await Task.yield()
          }
          progress.count.add(1, ordering: .relaxed)
        }
      }
      let part = Int.random(in: 1..<numbers.count)
      while progress.count.load(ordering: .relaxed) < part { await Task.yield() }
      try await disturb()
      try await group.waitForAll()
    }
  }
}

extension StoreReader {
  /// Returns all schedules by job.
  func schedules() throws -> [JobName: StoredSchedule] {
    let page = try schedules(after: nil)
    return Dictionary(uniqueKeysWithValues: page.elements.map { ($0.job, $0.schedule) })
  }
}

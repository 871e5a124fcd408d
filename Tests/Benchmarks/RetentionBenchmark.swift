import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation

/// The delay that one step of retention causes for the commits that wait for this step, in a store
/// of 100,000 items with 300,000 versions.
struct RetentionBenchmark {
  static let jobCount = 100
  static let itemCount = 1000
  /// The size of each item in bytes, about the size of a summary in a feed.
  static let contentBytes = 1000
  /// The limit of the 99th percentile of the delays that a step causes, in milliseconds.
  static let millisecondsMax = 10.0

  private static let start = Timestamp(seconds: 1_795_168_800)

  func measure() async throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "fetchrun-retention-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try await SQLiteStore.open(at: folder.appending(path: "store.sqlite").path)
    report("storing \(Self.jobCount * Self.itemCount) items, three times")
    for (round, day) in [0, 1, 800].enumerated() {
      for job in 0..<Self.jobCount { try await fill(store, job, round: round, day: Int64(day)) }
    }
    var table = Table()
    table.add(
      "retention", "steps", "ms, median", "99th percentile", "at most", "worst", "CPU ms, median",
      "99th percentile", "seconds")
    var retention = Retention()
    retention.versionCount = 2
    try await apply(retention, day: 801, "versions: 2, runs, removed items", to: store, &table)
    retention.versionCount = 1
    try await apply(retention, day: 802, "versions: 1", to: store, &table)
    try await apply(retention, day: 803, "nothing to remove", to: store, &table)
    try await store.close()
    return table.text
  }

  /// Stores one run of a job. In the last round a tenth of the items is missing.
  private func fill(_ store: SQLiteStore, _ job: Int, round: Int, day: Int64) async throws {
    var rules = ItemRules()
    rules.complete = true
    let count = round == 2 ? Self.itemCount * 9 / 10 : Self.itemCount
    let items = (0..<count).map { number in
      var item = ParsedItem()
      item.id = "https://a.example/\(job)/\(number)"
      item.title = "Item \(number), version \(round)"
      item.content = String(repeating: "\(round)", count: Self.contentBytes)
      return item
    }
    let (name, now) = ("job\(job)", Self.start + .seconds(day * 86_400))
    let run = RunID(startedAt: now, random: (UInt64(round), UInt64(job)))
    let snapshot = try await store.openJob(JobName(name), run: run)
    let result = IdentifiedItems(items, rules: rules)
    let known = try await store.known(result, of: snapshot, rules: rules)
    let changes = Diff.decide(
      result, rules: rules, known: known, isFirstRun: snapshot.isFirstRun, isWhole: true, now: now)
    let record = RunRecord(
      run: run, job: JobName(name), plugin: PluginName("rss"), trigger: .schedule,
      outcome: changes.outcome, startedAt: now)
    var commit = RunCommit(record: record)
    commit.changes = changes
    _ = try await store.commit(commit)
    store.abandon(JobName(name), run: run)
  }

  private func apply(
    _ retention: Retention, day: Int64, _ what: String, to store: SQLiteStore, _ table: inout Table
  ) async throws {
    let now = Self.start + .seconds(day * 86_400)
    var (steps, cpu): ([Double], [Double]) = ([], [])
    var progress = RetentionProgress.goesOn
    while progress == .goesOn {
      let (begunAt, cpuBefore) = (ContinuousClock.now, Self.cpuMilliseconds)
      progress = try await store.keepUp(retention, now: now)
      cpu.append(Self.cpuMilliseconds - cpuBefore)
      steps.append((ContinuousClock.now - begunAt) / .milliseconds(1))
    }
    table.add(
      what, "\(steps.count)", steps.median.text(2), Self.percentile(99, of: steps).text(2),
      Self.millisecondsMax.text(0), (steps.max() ?? 0).text(2), cpu.median.text(2),
      Self.percentile(99, of: cpu).text(2), (steps.reduce(0, +) / 1000).text(1))
  }

  private static func percentile(_ percentile: Int, of values: [Double]) -> Double {
    values.sorted()[values.count * percentile / 100]
  }

  /// The CPU time of this process so far, in milliseconds. Other load on the machine changes this
  /// value less than the elapsed time.
  private static var cpuMilliseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}

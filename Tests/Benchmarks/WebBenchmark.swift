import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation

/// The cost of `fetchrun-web` with 10,000 jobs. For a request, the cost is the CPU time in the web
/// process and in the daemon, and the size of the answer. For an idle web process, the cost is the
/// wake-ups and the memory.
struct WebBenchmark {
  static let jobCount = 10_000
  static let runCount = 400_000
  static let itemCount = 100_000
  /// The number of requests in one measurement. The kernel counts CPU time in steps of 10 ms.
  static let repeats = 100
  static let idleSeconds: UInt32 = 30
  /// The time in seconds before the idle process is measured. Threads that wait for work end only
  /// after some seconds.
  static let settlingSeconds: UInt32 = 15

  let product: Product

  /// One address with its limits; a limit is nil if there is none.
  private struct Target {
    var name: String
    var path: String
    var webMilliseconds: Double
    var daemonMilliseconds: Double?
    var kilobytes: Double?
  }

  private static let targets = [
    Target(
      name: "overview, 100 of 10,000 jobs", path: "/", webMilliseconds: 25, daemonMilliseconds: 5,
      kilobytes: 120),
    Target(
      name: "items of a job with 100,000", path: "/items?job=f0", webMilliseconds: 30,
      daemonMilliseconds: nil, kilobytes: nil),
    Target(
      name: "items?since of 1,000, JSON", path: "/api/v1/items?since=50000&limit=1000",
      webMilliseconds: 15, daemonMilliseconds: nil, kilobytes: nil),
    Target(
      name: "a job's page", path: "/jobs/f0", webMilliseconds: 30, daemonMilliseconds: 5,
      kilobytes: 120),
    Target(
      name: "metrics without series per job", path: "/metrics", webMilliseconds: 5,
      daemonMilliseconds: 5, kilobytes: nil),
  ]

  private static let allSeries = Target(
    name: "metrics with the series of all jobs", path: "/metrics", webMilliseconds: 150,
    daemonMilliseconds: 150, kilobytes: nil)

  func measure() async throws -> String {
    product.forgetStore()
    report("storing \(Self.itemCount) items and \(Self.runCount) runs of \(Self.jobCount) jobs")
    try await fill()
    var table = Table()
    table.add(
      "request", "", "web CPU ms", "at most", "daemon CPU ms", "at most", "kB", "at most")
    let all = try served(seriesCount: Self.jobCount) { socket, web, daemon in
      try measure(Self.allSeries, socket, web, daemon, &table)
      return ""
    }
    let rest = try served(seriesCount: 0) { socket, web, daemon in
      for target in Self.targets {
        report("\(Self.repeats) times \(target.path)")
        try measure(target, socket, web, daemon, &table)
      }
      return try idle(web)
    }
    return table.text + "\n" + all + rest
  }

  /// Starts a daemon and a web process, and calls the body with the web process's socket.
  ///
  /// - Parameter seriesCount: the number of jobs that have metrics of their own.
  private func served(
    seriesCount: Int, _ body: (_ socket: String, ChildProcess, ChildProcess) throws -> String
  ) throws -> String {
    let metrics = seriesCount == 0 ? "false" : "\(seriesCount)"
    let config = try product.configure(
      urls: (0..<Self.jobCount).map { "http://h\($0 / 2).localhost:9/\($0).xml" },
      interval: "0 3 \(IdleBenchmark.day) * *", gap: "1s",
      more: "web: {listen: [], url: https://fetch.example.org, metrics: {jobs: \(metrics)}}")
    let daemon = try product.serve(config: config)
    defer { daemon.kill() }
    let web = try ChildProcess(product.binary.path, ["web", "--config", config.path])
    defer { web.kill() }
    let socket = product.store.path + ".web"
    let start = ContinuousClock.now
    while access(socket, F_OK) != 0 {
      guard ContinuousClock.now - start < .seconds(30) else {
        throw BenchmarkError("fetchrun-web does not listen at \(socket)")
      }
      usleep(ChildProcess.samplingMicroseconds)
    }
    defer { unlink(socket) }
    return try body(socket, web, daemon)
  }

  private func measure(
    _ target: Target, _ socket: String, _ web: ChildProcess, _ daemon: ChildProcess,
    _ table: inout Table
  ) throws {
    _ = try get(target.path, 5, socket)
    let before = (cpuSeconds(web), cpuSeconds(daemon))
    let bytes = try get(target.path, Self.repeats, socket)
    func milliseconds(_ process: ChildProcess, _ before: Double) -> String {
      ((cpuSeconds(process) - before) / Double(Self.repeats) * 1e3).text(1)
    }
    table.add(
      target.name, "", milliseconds(web, before.0), target.webMilliseconds.text(0),
      milliseconds(daemon, before.1), target.daemonMilliseconds?.text(0) ?? "",
      (Double(bytes) / 1e3).text(1), target.kilobytes?.text(0) ?? "")
  }

  private func cpuSeconds(_ process: ChildProcess) -> Double {
    ProcessTree.cpuSeconds(of: process.identifier) ?? 0
  }

  /// Sends requests over one connection. Returns the size of the body of the last answer.
  private func get(_ path: String, _ count: Int, _ socket: String) throws -> Int {
    let answers = product.scratch.appending(path: "web.txt")
    let one = ["--output", "/dev/null", "http://localhost\(path)"]
    try ChildProcess(
      "curl",
      ["-q", "--silent", "--globoff", "--unix-socket", socket]
        + ["--write-out", "%{http_code} %{size_download}\\n"]
        + (0..<count).flatMap { _ in one }, output: answers
    ).wait().check("curl")
    let lines = try String(contentsOf: answers, encoding: .utf8).split(separator: "\n")
    guard lines.count == count, lines.allSatisfy({ $0.hasPrefix("200 ") }) else {
      throw BenchmarkError("\(path) was answered with \(Set(lines).prefix(3))")
    }
    return lines.last.flatMap { Int($0.dropFirst(4)) } ?? 0
  }

  private func idle(_ web: ChildProcess) throws -> String {
    report("an idle fetchrun-web for \(Self.idleSeconds) s")
    sleep(Self.settlingSeconds)
    guard let before = ProcessFacts(web.identifier) else {
      throw BenchmarkError("fetchrun-web has ended")
    }
    sleep(Self.idleSeconds)
    guard let after = ProcessFacts(web.identifier) else {
      throw BenchmarkError("fetchrun-web has ended")
    }
    func megabytes(_ bytes: Int) -> String { (Double(bytes) / 1e6).text(1) }
    var table = Table()
    table.add("idle after use", "", "figure", "at most")
    table.add("wake-ups in \(Self.idleSeconds) s", "", "\(after.switches - before.switches)", "0")
    table.add("resident MB", "", megabytes(after.residentBytes), "40")
    table.add("of them its own", "", megabytes(after.ownBytes), "8")
    return table.text
  }

  // MARK: The store

  /// Stores the items of the job f0 as runs do, and everything else by SQL, which is faster.
  private func fill() async throws {
    let store = try await SQLiteStore.open(at: product.store.path)
    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    for round in 0..<(Self.itemCount / 1000) { try await addItems(to: store, round, now: now) }
    try await store.close()
    let start = now.milliseconds - 18 * 3_600_000
    let sql = """
      BEGIN;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.jobCount - 1))
      INSERT INTO jobs (name, plugin) SELECT 'f' || i, 'rss' FROM n;
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.runCount - 1))
      INSERT INTO runs (run, job, plugin, trigger, outcome, reason, added, updated, removed,
        started_at, duration_ms, cpu_us, requests, received_bytes, ended)
      SELECT randomblob(16), jobs.id, 'rss', 'schedule',
        CASE WHEN i % 5 = 0 THEN 'newData' ELSE 'noData' END,
        CASE WHEN i % 5 = 0 THEN NULL ELSE 'notModified' END, i % 5 = 0, 0, 0,
        \(start) + i * 64800000 / \(Self.runCount), 300, 4000, 1, 30000, 1000000 + i
      FROM n JOIN jobs ON jobs.name = 'f' || (i % \(Self.jobCount));
      COMMIT;
      """
    let script = product.scratch.appending(path: "fill.sql")
    try sql.write(to: script, atomically: false, encoding: .utf8)
    try ChildProcess("sqlite3", [product.store.path, ".read \(script.path)"]).wait()
      .check("sqlite3")
  }

  private func addItems(to store: SQLiteStore, _ round: Int, now: Timestamp) async throws {
    let rules = ItemRules()
    let items = (0..<1000).map { number in
      var item = ParsedItem()
      item.id = "https://a.example/\(round)/\(number)"
      item.title = "Item \(number) of round \(round)"
      item.url = item.id
      item.content = String(repeating: "text ", count: 40)
      return item
    }
    let run = RunID(startedAt: now, random: (UInt64(round), 1))
    let snapshot = try await store.openJob(JobName("f0"), run: run)
    let result = IdentifiedItems(items, rules: rules)
    let known = try await store.known(result, of: snapshot, rules: rules)
    let changes = Diff.decide(
      result, rules: rules, known: known, isFirstRun: snapshot.isFirstRun, isWhole: true, now: now)
    var commit = RunCommit(
      record: RunRecord(
        run: run, job: JobName("f0"), plugin: "rss", trigger: .schedule, outcome: changes.outcome,
        startedAt: now))
    commit.changes = changes
    _ = try await store.commit(commit)
    store.abandon(JobName("f0"), run: run)
  }
}

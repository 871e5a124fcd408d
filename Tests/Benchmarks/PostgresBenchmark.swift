import FetchModel
import FetchStore
import FetchStorePostgres
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation

/// The CPU time of a store in PostgreSQL, for the client and for the server, compared with the same
/// work in SQLite. Commits in PostgreSQL wait for the disk.
struct PostgresBenchmark {
  let server: PostgresServer
  let scratch: URL
  /// The store of the last runs.
  private var lastAddress: String?

  private static let start = Timestamp(seconds: 1_795_168_800)
  static let runCount = 2_048
  static let repeats = 3
  /// The limit of the server's CPU time for a run without news in batches of 16, in milliseconds.
  static let quietMax = 0.05

  init(scratch: URL) throws {
    guard PostgresServer.isInstalled else { throw BenchmarkError("PostgreSQL is not installed") }
    server = try PostgresServer(isDurable: true)
    self.scratch = scratch
  }

  // MARK: Commits

  /// Measures runs without news, and with 3 and 30 new items, in batches.
  func measureCommits() async throws -> String {
    var table = Table()
    table.add("a run with", "batch", "server ms", "at most", "client ms", "SQLite ms")
    for itemCount in [0, 3, 30] {
      for batch in [1, 8, 16, 64] {
        report("\(itemCount) items in batches of \(batch)")
        let count = itemCount == 30 || batch == 1 ? Self.runCount / 4 : Self.runCount
        var (servers, clients, files): ([Double], [Double], [Double]) = ([], [], [])
        for number in 1...Self.repeats {
          let database = try await PostgresStore.open(at: try server.newDatabase())
          try await fill(database, batch: batch)
          let before = (server.cpuSeconds, Self.cpuSeconds)
          try await commit(database, itemCount, batch: batch, count: count)
          servers.append((server.cpuSeconds - before.0) * 1_000 / Double(count))
          clients.append((Self.cpuSeconds - before.1) * 1_000 / Double(count))
          try await database.close()
          let path = scratch.appending(path: "s\(itemCount)-\(batch)-\(number).sqlite").path
          let file = try await SQLiteStore.open(at: path)
          try await fill(file, batch: batch)
          let earlier = Self.cpuSeconds
          try await commit(file, itemCount, batch: batch, count: count)
          files.append((Self.cpuSeconds - earlier) * 1_000 / Double(count))
          try await file.close()
        }
        let limit = itemCount == 0 && batch >= 16 ? Self.quietMax.text(2) : ""
        table.add(
          itemCount == 0 ? "no news" : "\(itemCount) new items", "\(batch)",
          (servers.min() ?? 0).text(3), limit, (clients.min() ?? 0).text(3),
          (files.min() ?? 0).text(3))
      }
    }
    return table.text
  }

  private static var cpuSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Stores the first run of each job.
  private func fill(_ store: any Store, batch: Int) async throws {
    try await commit(store, 1, batch: batch, count: batch, round: 0)
  }

  /// Stores runs of `batch` jobs that end together.
  private func commit(
    _ store: any Store, _ itemCount: Int, batch: Int, count: Int, round first: Int = 1
  ) async throws {
    for round in first..<(first + count / batch) {
      var opened: [(JobSnapshot, RunID)] = []
      for job in 0..<batch {
        let run = RunID(startedAt: Self.start, random: (UInt64(round), UInt64(job)))
        let name = JobName("job\(job)")
        opened.append(
          (try await store.openJob(name, run: run, plugin: "rss", noting: nil), run))
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (snapshot, run) in opened {
          group.addTask {
            _ = try await store.commit(
              try await Self.end(run, of: snapshot, store, itemCount, round: round))
          }
        }
        try await group.waitForAll()
      }
    }
  }

  private static func end(
    _ run: RunID, of snapshot: JobSnapshot, _ store: any Store, _ itemCount: Int, round: Int
  ) async throws -> RunCommit {
    let items = (0..<itemCount).map { number in
      var item = ParsedItem()
      item.id = "https://a.example/\(round)/\(number)"
      item.title = "Item \(number) of round \(round)"
      item.content = String(repeating: "content ", count: 60)
      return item
    }
    let rules = ItemRules()
    let result = IdentifiedItems(items, rules: rules)
    let known =
      itemCount == 0
      ? KnownItems() : try await store.known(result, of: snapshot, rules: rules)
    let changes = Diff.decide(
      result, rules: rules, known: known, isFirstRun: snapshot.isFirstRun, isWhole: true,
      now: start)
    let outcome: Outcome = itemCount == 0 ? .noData(.notModified) : changes.outcome
    var commit = RunCommit(
      record: RunRecord(
        run: run, job: snapshot.name, plugin: "rss", trigger: .schedule, outcome: outcome,
        startedAt: start))
    if itemCount > 0 { commit.changes = changes }
    commit.schedule = StoredSchedule([UInt8](repeating: UInt8(round & 63), count: 200))
    return commit
  }

  // MARK: Whole runs

  /// Measures `fetchrun run` over feeds with both stores: first fetch and unchanged.
  mutating func measureRuns(_ product: Product, _ urls: [String], repeats: Int) throws -> String {
    var table = Table()
    table.add(
      "feeds", "phase", "SQLite CPU s", "PostgreSQL: fetchrun", "server", "together / SQLite",
      "at most", "peak MB", "SQLite's")
    var cells: [String: (file: [Double], client: [Double], server: [Double])] = [:]
    var peaks: (database: Int, file: Int) = (0, 0)
    for number in 1...repeats {
      report("\(urls.count) feeds, repeat \(number) of \(repeats)")
      product.forgetStore()
      let address = try server.newDatabase().path
      lastAddress = address
      for phase in ["first fetch", "unchanged"] {
        let file = try product.run(config: try product.configure(urls: urls)).usage
        let before = server.cpuSeconds
        let config = try product.configure(urls: urls, store: address)
        let database = try product.run(config: config).usage
        cells[phase, default: ([], [], [])].file.append(file.cpuSeconds)
        cells[phase]?.client.append(database.cpuSeconds)
        cells[phase]?.server.append(server.cpuSeconds - before)
        peaks = (max(peaks.database, database.peakBytes), max(peaks.file, file.peakBytes))
      }
    }
    for phase in ["first fetch", "unchanged"] {
      guard let cell = cells[phase] else { continue }
      let (file, client, own) = (cell.file.median, cell.client.median, cell.server.median)
      table.add(
        "\(urls.count)", phase, file.text(2), client.text(2), own.text(2),
        ((client + own) / file).text(2), "1.5", (Double(peaks.database) / 1e6).text(0),
        (Double(peaks.file) / 1e6).text(0))
    }
    return table.text + "\n" + (try measureReading(product, repeats: repeats)) + "\n"
      + (try measureUpdates())
  }

  // MARK: Jobs due together

  /// Measures `serve` with all jobs due together, with the CPU time of the server.
  func measureDue(_ product: Product, _ farm: FeedFarm, _ urls: [String]) throws -> String {
    var benchmark = DueBenchmark(farm: farm, product: product, urls: urls)
    benchmark.newStore = { try server.newDatabase().path }
    benchmark.serverSeconds = { server.cpuSeconds }
    return "PostgreSQL, CPU with the server's\n" + (try benchmark.measure())
  }

  // MARK: The server

  /// Returns the share of updates that changed no index (HOT) in the store of the last runs. Also
  /// returns the memory of the server.
  private func measureUpdates() throws -> String {
    guard let address = lastAddress else { return "" }
    let file = scratch.appending(path: "updates.txt")
    let name = address.split(separator: "/").last.map(String.init) ?? ""
    // The server counts with a delay of at most a second.
    let sql = """
      SELECT pg_sleep(2);
      SELECT relname, n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables
      WHERE schemaname = 'fetchrun' AND n_tup_upd > 0 ORDER BY relname
      """
    try ChildProcess(
      "psql",
      ["-h", server.folder, "-U", "fetchrun", "-d", name, "-XAtq", "-F", " ", "-c", sql],
      output: file
    ).wait().check("psql")
    var table = Table()
    table.add("table", "", "updates", "of them HOT %")
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let cells = line.split(separator: " ")
      guard cells.count == 3, let all = Double(cells[1]), let hot = Double(cells[2]) else {
        continue
      }
      table.add(String(cells[0]), "", String(cells[1]), (hot / all * 100).text(0))
    }
    let bytes = Double(server.ownBytes) / 1e6
    return table.text
      + "\nthe server's processes: \(bytes.text(0)) MB, with their shared memory once"
  }

  // MARK: Reading

  /// Measures the CPU time of reading the last 1,000 changes from the stores of the last runs.
  private func measureReading(_ product: Product, repeats: Int) throws -> String {
    guard let address = lastAddress else { return "" }
    var (file, database, own): ([Double], [Double], [Double]) = ([], [], [])
    let (first, second) = (
      try product.lastSequence(of: product.store.path) - 1_000,
      try product.lastSequence(of: address) - 1_000
    )
    for _ in 1...max(5, repeats) {
      file.append(try product.changes(of: product.store.path, since: first).cpuSeconds)
      let before = server.cpuSeconds
      database.append(try product.changes(of: address, since: second).cpuSeconds)
      own.append(server.cpuSeconds - before)
    }
    var table = Table()
    table.add("items --since, 1,000 changes: SQLite ms", "PostgreSQL: fetchrun ms", "server ms")
    table.add(
      (file.median * 1_000).text(1), (database.median * 1_000).text(1),
      (own.median * 1_000).text(1))
    return table.text
  }
}

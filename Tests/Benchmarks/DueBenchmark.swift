import Foundation

/// The time and memory of `serve` with many jobs due at the same instant, compared with `fetchrun
/// run` over the same feeds. The benchmark also measures whether the daemon answers requests during
/// the runs. The times of unchanged feeds are the least of several rounds without such requests.
struct DueBenchmark {
  static let multipleMax = 1.3
  static let cpuMultipleMax = 1.1
  /// The number of measurements of unchanged feeds, alternately by `run` and by a new daemon.
  static let roundCount = 3
  static let statusSecondsMax = 1.0
  /// The minimum time between two requests for the status of all jobs.
  static let statusPeriod: Duration = .seconds(2)
  /// The maximum time of one run of all jobs, in minutes. After this time, the benchmark fails.
  static let minutesMax = 30.0

  let farm: FeedFarm
  let product: Product
  let urls: [String]
  /// Returns the address of an empty store; nil for a file.
  var newStore: () throws -> String? = { nil }
  /// The CPU time in seconds that the server of the store has used.
  var serverSeconds: () -> Double = { 0 }

  private struct Daemon {
    var seconds = 0.0
    var cpuSeconds = 0.0
    /// The resident memory in bytes after each quarter of the runs.
    var quarterBytes: [Int] = []
    var peakBytes = 0
    var statusSeconds: [Double] = []
  }

  func measure() throws -> String {
    var config = try emptyStore()
    var table = Table()
    table.add(
      "jobs due", "phase", "run s", "serve s", "times", "at most", "run CPU s", "serve CPU s",
      "times", "status s, worst", "at most", "MB by quarters", "peak MB")

    report("\(urls.count) jobs: fetchrun run, first fetch")
    let cold = try plain(config, added: added)

    config = try emptyStore()
    report("\(urls.count) jobs: serve, first fetch")
    let earlier = serverSeconds()
    var daemon = try withDaemon(config) { serving, start in
      var first = try watch(serving, config, from: start, runCount: urls.count)
      first.cpuSeconds += serverSeconds() - earlier
      add("first fetch", cold, first, &table)

      report("\(urls.count) jobs: serve, unchanged, with requests for the status")
      let asked = ContinuousClock.now
      let asking = try product.runByDaemon(config: config)
      let again = try watch(serving, config, from: asked, runCount: urls.count * 2)
      try asking.wait().check("fetchrun run")
      return again
    }

    var (plains, daemons): ([Usage], [Daemon]) = ([], [])
    for round in 1...Self.roundCount {
      report("\(urls.count) jobs, unchanged: round \(round) of \(Self.roundCount)")
      plains.append(try plain(config, added: [:]))
      daemons.append(try unchanged(config))
    }
    daemon.seconds = daemons.map(\.seconds).min() ?? 0
    daemon.cpuSeconds = daemons.map(\.cpuSeconds).min() ?? 0
    var least = Usage()
    least.wallSeconds = plains.map(\.wallSeconds).min() ?? 0
    least.cpuSeconds = plains.map(Self.ownSeconds).min() ?? 0
    add("unchanged", least, daemon, &table)
    let ratios = zip(daemons, plains).map { $0.cpuSeconds / Self.ownSeconds($1) }.sorted()
    return table.text + "\nCPU, unchanged, in each round: "
      + ratios.map { $0.text(2) }.joined(separator: ", ")
      + " (at most \(Self.cpuMultipleMax.text(1)))\n"
  }

  /// Starts a daemon and calls `body` with it and with the time before its start. Then stops it.
  private func withDaemon<Result>(
    _ config: URL, _ body: (ChildProcess, ContinuousClock.Instant) throws -> Result
  ) throws -> Result {
    let start = ContinuousClock.now
    let serving = try product.serve(config: config)
    let result: Result
    do { result = try body(serving, start) } catch {
      serving.kill()
      throw error
    }
    try serving.stop().check("fetchrun serve")
    return result
  }

  /// Measures all runs by a new daemon, from which nothing else is requested.
  private func unchanged(_ config: URL) throws -> Daemon {
    try withDaemon(config) { serving, _ in
      let before = try cpuSeconds(of: serving)
      let start = ContinuousClock.now
      let asking = try product.runByDaemon(config: config)
      var daemon = try watch(serving, config, from: start, runCount: urls.count, asksStatus: false)
      try asking.wait().check("fetchrun run")
      daemon.cpuSeconds = try cpuSeconds(of: serving) - before
      return daemon
    }
  }

  private func cpuSeconds(of serving: ChildProcess) throws -> Double {
    guard let seconds = ProcessTree.cpuSeconds(of: serving.identifier) else {
      throw BenchmarkError("the daemon has ended: \(product.messageText)")
    }
    return seconds + serverSeconds()
  }

  /// Returns the CPU seconds of the program without its workers, whose time is not part of the
  /// daemon's either.
  private static func ownSeconds(_ usage: Usage) -> Double {
    usage.cpuSeconds - usage.childrenSeconds
  }

  /// Writes a config with an empty store, and returns the path of the config.
  private func emptyStore() throws -> URL {
    product.forgetStore()
    return try product.configure(urls: urls, interval: "6h", store: try newStore())
  }

  private var added: [Int: Int] {
    Dictionary(uniqueKeysWithValues: urls.indices.map { ($0, farm.feeds[$0].itemCount) })
  }

  private func plain(_ config: URL, added: [Int: Int]) throws -> Usage {
    let earlier = serverSeconds()
    var (usage, lines) = try product.run(config: config)
    usage.cpuSeconds += serverSeconds() - earlier
    let mistakes = RunLine.mistakes(in: lines, count: urls.count, added: added)
    if let first = mistakes.first {
      throw BenchmarkError("\(mistakes.count) runs had a wrong result, such as \(first)")
    }
    return usage
  }

  /// Waits until `runCount` runs have been reported. Meanwhile requests the daemon's status if
  /// `asksStatus` is true.
  private func watch(
    _ serving: ChildProcess, _ config: URL, from start: ContinuousClock.Instant, runCount: Int,
    asksStatus: Bool = true
  ) throws -> Daemon {
    var daemon = Daemon()
    var runLines = LineCount(of: product.records)
    let first = runCount - urls.count
    var statusAt = start
    while runLines.count < runCount {
      guard ContinuousClock.now - start < .seconds(Self.minutesMax * 60) else {
        throw BenchmarkError(
          "only \(runLines.count) of \(runCount) runs ended: \(product.messageText)")
      }
      try runLines.update()
      let quarters = min((runLines.count - first) * 4 / urls.count, 4)
      if daemon.quarterBytes.count < quarters {
        // The facts are not read in each round, because reading the facts of all threads of the
        // daemon would take a tenth of a processor.
        guard let facts = ProcessFacts(serving.identifier) else {
          throw BenchmarkError("the daemon has ended: \(product.messageText)")
        }
        daemon.peakBytes = facts.peakBytes
        while daemon.quarterBytes.count < quarters {
          daemon.quarterBytes.append(facts.residentBytes)
        }
      }
      if asksStatus, ContinuousClock.now >= statusAt, runLines.count < runCount {
        daemon.statusSeconds.append(try product.status(config: config).wallSeconds)
        statusAt = .now + Self.statusPeriod
      }
      usleep(ChildProcess.samplingMicroseconds)
    }
    daemon.seconds = (ContinuousClock.now - start) / .seconds(1)
    daemon.cpuSeconds = ProcessTree.cpuSeconds(of: serving.identifier) ?? 0
    return daemon
  }

  private func add(_ phase: String, _ plain: Usage, _ daemon: Daemon, _ table: inout Table) {
    let megabytes = { (bytes: Int) in (Double(bytes) / 1e6).text(0) }
    table.add(
      "\(urls.count)", phase, plain.wallSeconds.text(2), daemon.seconds.text(2),
      (daemon.seconds / plain.wallSeconds).text(2), Self.multipleMax.text(1),
      Self.ownSeconds(plain).text(2), daemon.cpuSeconds.text(2),
      (daemon.cpuSeconds / Self.ownSeconds(plain)).text(2),
      (daemon.statusSeconds.max() ?? 0).text(2), Self.statusSecondsMax.text(0),
      daemon.quarterBytes.map(megabytes).joined(separator: " "), megabytes(daemon.peakBytes))
  }
}

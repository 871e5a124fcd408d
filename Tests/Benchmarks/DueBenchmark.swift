import Foundation

/// The time and memory of `serve` with many jobs due at the same instant, compared with `fetchrun
/// run` over the same feeds. The benchmark also measures whether the daemon answers requests during
/// the runs.
struct DueBenchmark {
  static let multipleMax = 1.3
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
    report("\(urls.count) jobs: fetchrun run, unchanged")
    let again = try plain(config, added: [:])

    config = try emptyStore()
    report("\(urls.count) jobs: serve, first fetch")
    let start = ContinuousClock.now
    let earlier = serverSeconds()
    let serving = try product.serve(config: config)
    defer { serving.kill() }
    var first = try watch(serving, config, from: start, runCount: urls.count)
    first.cpuSeconds += serverSeconds() - earlier
    add("first fetch", cold, first, &table)

    report("\(urls.count) jobs: serve, unchanged")
    let asked = ContinuousClock.now
    let before = (ProcessTree.cpuSeconds(of: serving.identifier) ?? 0) + serverSeconds()
    let asking = try product.runByDaemon(config: config)
    var daemon = try watch(serving, config, from: asked, runCount: urls.count * 2)
    try asking.wait().check("fetchrun run")
    daemon.cpuSeconds += serverSeconds() - before
    add("unchanged", again, daemon, &table)
    return table.text
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

  /// Waits until `runCount` runs have been reported, and meanwhile requests the daemon's status.
  private func watch(
    _ serving: ChildProcess, _ config: URL, from start: ContinuousClock.Instant, runCount: Int
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
      if ContinuousClock.now >= statusAt, runLines.count < runCount {
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
      (plain.cpuSeconds - plain.childrenSeconds).text(2), daemon.cpuSeconds.text(2),
      (daemon.cpuSeconds / (plain.cpuSeconds - plain.childrenSeconds)).text(2),
      (daemon.statusSeconds.max() ?? 0).text(2), Self.statusSecondsMax.text(0),
      daemon.quarterBytes.map(megabytes).joined(separator: " "), megabytes(daemon.peakBytes))
  }
}

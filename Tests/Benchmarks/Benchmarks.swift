import ArgumentParser
import Foundation

/// A program that measures the cost of fetchrun. Some parts compare fetchrun with the floor, the
/// least possible cost of the same work. A slow result is not a failure, but a wrong outcome is.
@main
struct Benchmarks: AsyncParsableCommand {
  enum Part: String, ExpressibleByArgument, CaseIterable {
    case farm, pipeline, start, memory, idle, due, decisions, retention, traces, sync, transfer,
      events, web, postgres
  }

  static let configuration = CommandConfiguration(
    commandName: "Benchmarks",
    discussion: """
      farm       the feeds and the floor alone: curl, xmllint, sqlite3
      pipeline   the floor, a Go program and `fetchrun run`: cold, unchanged, 10 % changed
      start      `fetchrun --plugin` against curl
      memory     the memory of a waiting run in its worker
      idle       `serve` while nothing is due: memory and wake-ups
      due        `serve` with all jobs due together, against `fetchrun run`
      decisions  the scheduler with 1,000 to 1,000,000 jobs
      retention  the steps of retention in a store of 100,000 items with 300,000 versions
      traces     the learned schedule on each --trace: delay and misses, against a fixed interval,
                 no habits, and a planner with the true rates (X.truth.json.gz of X.jsonl.gz);
                 with --without-budget, by the longest interval that a source is given
      sync       a mirror of --files files by `file-sync`, against `rclone sync`
      events     `fetchrun-web`: a page of changes, an unchanged feed, 64 event streams
      transfer   a download of 1 GiB against curl, and the memory of one of 2 GiB
      postgres   a store in PostgreSQL against SQLite: commits in batches, and `fetchrun run`
      web        `fetchrun-web` with 10,000 jobs and 400,000 runs: CPU time of a request in it and
                 in the daemon, size of the page, and wake-ups and memory while idle
      """)

  @Argument(help: "What to measure; everything if not given.")
  var part: Part?

  @Option(help: "The numbers of feeds, separated by commas.", transform: Self.counts)
  var feeds = [200, 1_000, 5_000]

  @Option(help: "Measure each size this often instead of more often the smaller it is.")
  var repeats: Int?

  @Option(help: "How many files are mirrored.")
  var files = 10_000

  @Option(help: "A trace to replay. Repeatable.", completion: .file())
  var trace: [String] = []

  @Flag(help: "Replay the traces without their budgets.")
  var withoutBudget = false

  @Flag(help: "Serve the farm, with a config for it, until Ctrl-C.")
  var serve = false

  func run() async throws {
    if part == .decisions { return print(try DecisionBenchmark().measure()) }
    if part == .retention { return print(try await RetentionBenchmark().measure()) }
    if part == .traces, withoutBudget {
      return print(try UnlimitedTracesBenchmark(paths: trace).measure())
    }
    if part == .traces { return print(try TracesBenchmark(paths: trace).measure()) }
    guard let most = feeds.max(), most > 0 else { throw ValidationError("--feeds: no feeds") }
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "fetchrun-benchmark-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    ChildProcess.home = scratch.path
    defer { try? FileManager.default.removeItem(at: scratch) }

    let product = part == .farm && !serve ? nil : Product(scratch: scratch)
    if product == nil, part != .farm {
      report("fetchrun is not beside this program (swift build -c release): floor only")
    }
    if part == .events, let product {
      return print(try await EventsBenchmark(product: product).measure())
    }
    if part == .sync { return try sync(product, scratch) }
    if part == .web {
      guard let product else { throw ExitCode.failure }
      return print(try await WebBenchmark(product: product).measure())
    }
    let farm = try makeFarm(
      count: [.start, .memory, .idle, .transfer].contains(part) ? 1 : most, in: scratch)
    let server = try FeedServer(serving: farm.folder, scratch: scratch)
    defer { server.stop() }
    if serve { return try wait(server, farm: farm, product: product) }

    var isRight = true
    if part == nil || part == .farm || part == .pipeline {
      var pipeline = PipelineBenchmark(
        server: server, farm: farm, scratch: scratch, product: product)
      try pipeline.measureAlone()
      for count in feeds.sorted() {
        let repeats = repeats ?? PipelineBenchmark.repeats(count)
        for hosts in FarmFeed.Hosts.allCases {
          try pipeline.measure(count: count, hosts: hosts, repeats: max(1, repeats))
        }
      }
      print(pipeline.table)
      isRight = pipeline.mistakes.isEmpty
    }
    if let product, part == nil || part == .start {
      let installed = try product.installed()
      print(try StartBenchmark(server: server, feed: farm.feeds[0], product: installed).measure())
    }
    if let product, part == nil || part == .memory {
      print(try MemoryBenchmark(product: product).measure())
    }
    if let product, part == nil || part == .idle {
      print(try IdleBenchmark(product: product).measure())
    }
    if let product, part == nil || part == .due {
      let urls = farm.feeds.map { server.url(of: $0) }
      print(try DueBenchmark(farm: farm, product: product, urls: urls).measure())
    }
    if let product, part == .postgres {
      var benchmark = try PostgresBenchmark(scratch: scratch)
      print(try await benchmark.measureCommits())
      for count in feeds.sorted() {
        let urls = farm.feeds.prefix(count).map { server.url(of: $0) }
        print(try benchmark.measureRuns(product, urls, repeats: max(1, repeats ?? 3)))
        print(try benchmark.measureDue(product, farm, urls))
      }
    }
    if let product, part == nil || part == .transfer {
      let transfer = TransferBenchmark(
        server: server, farm: farm, scratch: scratch, product: product)
      print(try transfer.measure())
    }
    if part == nil {
      print(try DecisionBenchmark().measure())
      print(try await RetentionBenchmark().measure())
    }
    if !isRight { throw ExitCode.failure }
  }

  private func sync(_ product: Product?, _ scratch: URL) throws {
    guard let product else { throw ExitCode.failure }
    let benchmark = try SyncBenchmark(
      product: product, scratch: scratch, fileCount: files, repeats: max(1, repeats ?? 5))
    print(try benchmark.measure())
  }

  private func makeFarm(count: Int, in scratch: URL) throws -> FeedFarm {
    report("making \(count) feeds in \(scratch.path)")
    let farm = try FeedFarm(count: count, folder: scratch.appending(path: "feeds"))
    let sizes = farm.bytes.map(Double.init)
    let items = farm.feeds.map(\.itemCount).reduce(0, +)
    print(
      "\(count) feeds: median \((sizes.median / 1e3).text(1)) KB, "
        + "mean \((sizes.reduce(0, +) / Double(count) / 1e3).text(1)) KB, \(items) items")
    return farm
  }

  private func wait(_ server: FeedServer, farm: FeedFarm, product: Product?) throws {
    print("first feed: \(server.url(of: farm.feeds[0]))")
    if let product {
      print("config: \(try product.configure(urls: farm.feeds.map { server.url(of: $0) }).path)")
    }
    fflush(nil)
    while true { pause() }
  }

  private static func counts(_ text: String) throws -> [Int] {
    try text.split(separator: ",").map {
      guard let count = Int($0), count > 0 else { throw ValidationError("\($0) is not a count") }
      return count
    }
  }
}

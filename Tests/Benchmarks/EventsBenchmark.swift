import FetchEngine
import FetchStore
import FetchValues
import Foundation

/// The cost of `fetchrun-web` for programs: a page of changes, a feed that has not changed, and
/// event streams while items arrive.
struct EventsBenchmark {
  private static let jobCount = 10
  private static let itemsPerRun = 100
  private static let streamCount = 64
  private static let seconds = 10
  private static let pageCount = 100
  private static let feedCount = 2_000

  let product: Product

  private var socket: String { product.store.path + ".web" }

  func measure() async throws -> String {
    product.forgetStore()
    let config = try configure()
    let serving = try product.serve(config: config)
    defer { serving.kill() }
    let web = try ChildProcess(
      product.binary.path + "-web", ["--config", config.path], errors: URL(filePath: "/dev/null"))
    defer { web.kill() }
    report("storing \(Self.jobCount * 2 * Self.itemsPerRun) items")
    for _ in 0..<2 { for job in 0..<Self.jobCount { try await run(job) } }
    let client = try connected()
    var table = Table()
    table.add("what", "bar", "measured")
    let clock = try ProcessClock(web.identifier)

    let page = try cost(Self.pageCount, clock) {
      try client.get("/api/v1/items?since=0&limit=1000").status == 200
    }
    table.add("`items?since` of 1,000, CPU", "≤ 15 ms", "\((page * 1e3).text(1)) ms")
    let feed = try cost(Self.feedCount, clock) {
      try client.get("/feeds/j1.atom", "If-None-Match: \"\(lastSequence)-atom\"\r\n").status == 304
    }
    table.add("a feed not modified, CPU", "≤ 0.3 ms", "\((feed * 1e3).text(3)) ms")
    try await streams(&table, serving, web, clock)
    return table.text
  }

  private var lastSequence: Int { Self.jobCount * 2 * Self.itemsPerRun }

  private func cost(
    _ count: Int, _ clock: ProcessClock, _ isRight: () throws -> Bool
  ) throws -> Double {
    for _ in 0..<20 { _ = try isRight() }
    let before = clock.seconds
    for _ in 0..<count {
      guard try isRight() else { throw BenchmarkError("fetchrun-web gave another answer") }
    }
    return (clock.seconds - before) / Double(count)
  }

  // MARK: Streams

  private func streams(
    _ table: inout Table, _ serving: ChildProcess, _ web: ChildProcess, _ clock: ProcessClock
  ) async throws {
    let daemon = try ProcessClock(serving.identifier)
    report("\(Self.seconds) s of items without a stream")
    let (alone, _) = try await load(daemon)
    let readers = try StreamReaders((0..<Self.streamCount).map { _ in try UnixHTTP(socket) })
    report("\(Self.seconds) s of items with \(Self.streamCount) streams")
    let before = clock.seconds
    let (watched, sent) = try await load(daemon)
    let isComplete = readers.wait(for: sent)
    let used = (clock.seconds - before) / Double(Self.seconds)
    guard isComplete else {
      throw BenchmarkError("the streams have received \(readers.range) of \(sent) events")
    }
    let facts = ProcessFacts(web.identifier)
    let rate = Double(sent) / Double(Self.seconds)
    let what = "\(Self.streamCount) streams, \(rate.text(0)) events/s each"
    table.add("\(what): CPU of the web process", "≤ 20 %", "\((used * 100).text(1)) %")
    table.add(
      "\(what): its peak memory", "≤ 60 MB", "\((Double(facts?.peakBytes ?? 0) / 1e6).text(1)) MB")
    table.add(
      "\(what): CPU of the daemon, more than without", "≤ 1 %",
      "\(((watched - alone) * 100).text(2)) %")
  }

  /// Runs a job every tenth of a second. Returns the daemon's share of a processor, and the number
  /// of events.
  private func load(_ daemon: ProcessClock) async throws -> (share: Double, events: Int) {
    let before = daemon.seconds
    let start = ContinuousClock.now
    for turn in 0..<(Self.seconds * 10) {
      try await run(turn % Self.jobCount)
      let rest = start + .milliseconds(100 * (turn + 1)) - .now
      if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
    }
    let share = (daemon.seconds - before) / Double(Self.seconds)
    return (share, Self.seconds * 10 * (Self.itemsPerRun + 1))
  }

  private func run(_ job: Int) async throws {
    let sockets = StateFolder(of: .file(product.store.path)).daemonSockets
    let end = try await ControlClient.send(
      .run(.named([JobName("j\(job)")]), skipsInterval: true, waits: true), at: sockets
    ) { _ in }
    guard end.status == 0 else { throw BenchmarkError("a run failed: \(end.message ?? "")") }
  }

  // MARK: Setting up

  private func configure() throws -> URL {
    let plugin = product.scratch.appending(path: "events.lua")
    try """
    return {
      api = 1, name = "events", version = "1.0.0", description = "new items in every run",
      interval = "never",
      fetch = function(ctx)
        ctx.state.run = (ctx.state.run or 0) + 1
        local items = {}
        for number = 1, \(Self.itemsPerRun) do
          items[number] = {
            id = ctx.state.run .. "-" .. number, title = "An item of usual length " .. number,
            url = "https://example.org/" .. number, summary = ("text "):rep(40),
          }
        end
        return items
      end,
    }
    """.write(to: plugin, atomically: false, encoding: .utf8)
    let config = product.scratch.appending(path: "events.yaml")
    let jobs = (0..<Self.jobCount).map { "  - { name: j\($0), plugin: \(plugin.path) }" }
    try """
    store: \(product.store.path)
    web: { listen: [] }
    jobs:
    \(jobs.joined(separator: "\n"))
    """.write(to: config, atomically: false, encoding: .utf8)
    return config
  }

  private func connected() throws -> UnixHTTP {
    let start = ContinuousClock.now
    while true {
      if let client = try? UnixHTTP(socket) { return client }
      guard ContinuousClock.now - start < .seconds(30) else {
        throw BenchmarkError("fetchrun-web does not listen")
      }
      usleep(ChildProcess.samplingMicroseconds)
    }
  }
}

/// The clients of event streams. One thread counts the events that all clients receive.
private final class StreamReaders: @unchecked Sendable {
  // SAFETY: the lock guards the counts; the connections never change.
  private let clients: [UnixHTTP]
  private let lock = NSLock()
  private var counts: [Int]
  private static let mark = Array("event: ".utf8)

  init(_ clients: [UnixHTTP]) throws {
    self.clients = clients
    counts = clients.map { _ in 0 }
    for client in clients { try client.send("/api/v1/events?types=item,run") }
    let descriptors = clients.map(\.socket)
    for descriptor in descriptors { try Self.skipHead(descriptor) }
    let thread = Thread { [weak self] in
      var places = descriptors.map { _ in 0 }
      var chunk = [UInt8](repeating: 0, count: 256 << 10)
      var sockets = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      while poll(&sockets, nfds_t(sockets.count), 1_000) >= 0, let self {
        for index in sockets.indices where sockets[index].revents != 0 {
          let count = recv(sockets[index].fd, &chunk, chunk.count, 0)
          guard count > 0 else { return }
          self.count(chunk[..<count], index, &places[index])
        }
      }
    }
    thread.start()
  }

  /// Reads the head of the answer. A stream has all events that happen after its head was sent.
  private static func skipHead(_ descriptor: Int32) throws {
    var last: [UInt8] = []
    var byte: UInt8 = 0
    while last.suffix(4) != Array("\r\n\r\n".utf8)[...] {
      guard recv(descriptor, &byte, 1, 0) == 1 else {
        throw BenchmarkError("fetchrun-web ended a stream before its first event")
      }
      last.append(byte)
    }
  }

  private func count(_ bytes: ArraySlice<UInt8>, _ index: Int, _ place: inout Int) {
    var found = 0
    for byte in bytes {
      place = byte == Self.mark[place] ? place + 1 : byte == Self.mark[0] ? 1 : 0
      if place == Self.mark.count { (found, place) = (found + 1, 0) }
    }
    lock.withLock { counts[index] += found }
  }

  /// The smallest and the largest number of events that a client has received.
  var range: String { lock.withLock { "\(counts.min() ?? 0) to \(counts.max() ?? 0)" } }

  /// Waits at most about five seconds until each client has received exactly `count` events.
  /// Returns false if the time is over.
  func wait(for count: Int) -> Bool {
    for _ in 0..<500 {
      if lock.withLock({ counts.allSatisfy { $0 == count } }) { return true }
      usleep(ChildProcess.samplingMicroseconds)
    }
    return false
  }
}

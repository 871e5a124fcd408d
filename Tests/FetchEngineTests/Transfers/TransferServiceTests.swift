import FetchEngine
import FetchModel
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Glibc
import Testing

/// Tests of the times at which transfers begin, pause, are retried and end.
@Suite(.timeLimit(.minutes(5))) struct TransferServiceTests {
  let stage: TransferStage

  init() throws { stage = try TransferStage() }

  /// The requests of the site that belong to transfers.
  private var asked: [String] { stage.site.asked.filter { !$0.hasPrefix("h0/") } }

  private func asks(_ requests: [(url: String, to: String, size: Int?)]) {
    let list = requests.map { request in
      let size = request.size.map { ", \"size\": \($0)" } ?? ""
      return "{\"url\": \"\(request.url)\", \"to\": \"\(request.to)\"\(size)}"
    }
    stage.asks("a", "{\"transfers\": [\(list.joined(separator: ", "))]}")
  }

  // MARK: Turns

  static let orders: [(order: TransferOrder, asked: [String])] = [
    (.queued, ["h1/5", "h1/3", "h1/none", "h1/9"]),
    (.smallest, ["h1/3", "h1/5", "h1/9", "h1/none"]),
    (.largest, ["h1/none", "h1/9", "h1/5", "h1/3"]),
  ]

  @Test(arguments: orders) func `transfers begin in the configured order`(
    order: TransferOrder, wanted: [String]
  ) async throws {
    for size in [3, 5, 9] {
      stage.site.at("h1/\(size)") { _ in Site.Answer(body: String(repeating: "x", count: size)) }
    }
    asks([
      ("{h1}/5", "b", 5), ("{h1}/3", "a", 3), ("{h1}/none", "none", nil), ("{h1}/9", "c", 9),
    ])
    let open = try await stage.open(
      "transfers: {at_once: 1, order: \(order.rawValue)}\n" + TransferStage.jobs)
    try await open.run()
    for id in 1...4 as ClosedRange<Int64> { try await open.until(id, .done) }
    #expect(asked == wanted)
    try await open.stop()
  }

  @Test func `the number of active transfers stays within the config's limit`() async throws {
    let names = (1...4).map { "h\($0)/f" }
    for name in names { stage.site.hold(name) }
    asks((1...4).map { ("{h\($0)}/f", "f\($0)", nil) })
    let open = try await stage.open("transfers: {at_once: 2}\n" + TransferStage.jobs)
    try await open.run()
    for name in names.prefix(2) { await stage.site.wait(for: name, count: 1) }
    #expect(open.transfers.progress.runningCount == 2)
    #expect(open.transfers.progress.pendingCount == 4)
    for (index, name) in names.enumerated() {
      #expect(Set(asked) == Set(names.prefix(index + 2)))
      stage.site.free(name)
      try await open.until(Int64(index + 1), .done)
      if index + 2 < names.count { await stage.site.wait(for: names[index + 2], count: 1) }
    }
    #expect(asked.count == 4)
    #expect(open.transfers.progress.pendingCount == 0)
    try await open.stop()
  }

  @Test func `a hostname has at most as many active transfers as its lane has connections`()
    async throws
  {
    for name in ["h1/1", "h1/2", "h2/3"] { stage.site.hold(name) }
    asks([("{h1}/1", "1", nil), ("{h1}/2", "2", nil), ("{h2}/3", "3", nil)])
    let open = try await stage.open(
      TransferStage.jobs.replacing("connections: 8", with: "connections: 1"))
    try await open.run()
    await stage.site.wait(for: "h1/1", count: 1)
    await stage.site.wait(for: "h2/3", count: 1)
    #expect(Set(asked) == ["h1/1", "h2/3"])
    stage.site.free("h2/3")
    try await open.until(3, .done)
    #expect(asked.count == 2)
    stage.site.free("h1/1")
    await stage.site.wait(for: "h1/2", count: 1)
    stage.site.free("h1/2")
    try await open.until(2, .done)
    try await open.stop()
  }

  @Test func `a hostname has as many active transfers as its lane has connections`() async throws {
    let names = ["h1/1", "h1/2", "h1/3"]
    for name in names { stage.site.hold(name) }
    asks(names.map { ("{h1}/\($0.suffix(1))", String($0.suffix(1)), nil) })
    let open = try await stage.open(
      TransferStage.jobs.replacing("connections: 8", with: "connections: 2"))
    try await open.run()
    // Both files are requested before either is answered.
    for name in names.prefix(2) { await stage.site.wait(for: name, count: 1) }
    #expect(Set(asked) == Set(names.prefix(2)))
    stage.site.free(names[0])
    await stage.site.wait(for: names[2], count: 1)
    for name in names { stage.site.free(name) }
    for id in 1...3 as ClosedRange<Int64> { try await open.until(id, .done) }
    #expect(asked.count == 3)
    try await open.stop()
  }

  // MARK: Budget and cool-downs

  /// Two configs, with a budget of all jobs and with budgets of the single jobs. A twentieth of the
  /// day's amount, 2.4 MB, may be used at once. Each hour adds 2 MB.
  private static let budgets = [
    "budget: {bytes: 48MB/d}\n" + TransferStage.jobs,
    TransferStage.jobs.replacing(
      "interval: never}", with: "interval: never, budget: {bytes: 48MB/d}}"),
  ]

  @Test(arguments: budgets)
  func `transfers wait for the budget of all jobs or of one, and receive no byte twice`(
    yaml: String
  ) async throws {
    let server = try NastyServer(seed: 1, size: 4_000_000)
    stage.asks("a", "{\"transfers\": {\"url\": \"\(server.url)\", \"to\": \"f\"}}")
    let open = try await stage.open(yaml)
    try await open.run()
    var pauses: [Int64] = []
    while true {
      try await open.until { try [.waiting, .done].contains(open.record(1).state) }
      let record = try open.record(1)
      guard record.state == .waiting, pauses.count < 20 else { break }
      #expect(record.failure == nil)
      pauses.append(record.download.receivedBytes)
      let next = try #require(record.nextAttemptAt)
      #expect(next > stage.bench.now)
      await open.pass(to: next)
      try await open.until { try open.record(1) != record }
    }
    #expect(try open.record(1).state == .done)
    #expect(server.pattern.isFile(stage.path("f")))
    #expect(!pauses.isEmpty)
    // Each attempt was resumed at the end of the previous one.
    let starts = server.requests.dropFirst().map { $0.header("Range") ?? "the whole" }
    #expect(starts == pauses.map { "bytes=\($0)-" })
    #expect(stage.bench.now - ServiceBench.startAt >= .seconds(2800))
    try await open.stop()
  }

  @Test func `all transfers respect a server's cooldown`() async throws {
    stage.site.at("h1/1") { count in
      count == 1
        ? Site.Answer(status: 503, headers: ["Retry-After: 600"]) : Site.Answer(body: "one")
    }
    asks([("{h1}/1", "1", nil), ("{h1}/2", "2", nil), ("{h2}/3", "3", nil)])
    let open = try await stage.open("transfers: {at_once: 1}\n" + TransferStage.jobs)
    try await open.run()
    try await open.until(3, .done)
    #expect(asked == ["h1/1", "h2/3"])
    let waiting = try open.record(1)
    #expect(waiting.state == .waiting)
    #expect(waiting.nextAttemptAt == stage.bench.now + .seconds(600))
    #expect(
      waiting.failure?.message
        == "http://h1.localhost:\(stage.site.port)/1 answered 503")
    #expect(try open.record(2).state == .queued)
    await open.pass(to: stage.bench.now + .seconds(600))
    try await open.until(1, .done)
    try await open.until(2, .done)
    #expect(Set(asked.suffix(2)) == ["h1/1", "h1/2"])
    try await open.stop()
  }

  @Test func `a clock that is set forward wakes a waiting transfer`() async throws {
    stage.site.at("h1/1") { count in
      count == 1
        ? Site.Answer(status: 503, headers: ["Retry-After: 600"]) : Site.Answer(body: "one")
    }
    asks([("{h1}/1", "1", nil)])
    let open = try await stage.open()
    try await open.run()
    try await open.until(1, .waiting)
    stage.bench.setClock(forward: .seconds(600))
    open.service.clockWasSet()
    try await open.until(1, .done)
    try await open.stop()
  }

  // MARK: Failures

  @Test func `a temporary failure is retried soon, and then at growing intervals`() async throws {
    stage.site.at("h1/f") { count in
      count <= 5 ? Site.Answer(status: 500) : Site.Answer(body: "at last")
    }
    asks([("{h1}/f", "f", nil)])
    let open = try await stage.open()
    try await open.run()
    var delays: [Duration] = []
    for count in 1...5 {
      try await open.until { try open.record(1).failureCount == count }
      let record = try open.record(1)
      #expect(record.state == .waiting)
      let next = try #require(record.nextAttemptAt)
      delays.append(next - stage.bench.now)
      #expect(asked.count == count)
      await open.pass(to: next)
    }
    #expect(delays.prefix(3) == [.seconds(2), .seconds(10), .seconds(60)])
    #expect((.seconds(300) ... .seconds(600)).contains(delays[3]))
    #expect((.seconds(600) ... .seconds(1200)).contains(delays[4]))
    let done = try await open.until(1, .done)
    #expect(done.attemptCount == 6)
    #expect(done.failure == nil)
    try await open.stop()
  }

  @Test func `a user's retry starts a waiting transfer immediately`() async throws {
    stage.site.at("h1/f") { count in Site.Answer(status: count == 1 ? 500 : 200, body: "f") }
    asks([("{h1}/f", "f", nil)])
    let open = try await stage.open()
    try await open.run()
    try await open.until(1, .waiting)
    let (end, lines) = await open.ask(.transfers(.retry, ids: [1, 7]))
    #expect(lines.compactMap { $0["id"]?.integerValue } == [1])
    #expect(end == .failed("there is no waiting or failed transfer 7"))
    try await open.until(1, .done)
    try await open.stop()
  }

  @Test func `a permanent failure is not retried`() async throws {
    stage.site.at("h1/f") { _ in Site.Answer(status: 404) }
    asks([("{h1}/f", "f", nil)])
    let open = try await stage.open()
    try await open.run()
    let record = try await open.until(1, .failed)
    #expect(record.failure?.message == "http://h1.localhost:\(stage.site.port)/f answered 404")
    try await open.stop()
    #expect(size(stage.path("f")) == nil)
    #expect(size(stage.partial(1)) == nil)
  }

  @Test func `a failed removal of partial files that nobody needs is tried again`()
    async throws
  {
    stage.site.at("h1/f") { _ in Site.Answer(body: "f") }
    asks([("{h1}/f", "f", nil)])
    let hidden = stage.path(FilePath.hiddenFolder)
    try TemporaryFolder.makeFolder(stage.bench.path("files"))
    try TemporaryFolder.makeFolder(stage.bench.path("files/a"))
    try TemporaryFolder.write("a file where a folder is needed", to: hidden)
    let open = try await stage.open(logger: { _ in })
    try await open.run()
    try await open.until(1, .failed)
    // The service may create the folder as soon as its path is free.
    #expect(unlink(hidden) == 0)
    #expect(mkdir(hidden, 0o700) == 0 || errno == EEXIST)
    try TemporaryFolder.write("left", to: stage.partial(99))
    #expect(await open.ask(.transfers(.retry, ids: [1])).0 == .done)
    try await open.until(1, .done)
    #expect(size(stage.partial(99)) == nil)
    try await open.stop()
  }

  // MARK: Interrupting and resuming

  /// Returns a service that has received half of a file, and receives no further bytes.
  private func halfway(_ half: HalfServer) async throws -> OpenTransfers {
    stage.asks("a", "{\"transfers\": {\"url\": \"\(half.url)\", \"to\": \"f\"}}")
    let open = try await stage.open()
    try await open.run()
    await open.until { size(stage.partial(1)) == HalfServer.half }
    return open
  }

  private let rest = ["bytes=\(HalfServer.half)-"]

  @Test
  func `a transfer that was interrupted by the end of the process is resumed by the next process`()
    async throws
  {
    let half = try HalfServer()
    let first = try await halfway(half)
    try await first.stop()
    #expect(try first.records().map(\.state) == [.queued])
    #expect(try first.record(1).download.receivedBytes == HalfServer.half)
    #expect(first.ended.isEmpty)
    let second = try await stage.open()
    try await second.until(1, .done)
    #expect(half.pattern.isFile(stage.path("f")))
    #expect(half.ranges == [nil] + rest)
    #expect(size(stage.partial(1)) == nil)
    try await second.stop()
  }

  @Test func `a paused job's transfers continue when it is resumed`() async throws {
    let half = try HalfServer()
    let open = try await halfway(half)
    #expect(await open.ask(.pause(.named(["a"]))).0 == .done)
    try await open.until(1, .queued)
    // The new state must be stored before the job is resumed.
    await open.until { open.transfers.progress.runningCount == 0 }
    #expect(half.ranges == [nil])
    #expect(await open.ask(.resume(.named(["a"]))).0 == .done)
    try await open.until(1, .done)
    #expect(half.ranges == [nil] + rest)
    try await open.stop()
  }

  @Test func `a cancelled transfer leaves no file, and begins again when it is requested again`()
    async throws
  {
    let half = try HalfServer()
    let open = try await halfway(half)
    let (end, lines) = await open.ask(.transfers(.cancel, ids: [1]))
    #expect(end == .done)
    #expect(lines.map { $0["state"] } == ["failed"])
    #expect(size(stage.partial(1)) == nil)
    #expect(try open.record(1).failure?.message == "the user cancelled the transfer")
    #expect(
      await open.ask(.transfers(.cancel, ids: [1])).0
        == .failed("there is no pending transfer 1"))
    half.finish()
    #expect(await open.ask(.transfers(.retry, ids: [1])).0 == .done)
    try await open.until(1, .done)
    #expect(half.ranges == [nil, nil])
    #expect(half.pattern.isFile(stage.path("f")))
    try await open.stop()
  }

  @Test func `a cancelled transfer places no file, even if its file has arrived`() async throws {
    let list = (1...60).map { #"{"url": "{h1}/\#($0)", "to": "\#($0)"}"# }
    stage.asks("a", #"{"transfers": [\#(list.joined(separator: ", "))]}"#)
    for number in 1...60 { stage.site.at("h1/\(number)") { _ in Site.Answer(body: "x") } }
    let open = try await stage.open()
    try await open.run()
    _ = await open.ask(.transfers(.cancel, ids: Array(1...60)))
    for id in 1...60 {
      let record = try open.record(Int64(id))
      #expect(record.state == .done || record.state == .failed)
      #expect((size(stage.path("\(id)")) == nil) == (record.state == .failed), "\(id)")
    }
    try await open.stop()
  }

  @Test func `a transfer that would conflict with another one is not retried`() async throws {
    stage.asks(
      "a", #"{"transfers": {"url": "{h1}/none", "to": "f"}}"#,
      #"{"transfers": {"url": "{h1}/f", "to": "f"}}"#)
    stage.site.at("h1/none") { _ in Site.Answer(status: 404) }
    stage.site.hold("h1/f")
    let open = try await stage.open()
    try await open.run()
    try await open.until(1, .failed)
    try await open.run()
    await stage.site.wait(for: "h1/f", count: 1)
    #expect(
      await open.ask(.transfers(.retry, ids: [1])).0
        == .failed(
          "transfer 2 of the job 'a' is pending for the same file 'f': cancel it first"
            + " (fetchrun transfers cancel 2)"))
    stage.site.free("h1/f")
    try await open.until(2, .done)
    try await open.stop()
  }

  @Test func `nothing is transferred for a removed job until the job exists again`() async throws {
    let half = try HalfServer()
    let open = try await halfway(half)
    for yaml in ["jobs: []", TransferStage.jobs] {
      let config = try stage.bench.config(yaml)
      try await open.service.reload(config, stage.bench.prepare(config), local: .utc)
      if yaml == TransferStage.jobs { break }
      let record = try await open.until(1, .failed)
      #expect(
        record.failure?.message
          == "the job 'a' is not in the config, so nothing may be fetched for the job; add the job,"
          + " then type `fetchrun transfers retry ID`")
    }
    half.finish()
    #expect(await open.ask(.transfers(.retry, ids: [1])).0 == .done)
    try await open.until(1, .done)
    #expect(half.pattern.isFile(stage.path("f")))
    try await open.stop()
  }

  @Test func `a retry for a removed job fails again`() async throws {
    stage.site.at("h1/f") { _ in Site.Answer(status: 404) }
    asks([("{h1}/f", "f", nil)])
    let first = try await stage.open()
    try await first.run()
    try await first.until(1, .failed)
    try await first.stop()
    let second = try await stage.open("jobs: []")
    #expect(await second.ask(.transfers(.retry, ids: [1])).0 == .done)
    try await second.until { try second.record(1).failure?.code == .permission }
    #expect(try second.record(1).state == .failed)
    try await second.stop()
  }

  @Test func `a transfer that was queued by an ended process is carried out`() async throws {
    asks([("{h1}/f", "f", nil)])
    let first = try await stage.open()
    first.transfers.drain()
    try await first.run()
    #expect(try first.records().map(\.state) == [.queued])
    try await first.stop()
    let second = try await stage.open()
    try await second.until(1, .done)
    try await second.stop()
  }
}

import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Glibc
import Testing

@Suite struct TransferAttemptTests {
  private func sha256(_ pattern: FilePattern) -> [UInt8] { SHA256.hash(data: pattern.all) }

  private func size(_ path: String) -> Int64? {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int64(facts.st_size) : nil
  }

  @Test func `a file is complete at its path`() async throws {
    let server = try NastyServer(seed: 1, size: 3_000_000)
    var request = try TransferBench.request(server.url, to: "a/b/film.mkv", size: 3_000_000)
    request.sha256 = sha256(server.pattern)
    request.modified = Timestamp(seconds: 1_000_000_000)
    let bench = try TransferBench(request)
    let end = await bench.attempt()
    guard case .finished(let download, let hash) = end else {
      Issue.record("\(end)")
      return
    }
    #expect(download.receivedBytes == 3_000_000)
    #expect(download.validators.etag == "\"v1\"")
    #expect(hash == request.sha256)
    #expect(server.pattern.isFile(bench.path("a/b/film.mkv")))
    var facts = stat()
    #expect(stat(bench.path("a/b/film.mkv"), &facts) == 0)
    #expect(facts.st_mtim.tv_sec == 1_000_000_000)
    #expect(size(bench.partialPath) == nil)
    #expect(server.requests.count == 1)
    #expect(server.requests[0].header("Accept-Encoding") == "identity")
    #expect(server.requests[0].header("Range") == nil)
    #expect(bench.admittedBytes == 3_000_000)
    #expect(bench.record.state == .done)
  }

  @Test
  func `a file that was moved to its path before the process was killed is not fetched again`()
    async throws
  {
    let server = try NastyServer(seed: 1, size: 1_500_000)
    var request = try TransferBench.request(server.url, to: "in/film.mkv")
    request.sha256 = sha256(server.pattern)
    let bench = try TransferBench(request)
    _ = await bench.attempt(isKilledAfter: true)
    #expect(server.pattern.isFile(bench.path("in/film.mkv")))
    #expect(bench.record.state == .queued)
    let end = await bench.attempt()
    guard case .finished(let download, let hash) = end else {
      Issue.record("\(end)")
      return
    }
    #expect((download.receivedBytes, download.totalBytes) == (1_500_000, 1_500_000))
    #expect(hash == request.sha256)
    #expect(bench.record.state == .done)
    #expect(server.requests.count == 1)
  }

  @Test func `a small file is fetched again after the kill, and leaves no second name`()
    async throws
  {
    let server = try NastyServer(seed: 1, size: 300_000)
    let bench = try TransferBench(url: server.url)
    _ = await bench.attempt(isKilledAfter: true)
    #expect(await bench.runToEnd() == .done)
    #expect(server.pattern.isFile(bench.path()))
    #expect(server.requests.count == 2)
    #expect(size(bench.partialPath + ".placed") == nil)
  }

  @Test func `another file at the path after the kill is not mistaken for the received one`()
    async throws
  {
    let server = try NastyServer(seed: 1, size: 1_500_000)
    let bench = try TransferBench(url: server.url)
    _ = await bench.attempt(isKilledAfter: true)
    try TemporaryFolder.write("another", to: bench.path() + ".new")
    #expect(rename(bench.path() + ".new", bench.path()) == 0)
    #expect(await bench.runToEnd() == .done)
    #expect(server.pattern.isFile(bench.path()))
    #expect(server.requests.count == 2)
  }

  @Test func `a kill before the move leaves the part, which is resumed`() async throws {
    let server = try NastyServer(seed: 1, size: 300_000)
    let bench = try TransferBench(url: server.url)
    _ = await bench.attempt(isKilledAfter: true)
    // Simulates a kill of the process after it had created the second name.
    #expect(rename(bench.path(), bench.partialPath) == 0)
    #expect(await bench.runToEnd() == .done)
    #expect(server.pattern.isFile(bench.path()))
  }

  @Test func `an empty file is transferred, too`() async throws {
    let server = try NastyServer(seed: 1, size: 0)
    let bench = try TransferBench(url: server.url, size: 0)
    #expect(await bench.runToEnd() == .done)
    #expect(size(bench.path()) == 0)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [true, false]) func `a cut download resumes where it ended`(
    hasTags: Bool
  ) async throws {
    var manners = NastyServer.Manners()
    manners.hasTags = hasTags
    manners.cut = 100
    let server = try NastyServer(seed: 7, size: 8_000_000, manners)
    let bench = try TransferBench(url: server.url)
    for _ in 0..<5 { _ = await bench.attempt() }
    manners.cut = 0
    server.setManners(manners)
    #expect(await bench.runToEnd() == .done)
    #expect(server.pattern.isFile(bench.path()))
    #expect(bench.admittedBytes == 8_000_000)
    #expect(server.sentBytes == 8_000_000)
  }

  @Test(arguments: 1...25) func `a lying server gives one version of its file or none`(
    seed: Int
  ) async throws {
    let server = try NastyServer(seed: UInt64(seed), size: 300_000, .worst)
    let bench = try TransferBench(url: server.url)
    let state = await bench.runToEnd()
    if state == .done {
      #expect(server.versions.contains { $0.isFile(bench.path()) })
    } else {
      #expect(size(bench.path()) == nil)
      #expect(bench.record.failure != nil)
    }
  }

  @Test func `most transfers from a lying server still succeed`() async throws {
    var doneCount = 0
    for seed in 1...10 {
      var manners = NastyServer.Manners.worst
      manners.change = 2
      let server = try NastyServer(seed: UInt64(100 + seed), size: 200_000, manners)
      let bench = try TransferBench(url: server.url)
      if await bench.runToEnd() == .done { doneCount += 1 }
    }
    #expect(doneCount >= 5)
  }

  @Test func `a changed file starts over, and nothing is mixed`() async throws {
    var manners = NastyServer.Manners()
    manners.cut = 100
    let server = try NastyServer(seed: 3, size: 2_000_000, manners)
    let bench = try TransferBench(url: server.url)
    _ = await bench.attempt()
    #expect((size(bench.partialPath) ?? 0) > 0)
    server.setManners(.honest)
    server.change(size: 1_500_000)
    #expect(await bench.runToEnd() == .done)
    #expect(server.pattern.isFile(bench.path()))
    // The answer that showed the change was discarded, and the complete file was requested.
    #expect(server.requests.last?.header("Range") == nil)
  }

  @Test func `a server without ranges starts over each time`() async throws {
    var manners = NastyServer.Manners()
    manners.cut = 100
    manners.ignoreRange = 100
    let server = try NastyServer(seed: 3, size: 2_000_000, manners)
    let bench = try TransferBench(url: server.url)
    _ = await bench.attempt()
    let second = await bench.attempt()
    guard case .failed(let failure) = second else {
      Issue.record("\(second)")
      return
    }
    #expect(failure.gainedBytes == 0)
    #expect(!failure.hasChanged)
    server.setManners(.honest)
    #expect(await bench.runToEnd() == .done)
    #expect(server.pattern.isFile(bench.path()))
  }

  @Test func `after another boot only durable bytes are trusted`() async throws {
    var manners = NastyServer.Manners()
    manners.cut = 100
    let server = try NastyServer(seed: 3, size: 40_000_000, manners)
    let bench = try TransferBench(url: server.url)
    while bench.record.download.receivedBytes < 1_000_000 { _ = await bench.attempt() }
    let durable = bench.record.download.receivedBytes
    // The file has the contents that a crash of the system could leave.
    let file = try #require(fopen(bench.partialPath, "a"))
    fputs(String(repeating: "x", count: 5_000), file)
    fclose(file)
    server.setManners(.honest)
    _ = await bench.attempt(afterBoot: "another")
    #expect(server.requests.last?.header("Range") == "bytes=\(durable)-", "\(bench.record)")
    #expect(server.pattern.isFile(bench.path()))
  }

  @Test func `bytes that were not recorded as durable are dropped`() async throws {
    let server = try NastyServer(seed: 3, size: 100_000)
    let bench = try TransferBench(url: server.url)
    try TemporaryFolder.makeFolder(bench.root)
    try TemporaryFolder.makeFolder(bench.root + "/" + FilePath.hiddenFolder)
    try TemporaryFolder.write("never recorded as durable", to: bench.partialPath)
    #expect(await bench.runToEnd() == .done)
    #expect(server.pattern.isFile(bench.path()))
  }

  // MARK: What must not be

  @Test func `a wrong hash leaves the old file untouched`() async throws {
    let server = try NastyServer(seed: 3, size: 100_000)
    let wrong = [UInt8](repeating: 7, count: 32)
    let bench = try TransferBench(url: server.url, sha256: wrong)
    try TemporaryFolder.makeFolder(bench.root)
    try TemporaryFolder.write("old", to: bench.path())
    let end = await bench.attempt()
    #expect(
      end.failure
        == Failure(
          .invalidResponse,
          "the file from \(server.url) has the SHA-256 "
            + "\(Hexadecimal.text(of: sha256(server.pattern))) instead of the requested "
            + "\(Hexadecimal.text(of: wrong))"))
    #expect(bench.record.state == .failed)
    #expect(size(bench.path()) == 3)
  }

  @Test func `a file with a wrong hash is fetched again once`() async throws {
    var manners = NastyServer.Manners()
    manners.cut = 100
    let server = try NastyServer(seed: 3, size: 2_000_000, manners)
    let bench = try TransferBench(url: server.url, sha256: sha256(server.pattern))
    _ = await bench.attempt()
    let file = try #require(fopen(bench.partialPath, "r+"))
    fputs("not these", file)
    fclose(file)
    server.setManners(.honest)
    let second = await bench.attempt()
    #expect(second.failure?.retryable == true)
    #expect(await bench.runToEnd() == .done)
    #expect(server.pattern.isFile(bench.path()))
  }

  @Test func `a wrong size is found before anything is received`() async throws {
    let server = try NastyServer(seed: 3, size: 2_000_000)
    let bench = try TransferBench(url: server.url, size: 12)
    let end = await bench.attempt()
    #expect(
      end.failure
        == Failure(
          .invalidResponse,
          "the file from \(server.url) has 2000000 bytes instead of the requested 12"))
    #expect(bench.admittedBytes == 0)
    #expect(size(bench.path()) == nil)
  }

  @Test func `a folder at the path is kept, and reported`() async throws {
    let server = try NastyServer(seed: 3, size: 1_000)
    let bench = try TransferBench(url: server.url)
    try TemporaryFolder.makeFolder(bench.root)
    try TemporaryFolder.makeFolder(bench.path())
    let end = await bench.attempt()
    #expect(
      end.failure
        == Failure(.fileAccess, "cannot write the file film.mkv: the path is a folder"))
    #expect(bench.record.state == .failed)
    #expect(server.requests.isEmpty)
  }

  @Test func `a full disk is reported, and the old file stays`() async throws {
    let server = try NastyServer(seed: 3, size: 1_000_000)
    let bench = try TransferBench(
      try TransferBench.request(server.url), quota: FileQuota(bytes: 500_000, count: 10))
    try TemporaryFolder.makeFolder(bench.root)
    try TemporaryFolder.write("old", to: bench.path())
    let end = await bench.attempt()
    #expect(
      end.failure
        == Failure(
          .fileQuota,
          "cannot write the file film.mkv: the folder may hold at most 500.0 kB (`files.bytes`); "
            + "remove files or raise the quota"))
    #expect(size(bench.path()) == 3)
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func `a folder without write permission is reported`() async throws {
    let server = try NastyServer(seed: 3, size: 1_000)
    let bench = try TransferBench(url: server.url)
    try TemporaryFolder.makeFolder(bench.root)
    chmod(bench.root, 0o500)
    let end = await bench.attempt()
    #expect(end.failure?.code == .fileAccess)
    #expect(end.failure?.message.contains("permission denied") == true)
  }

  @Test func `a replaced file is kept at the backup path`() async throws {
    let server = try NastyServer(seed: 3, size: 1_000)
    var request = try TransferBench.request(server.url, to: "a/film.mkv")
    request.backup = try FilePath("old")
    let bench = try TransferBench(request)
    try TemporaryFolder.makeFolder(bench.root)
    try TemporaryFolder.makeFolder(bench.path("a"))
    try TemporaryFolder.write("old", to: bench.path("a/film.mkv"))
    #expect(await bench.runToEnd() == .done)
    #expect(size(bench.path("old/a/film.mkv")) == 3)
    #expect(server.pattern.isFile(bench.path("a/film.mkv")))
  }

  // MARK: Stopping

  @Test func `a transfer that gets no budget stops, and resumes later`() async throws {
    let server = try NastyServer(seed: 3, size: 5_000_000)
    let bench = try TransferBench(
      try TransferBench.request(server.url), admits: { $0 < 2_000_000 || $0 > 2_600_000 })
    #expect(await bench.attempt() == .stopped)
    let kept = bench.record.download.receivedBytes
    #expect((2_000_000..<2_600_000).contains(kept))
    #expect(size(bench.partialPath) == kept)
    while bench.record.state.isPending { _ = await bench.attempt() }
    #expect(server.pattern.isFile(bench.path()))
    #expect(bench.admittedBytes == 5_000_000)
  }

  @Test func `a cancelled attempt keeps the received bytes`() async throws {
    let begun = AsyncStream.makeStream(of: Void.self)
    let server = try ScriptedServer { request, connection in
      connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 3000000\r\n\r\n")
      connection.send([UInt8](repeating: 65, count: 1_000_000))
      connection.waitUntilClientCloses()
    }
    let bench = try TransferBench(
      try TransferBench.request(server.url + "/x"),
      admits: {
        if $0 > 700_000 { begun.continuation.yield() }
        return true
      })
    let task = Task { await bench.attempt() }
    for await _ in begun.stream { break }
    task.cancel()
    #expect(await task.value == .stopped)
    #expect(bench.record.state == .queued)
    #expect(bench.record.download.receivedBytes > 700_000)
    #expect(size(bench.partialPath) == bench.record.download.receivedBytes)
  }

  @Test func `a stalled transfer is cut`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 3000000\r\n\r\nabc")
      connection.waitUntilClientCloses()
    }
    let bench = try TransferBench(
      try TransferBench.request(server.url + "/x"),
      policy: { $0.lowSpeed.period = .seconds(1) })
    let end = await bench.attempt()
    #expect(end.failure?.code == .httpTimeout)
    #expect(end.failure?.retryable == true)
    #expect(bench.record.state == .waiting)
  }

  // MARK: Grants, redirects, lanes

  @Test func `each hop of a redirect needs a grant`() async throws {
    let target = try NastyServer(seed: 1, size: 1_000)
    let port = target.port
    let server = try ScriptedServer { _, connection in
      connection.answer(302, ["Location: http://localhost:\(port)/file"])
    }
    let request = try TransferBench.request(server.url + "/x")
    let refused = try TransferBench(
      request, grant: { $0.hosts = HostPattern.open(["127.0.0.1"]) })
    let end = await refused.attempt()
    #expect(end.failure?.code == .permission)
    #expect(refused.record.state == .failed)
    #expect(target.requests.isEmpty)
    let granted = try TransferBench(request)
    #expect(await granted.runToEnd() == .done)
    #expect(target.pattern.isFile(granted.path()))
  }

  @Test func `a private address needs its own grant`() async throws {
    let server = try NastyServer(seed: 1, size: 1_000)
    let bench = try TransferBench(
      try TransferBench.request(server.url), grant: { $0.privateAddresses = false })
    let end = await bench.attempt()
    #expect(end.failure?.code == .permission)
    #expect(server.requests.isEmpty)
  }

  @Test func `the requested range is kept over a redirect`() async throws {
    var manners = NastyServer.Manners()
    manners.cut = 100
    let target = try NastyServer(seed: 5, size: 500_000, manners)
    let port = target.port
    let server = try ScriptedServer { _, connection in
      connection.answer(307, ["Location: http://localhost:\(port)/file"], "moved")
    }
    let bench = try TransferBench(url: server.url + "/x")
    _ = await bench.attempt()
    target.setManners(.honest)
    #expect(await bench.runToEnd() == .done)
    #expect(target.requests.last?.header("If-Range") == "\"v1\"")
    #expect(target.pattern.isFile(bench.path()))
  }

  @Test func `the hostname's turn ends when the body begins to arrive`() async throws {
    let begun = AsyncStream.makeStream(of: Void.self)
    let server = try ScriptedServer { request, connection in
      if request.path == "/page" { return connection.answer(200, [], "page") }
      connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 3000000\r\n\r\n")
      connection.send([UInt8](repeating: 65, count: 1_000_000))
      connection.waitUntilClientCloses()
    }
    var rules = LaneRules()
    var rule = LaneRule()
    rule.gap = .zero
    rules.set(rule, for: try #require(HostPattern("*")))
    let lanes = RequestLanes(rules: rules)
    let bench = try TransferBench(
      try TransferBench.request(server.url + "/x"),
      admits: { _ in
        begun.continuation.yield()
        return true
      })
    let task = Task { await bench.attempt(lanes: lanes) }
    for await _ in begun.stream { break }
    var policy = HTTPPolicy(version: "1.0")
    policy.lanes = lanes
    let session = HTTPSession(
      transport: TransferBench.engine, grant: bench.grant, policy: policy, validators: [:],
      deadline: .now + .seconds(20), limits: RunLimits(), now: { TransferBench.startAt })
    let page = await session.send(HTTPRequest(url: server.url + "/page"))
    #expect(try page.get().status == 200)
    task.cancel()
    _ = await task.value
    #expect(lanes.usageCount == 0)
  }

  @Test func `an error page is not taken for the file`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(404, [], String(repeating: "x", count: 200_000))
    }
    let bench = try TransferBench(url: server.url + "/x")
    let end = await bench.attempt()
    #expect(end.failure == Failure(.httpStatus, "\(server.url)/x answered 404"))
    #expect(size(bench.path()) == nil)
  }

  @Test func `the server's pause is recorded`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(503, ["Retry-After: 120"])
    }
    let bench = try TransferBench(url: server.url + "/x")
    _ = await bench.attempt()
    #expect(bench.record.nextAttemptAt == TransferBench.startAt + .seconds(120))
    #expect(server.requests.count == 1)
  }

  @Test func `a download that cannot be resumed is not interrupted`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(200, [], bytes: FilePattern(size: 2_000_000).all)
    }
    let bench = try TransferBench(
      try TransferBench.request(server.url + "/x"), admits: { _ in false })
    #expect(await bench.runToEnd() == .done)
    #expect(FilePattern(size: 2_000_000).isFile(bench.path()))
    #expect(server.requests.count == 1)
  }

  @Test func `all downloads together stay within the speed limit`() async throws {
    let engine = TransferBench.engine
    let server = try NastyServer(seed: 1, size: 600_000)
    engine.limitSpeed(400_000)
    defer { engine.limitSpeed(nil) }
    let benches = [
      try TransferBench(url: server.url), try TransferBench(url: server.url),
    ]
    let begunAt = ContinuousClock.now
    await withTaskGroup { group in
      for bench in benches { group.addTask { _ = await bench.runToEnd() } }
    }
    // 1.2 MB at 400 kB per second take three seconds, but the first burst may shorten this time.
    #expect(begunAt.duration(to: .now) > .milliseconds(1_500))
    for bench in benches { #expect(server.pattern.isFile(bench.path())) }
  }
}

import FetchTestSupport
import FetchValues
import Foundation
import Synchronization
import Testing

/// Tests that repeatedly kill the program in the middle of a download.
@Suite(.serialized) struct TransferCrashTests {
  private static let size: Int64 = 24 << 20
  private static let killCount = 100
  /// The maximum number of bytes that the server sends before a kill. For one kill in five,
  /// `lifeMicrosecondsMax` is the latest time after the program's start.
  private static let middleBytesMax: UInt64 = 400_000
  private static let lifeMicrosecondsMax: UInt64 = 400_000
  /// The number of kills around the end of a small download. `endMicrosecondsMax` is the latest
  /// time of these kills after the request.
  private static let endCount = 25
  private static let endMicrosecondsMax: UInt64 = 60_000
  /// The maximum number of bytes that a kill may lose. These bytes are in the buffers of the kernel
  /// and of libcurl.
  private static let lostBytesMax: Int64 = 64 << 10
  /// The maximum on a machine that lets the program wait. Meanwhile the server goes on sending, and
  /// the kernel holds more.
  private static let busyLostBytesMax: Int64 = 128 << 10

  private static let plugin = """
    local files = require "files"
    return {
      api = 1, name = "puller", version = "1.0.0",
      options = { url = { type = "url", required = true } },
      permissions = { http = { "{options.url}" } },
      fetch = function(ctx)
        if files.stat("big.bin") then return end
        assert(ctx:transfer { url = ctx.options.url, to = "big.bin" })
      end,
      on_transfer = function(ctx, transfer)
        return { { id = transfer.to, title = transfer.state } }
      end,
    }
    """

  /// A slow server of one resumable file. The server sends the end of the file only after the test
  /// permits it.
  private final class SlowServer: Sendable {
    let pattern = FilePattern(size: size)
    private let sent = Atomic<Int64>(0)
    private let isFree = Atomic(false)
    private let isAtEnd = Atomic(false)
    private let asked = DispatchSemaphore(value: 0)
    private let server = Mutex<ScriptedServer?>(nil)

    private static let chunkBytes: Int64 = 8 << 10
    private static let chunkMicroseconds: UInt32 = 2_500
    /// The number of bytes at the end of the file that are sent only after the last kill.
    private static let keptBackBytes: Int64 = 1 << 20

    init() throws {
      let made = try ScriptedServer { [weak self] request, connection in
        self?.answer(request, connection)
      }
      server.withLock { $0 = made }
    }

    deinit { server.withLock { $0 }?.stop() }

    var url: String { (server.withLock { $0 }?.url ?? "") + "/big" }
    var requests: [ScriptedServer.Request] { server.withLock { $0 }?.requests ?? [] }
    /// The number of body bytes that the system has accepted for the client.
    var sentBytes: Int64 { sent.load(ordering: .relaxed) }

    /// Forgets the requests so far.
    func forgetAsked() { while asked.wait(timeout: .now()) == .success {} }
    func waitUntilAsked() -> Bool { asked.wait(timeout: .now() + 30) == .success }

    /// Waits until the server has sent `count` more bytes, or all bytes that it may send, or until
    /// the client ends.
    func waitUntilSent(_ count: Int64, while isRunning: () -> Bool) {
      let start = sentBytes
      while sentBytes - start < count, !isAtEnd.load(ordering: .relaxed), isRunning() {
        sched_yield()
      }
    }

    func hurry() { isFree.store(true, ordering: .relaxed) }

    private func answer(
      _ request: ScriptedServer.Request, _ connection: ScriptedConnection
    ) {
      let asked = request.header("Range").flatMap { Int64($0.dropFirst(6).dropLast()) }
      let isSame = request.header("If-Range") == "\"v1\""
      let start = isSame ? asked ?? 0 : 0
      let range = start > 0 ? ["Content-Range: bytes \(start)-\(size - 1)/\(size)"] : []
      let head =
        ["HTTP/1.1 \(start > 0 ? 206 : 200) Said", "ETag: \"v1\""] + range
        + ["Content-Length: \(size - start)", "", ""]
      self.asked.signal()
      connection.send(head.joined(separator: "\r\n"))
      var offset = start
      while offset < size {
        let isFree = isFree.load(ordering: .relaxed)
        let end = min(size, offset + (isFree ? 1 << 20 : Self.chunkBytes))
        if !isFree {
          if end > size - Self.keptBackBytes {
            isAtEnd.store(true, ordering: .relaxed)
            return connection.waitUntilClientCloses()
          }
          usleep(Self.chunkMicroseconds)
        }
        let count = Int64(connection.sendCounted(pattern.bytes(offset..<end)))
        sent.add(count, ordering: .relaxed)
        if count < end - offset { return connection.close() }
        offset = end
      }
    }
  }

  private static var seed: UInt64 {
    let environment = ProcessInfo.processInfo.environment
    return environment["FETCHRUN_SEED"].flatMap(UInt64.init) ?? .random(in: 0 ... .max)
  }

  private static func next(_ chance: UInt64) -> UInt64 {
    chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
  }

  /// Waits until the store has the size of the download.
  private func waitUntilNoted(_ program: Program) throws {
    while !Task.isCancelled {
      let lines = try program.run("transfers", "--json").lines
      if lines.count == 1, !lines[0].contains("\"totalBytes\":null") { return }
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `after a hundred kills the file is exact, and each byte was sent about once`() throws {
    let seed = Self.seed
    print("the seed of the kills: FETCHRUN_SEED=\(seed)")
    var chance = seed
    let program = try Program()
    defer { program.remove() }
    let server = try SlowServer()
    let plugin = try program.write("puller.lua", Self.plugin)
    let arguments = [
      "--plugin", plugin, "--option", "url=\(server.url)", "--allow-private", "--job", "pull",
    ]
    let begunAt = ContinuousClock.now
    let probe = DelayProbe()
    for round in 0..<Self.killCount {
      server.forgetAsked()
      let running = try program.start(arguments)
      chance = Self.next(chance)
      if round == 0 {
        // From here on, the store has the validator, so that the download can be resumed.
        try waitUntilNoted(program)
      } else if round % 5 > 0 {
        #expect(server.waitUntilAsked())
        server.waitUntilSent(Int64((chance >> 33) % Self.middleBytesMax)) {
          running.process.isRunning
        }
      } else {
        usleep(UInt32((chance >> 33) % Self.lifeMicrosecondsMax))
      }
      kill(running.process.processIdentifier, SIGKILL)
      #expect(try running.wait().status == 128 + SIGKILL)
    }
    let killedRequests = server.requests
    let killedBytes = server.sentBytes
    server.hurry()
    let ending = try program.start(arguments).wait()
    #expect(ending.status == 0, "\(ending.messages)")
    let lost = server.sentBytes - Self.size
    print(
      """
      \(Self.killCount) kills in \(begunAt.duration(to: .now)), \(killedRequests.count) requests in \
      which \(killedBytes) bytes came, \(lost) of \(Self.size) more than once
      """)
    let folder = program.folder.appending(path: "fetchrun/files/pull")
    #expect(server.pattern.isFile(folder.appending(path: "big.bin").path), "seed \(seed)")
    let isBusy = probe.longest > .milliseconds(20)
    let lostMax = isBusy ? Self.busyLostBytesMax : Self.lostBytesMax
    #expect(lost <= Int64(Self.killCount) * lostMax, "seed \(seed)")
    #expect(lost >= 0)
    // At least four processes in five had sent a request. At most three requests were for the whole
    // file.
    #expect(killedRequests.count >= Self.killCount * 4 / 5)
    let starts = killedRequests.map { $0.header("Range") ?? "the whole" }
    #expect(starts.filter { $0 == "the whole" }.count <= 3, "\(starts)")
    #expect(killedBytes > Self.size / 4)
    let items = try program.run("items", "--json").lines
    #expect(items.count == 1)
    #expect(items.first?.contains("\"title\":\"done\"") == true)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.fetchrun-partial") == [])
    #expect(try program.run("doctor").output.contains("good  store:"))
  }

  /// A plugin that counts in its state how often it was notified of a transfer's end. The state is
  /// stored with each notification.
  private static let counting = """
    local files = require "files"
    return {
      api = 1, name = "counter", version = "1.0.0",
      options = { url = { type = "url", required = true }, to = { required = true } },
      permissions = { http = { "{options.url}" } },
      fetch = function(ctx)
        if files.stat(ctx.options.to) then return end
        assert(ctx:transfer { url = ctx.options.url, to = ctx.options.to })
      end,
      on_transfer = function(ctx, transfer)
        ctx.state.told = (ctx.state.told or 0) + 1
        return { { id = transfer.to, title = transfer.state .. " " .. ctx.state.told } }
      end,
    }
    """

  @Test(.timeLimit(.minutes(5)))
  func `after kills around its end, a download is complete and the plugin is notified once`()
    throws
  {
    let seed = Self.seed
    print("the seed of the kills: FETCHRUN_SEED=\(seed)")
    var chance = seed
    let program = try Program()
    defer { program.remove() }
    let asked = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { request, connection in
      asked.signal()
      connection.answer(200, ["ETag: \"v1\""], "the file \(request.path)")
    }
    defer { server.stop() }
    let plugin = try program.write("counter.lua", Self.counting)
    let root = program.folder.appending(path: "fetchrun/files/count")
    for round in 1...Self.endCount {
      let name = "f\(round)"
      let arguments = [
        "--plugin", plugin, "--option", "url=\(server.url)/\(name)", "--option", "to=\(name)",
        "--allow-private", "--job", "count",
      ]
      while asked.wait(timeout: .now()) == .success {}
      let running = try program.start(arguments)
      #expect(asked.wait(timeout: .now() + 30) == .success)
      chance = Self.next(chance)
      usleep(UInt32((chance >> 33) % Self.endMicrosecondsMax))
      kill(running.process.processIdentifier, SIGKILL)
      _ = try running.wait()
      let ending = try program.start(arguments).wait()
      #expect(ending.status == 0, "seed \(seed), round \(round): \(ending.messages)")
      let file = root.appending(path: name).path
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "the file /\(name)")
    }
    let lines = try program.run("items", "--json", "--since", "0", "--limit", "0").lines
    let titles = try lines.map { try JSONReader.decode($0)["title"]?.stringValue }
    #expect(titles == (1...Self.endCount).map { "done \($0)" }, "seed \(seed)")
  }
}

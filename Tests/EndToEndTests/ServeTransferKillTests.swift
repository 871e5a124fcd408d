import FetchTestSupport
import Foundation
import Synchronization
import Testing

/// Tests that repeatedly kill `serve` in the middle of several downloads.
@Suite(.timeLimit(.minutes(5))) struct ServeTransferKillTests {
  private static let names = ["a", "b", "in/c"]
  private static let portion: Int64 = 400_000
  private static let killCount = 4
  private static let size = portion * Int64(killCount + 1)

  private static let plugin = """
    return {
      api = 1, name = "several", version = "1.0.0",
      options = { base = { type = "url", required = true }, names = { type = "list", default = {} } },
      permissions = { http = { "{options.base}" } },
      fetch = function(ctx)
        for _, name in ipairs(ctx.options.names) do
          assert(ctx:transfer { url = ctx.options.base .. "/" .. name, to = name })
        end
      end,
      on_transfer = function(ctx, transfer)
        ctx.state.told = (ctx.state.told or 0) + 1
        return { { id = transfer.to, title = transfer.state .. " " .. transfer.size } }
      end,
    }
    """

  /// A server that sends each client one more part of a resumable file, and then stalls.
  private final class PortionServer: Sendable {
    let pattern = FilePattern(size: size)
    private let isFree = Atomic(false)
    private let server = Mutex<ScriptedServer?>(nil)

    init() throws {
      let made = try ScriptedServer { [weak self] request, connection in
        self?.answer(request, connection)
      }
      server.withLock { $0 = made }
    }

    deinit { server.withLock { $0 }?.stop() }

    var url: String { server.withLock { $0 }?.url ?? "" }
    func finish() { isFree.store(true, ordering: .relaxed) }

    /// Returns the requested ranges of a file.
    func ranges(of name: String) -> [String] {
      let requests = server.withLock { $0 }?.requests ?? []
      return requests.filter { $0.path == "/" + name }.map { $0.header("Range") ?? "the whole" }
    }

    private func answer(_ request: ScriptedServer.Request, _ connection: ScriptedConnection) {
      let start = request.header("Range").flatMap { Int64($0.dropFirst(6).dropLast()) } ?? 0
      let end = isFree.load(ordering: .relaxed) ? size : min(size, start + portion)
      let range = start > 0 ? ["Content-Range: bytes \(start)-\(size - 1)/\(size)"] : []
      let head =
        ["HTTP/1.1 \(start > 0 ? 206 : 200) Said", "ETag: \"v1\""] + range
        + ["Content-Length: \(size - start)", "", ""]
      connection.send(head.joined(separator: "\r\n"))
      connection.send(pattern.bytes(start..<end))
      if end < size { connection.waitUntilClientCloses() }
    }
  }

  @Test func `a daemon that is killed in the middle of several downloads continues each of them`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    let server = try PortionServer()
    try program.write("several.lua", Self.plugin)
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: \(program.store)
      allow_private: true
      lanes: { "*": { gap: 0s, connections: 4 } }
      jobs:
        - name: pull
          plugin: ./several.lua
          options: { base: "\(server.url)", names: [\(Self.names.joined(separator: ", "))] }
          interval: never
      """)
    #expect(try program.run("run", "--no-wait", "--config", config).status == 0)
    let root = program.files(of: "pull", besides: program.store)
    let store = program.store
    for round in 1...Self.killCount {
      let serving = try Watched(program, ["serve", "--config", config])
      waitForParts(of: Self.portion * Int64(round), in: root + "/.fetchrun-partial")
      try waitUntilNoted(program, config)
      serving.signal(SIGKILL)
      #expect(serving.end() == 128 + SIGKILL)
      for name in Self.names {
        #expect(!FileManager.default.fileExists(atPath: "\(root)/\(name)"))
      }
    }
    server.finish()
    let serving = try Watched(program, ["serve", "--config", config])
    serving.wait(for: .output) { lines in lines.count { $0.contains("1 added") } == Self.names.count
    }
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    let starts = (1...Self.killCount).map { "bytes=\(Self.portion * Int64($0))-" }
    for name in Self.names {
      #expect(server.pattern.isFile("\(root)/\(name)"))
      // The server sent no byte twice.
      #expect(server.ranges(of: name) == ["the whole"] + starts)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: root + "/.fetchrun-partial") == [])
    #expect(try program.run("items", "--json", "--store", store).lines.count == Self.names.count)
    #expect(try program.run("doctor", "--store", store).output.contains("good  store:"))
  }

  /// Waits until the store has the validator of each partial file, which a resumption needs.
  private func waitUntilNoted(_ program: Program, _ config: String) throws {
    while !Task.isCancelled {
      let lines = try program.run("transfers", "--json", "--config", config).lines
      if lines.count == Self.names.count,
        !lines.contains(where: { $0.contains("\"totalBytes\":null") })
      {
        return
      }
    }
  }

  /// Waits until each file has the given number of bytes.
  private func waitForParts(of bytes: Int64, in folder: String) {
    while !Task.isCancelled {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let sizes = names.map { name in
        let facts = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
        return facts?[.size] as? Int
      }
      if sizes == Self.names.map({ _ in Int(bytes) }) { return }
      sched_yield()
    }
  }
}

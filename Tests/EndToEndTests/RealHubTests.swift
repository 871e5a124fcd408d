import FetchValues
import Foundation
import Glibc
import Testing

/// Tests of WebSub with the real programs and a real hub, Flask-WebSub, which `Tests/run` installs.
@Suite(
  .serialized, .enabled(if: RealHub.isInstalled, "Tests/run installs Flask-WebSub"),
  .timeLimit(.minutes(5)))
struct RealHubTests {
  @Test func `a hub verifies, signs and pushes, and the push is a run`() throws {
    let program = try Program()
    defer { program.remove() }
    let hub = try RealHub(program.folder.path + "/s.sqlite.web")
    defer { hub.end() }
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: s.sqlite
      web: { listen: [], url: "http://127.0.0.1:\(hub.port)" }
      jobs:
        - name: alpha
          plugin: rss
          options: { url: "http://127.0.0.1:\(hub.port)/feed" }
          interval: 1d
          allow_private: 127.0.0.0/8
      """)
    let web = try Watched(program, ["web", "--config", config])
    #expect(web.wait(forMessage: "listening only at the unix socket"))
    let serving = try Watched(program, ["serve", "--config", config])
    #expect(serving.wait(forMessage: "subscribed at 127.0.0.1:\(hub.port), which pushes updates"))
    #expect(try hub.publish("second"))
    #expect(
      serving.wait(for: .output) { lines in
        lines.filter { $0.contains("alpha") && $0.contains("newData") }.count >= 2
      })
    let runs = try program.run("runs", "alpha", "--json", "--config", config).output
    #expect(runs.contains(#""trigger":"push","outcome":"newData""#))
    let explained = try program.run("explain", "alpha", "--config", config).output
    #expect(explained.contains("127.0.0.1:\(hub.port) pushed "))
    let answer = try UnixHTTP(program.folder.path + "/s.sqlite.web")
      .get("/api/v1/subscriptions", "Accept: application/x-ndjson\r\n")
    #expect(answer.status == 200)
    #expect(answer.body.contains(#""state":"active""#) && answer.body.contains(#""pushes":1"#))
    serving.signal(SIGTERM)
    _ = serving.end()
    web.signal(SIGTERM)
    _ = web.end()
  }
}

/// A process that is a publisher and the hub of Flask-WebSub.
final class RealHub {
  private static let python = Program.top.path + "/.build/python/websub/bin/python"
  static let isInstalled = access(python, X_OK) == 0

  private let process = Process()
  let port: Int

  struct Failed: Error {}

  /// - Parameter socket: the unix socket of the web process, to which callbacks are passed on.
  init(_ socket: String) throws {
    let output = Pipe()
    process.executableURL = URL(filePath: Self.python)
    process.arguments = [Program.top.path + "/Tests/WebSub/hub.py", socket]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    var line = Data()
    while !line.contains(UInt8(ascii: "\n")) {
      let part = output.fileHandleForReading.availableData
      if part.isEmpty { throw Failed() }
      line += part
    }
    let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let port = Int(text) else { throw Failed() }
    self.port = port
  }

  func end() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Adds an item to the feed. Returns whether the hub has pushed the item.
  func publish(_ title: String) throws -> Bool {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    let request = Array(
      ("POST /publish HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        + "Content-Length: \(title.utf8.count)\r\n\r\n\(title)").utf8)
    guard isConnected, send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
    else { throw Failed() }
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while case let count = recv(socket, &chunk, chunk.count, 0), count > 0 {
      all += chunk[..<count]
    }
    return String(decoding: all, as: UTF8.self).hasSuffix("published\n")
  }
}

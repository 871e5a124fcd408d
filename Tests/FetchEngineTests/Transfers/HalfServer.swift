import FetchTestSupport
import Synchronization

/// A server of one file that sends the first half and then stalls. A request with a range is
/// answered completely. The complete file is sent only after `finish`.
final class HalfServer: Sendable {
  static let size: Int64 = 2_000_000
  static let half: Int64 = 1_000_000

  let pattern = FilePattern(size: size)
  private let isWhole = Atomic(false)
  private let server = Mutex<ScriptedServer?>(nil)

  init() throws {
    let made = try ScriptedServer { [pattern, weak self] request, connection in
      guard let self else { return connection.close() }
      let start = request.header("Range").flatMap { Int64($0.dropFirst(6).dropLast()) }
      let begin = start ?? 0
      let range =
        start == nil
        ? [] : ["Content-Range: bytes \(begin)-\(Self.size - 1)/\(Self.size)"]
      let head =
        ["HTTP/1.1 \(start == nil ? 200 : 206) Said", "ETag: \"v1\""] + range
        + ["Content-Length: \(Self.size - begin)", "", ""]
      connection.send(head.joined(separator: "\r\n"))
      let isWhole = start != nil || self.isWhole.load(ordering: .relaxed)
      connection.send(pattern.bytes(begin..<(isWhole ? Self.size : Self.half)))
      if !isWhole { connection.waitUntilClientCloses() }
    }
    server.withLock { $0 = made }
  }

  deinit { server.withLock { $0 }?.stop() }

  var url: String { (server.withLock { $0 }?.url ?? "") + "/file" }
  /// The requested range of each request, or nil for a request of the complete file.
  var ranges: [String?] {
    server.withLock { $0 }?.requests.map { $0.header("Range") } ?? []
  }

  func finish() { isWhole.store(true, ordering: .relaxed) }
}

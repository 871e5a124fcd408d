import FetchTestSupport
import Glibc

@testable import FetchWeb

/// A server on a loopback socket, to which clients can send any bytes.
final class RawServer {
  let site: TestSite
  let port: Int
  private let server: WebServer

  /// - Parameters:
  ///   - routes: additional routes of the server, which replace those of the same paths.
  ///   - sendTimeout: the time between two checks of an answer's progress.
  init(
    routes: [Route] = [], sendTimeout: Duration = WebLimits.sendTimeout,
    daemon: @escaping WebControl.Send = TestSite.pausing
  ) async throws {
    let own = Set(routes.map(\.path.description))
    let others = WebRoutes.all.filter { !own.contains($0.path.description) }
    let site = try TestSite(routes: others + routes, daemon: daemon)
    self.site = site
    let whole = site.site
    var service = ConnectionService(whole, now: { site.now })
    service.sendTimeout = sendTimeout
    server = WebServer(service)
    let (socket, port) = try LoopbackSocket.listen()
    self.port = Int(port)
    try await server.listen(at: .descriptor(socket))
  }

  func stop() async { await server.stop() }

  /// Returns the values that the function of `WebServer.onChange` gets from now on.
  func changes() -> AsyncStream<Bool> {
    let (changes, change) = AsyncStream<Bool>.makeStream()
    server.onChange { change.yield($0) }
    return changes
  }

  /// Sends bytes, and returns the answer up to the point where the server closes the connection.
  func exchange(_ text: String) throws -> String { try exchange(Array(text.utf8)) }

  func exchange(_ bytes: [UInt8]) throws -> String {
    let client = try RawClient(port: port)
    client.send(bytes)
    return client.rest()
  }
}

/// A client with one connection.
final class RawClient {
  struct Failed: Error {}

  private let socket: Int32

  init(port: Int) throws {
    guard let socket = LoopbackSocket.connected(to: UInt16(port)) else { throw Failed() }
    self.socket = socket
    var limit = (20, 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
  }

  deinit { close(socket) }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends bytes until the server no longer accepts them.
  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Ends the sending direction.
  func finish() { shutdown(socket, Int32(SHUT_WR)) }

  /// Reads and returns all bytes until the connection ends.
  func rest() -> String {
    var all: [UInt8] = []
    while let part = part() { all += part }
    return String(decoding: all, as: UTF8.self)
  }

  /// Reads until the text has arrived. Returns everything that was read.
  func read(until text: String) -> String {
    var all: [UInt8] = []
    let wanted = Array(text.utf8)
    var isFound = false
    // Each step searches only the end, because a search of all megabytes would take too long.
    while !isFound, let part = part() {
      let start = max(0, all.count - wanted.count)
      all += part
      isFound = all[start...].firstRange(of: wanted) != nil
    }
    return String(decoding: all, as: UTF8.self)
  }

  private func part() -> ArraySlice<UInt8>? {
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(socket, &chunk, chunk.count, 0)
    return count > 0 ? chunk[..<count] : nil
  }
}

import Glibc
import Synchronization

/// The server's end of one connection.
package final class ScriptedConnection: Sendable {
  private let socket: Int32
  private let open = Mutex(true)

  init(_ socket: Int32) { self.socket = socket }

  package var isOpen: Bool { open.withLock { $0 } }

  package func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends bytes, and drops the rest if the connection fails.
  package func send(_ bytes: [UInt8]) { _ = sendCounted(bytes) }

  /// Sends bytes. Returns the number of bytes that the system accepted for the client.
  package func sendCounted(_ bytes: [UInt8]) -> Int {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { break }
      rest = rest.dropFirst(count)
    }
    return bytes.count - rest.count
  }

  /// Sends a complete answer with a correct Content-Length. A 304 has no Content-Length.
  package func answer(_ status: Int, _ headers: [String] = [], _ body: String = "") {
    answer(status, headers, bytes: Array(body.utf8))
  }

  package func answer(_ status: Int, _ headers: [String] = [], bytes: [UInt8]) {
    let length = status == 304 ? [] : ["Content-Length: \(bytes.count)"]
    let lines = ["HTTP/1.1 \(status) Said"] + headers + length + ["", ""]
    send(Array(lines.joined(separator: "\r\n").utf8) + bytes)
  }

  package func close() {
    let wasOpen = open.withLock { open in
      let wasOpen = open
      open = false
      return wasOpen
    }
    if wasOpen { Glibc.close(socket) }
  }

  /// Closes the connection with RST.
  package func reset() {
    var wish = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_LINGER, &wish, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// Waits until the client closes the connection, and then closes this end.
  package func waitUntilClientCloses() {
    var byte: UInt8 = 0
    while recv(socket, &byte, 1, 0) > 0 {}
    close()
  }

  /// Reads exactly `count` bytes. Returns nil if the connection ends earlier.
  package func receive(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < count {
      guard recv(socket, &byte, 1, 0) == 1 else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// Waits for bytes and returns them. Returns nil if the connection has ended.
  func receiveSome() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(socket, &bytes, bytes.count, 0)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  /// Ends the sending side. The client may still send.
  func endSending() { shutdown(socket, Int32(SHUT_WR)) }

  func readRequest() -> ScriptedServer.Request? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard bytes.count < 1 << 20, recv(socket, &byte, 1, 0) == 1 else { return nil }
      bytes.append(byte)
    }
    let head = String(decoding: bytes, as: UTF8.self)
    let words = head.split(separator: "\r\n").first?.split(separator: " ") ?? []
    guard words.count >= 2 else { return nil }
    var request = ScriptedServer.Request(
      method: String(words[0]), path: String(words[1]), head: head, headBytes: bytes, body: [])
    let length = request.header("content-length").flatMap { Int($0) } ?? 0
    while request.body.count < length, recv(socket, &byte, 1, 0) == 1 { request.body.append(byte) }
    return request
  }
}

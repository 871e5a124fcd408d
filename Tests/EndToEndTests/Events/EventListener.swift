import FetchValues
import Glibc

/// A client of the event stream on a unix socket. After a new connection, the client continues
/// after the last event that it received.
final class EventListener {
  struct Failed: Error {}

  /// The cursor of the last received event, or the initial cursor.
  private(set) var cursor: String
  private(set) var items: [Int64] = []
  private(set) var runs: [String] = []
  private var socket: Int32 = -1
  private var unread: [UInt8] = []
  private var chunks = ChunkedBody()

  init(after cursor: String) { self.cursor = cursor }

  deinit { if socket >= 0 { close(socket) } }

  var count: Int { items.count + runs.count }

  /// Connects to the socket and requests the events after the cursor.
  func connect(to path: String) throws {
    if socket >= 0 { close(socket) }
    (unread, chunks) = ([], ChunkedBody())
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { throw Failed() }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    let request = Array(
      ("GET /api/v1/events?types=item,run HTTP/1.1\r\nHost: localhost\r\n"
        + "Last-Event-ID: \(cursor)\r\n\r\n").utf8)
    guard isConnected,
      send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
    else { throw Failed() }
  }

  /// Reads until the condition holds. Returns false if the stream has ended before.
  @discardableResult
  func read(until isEnough: (EventListener) -> Bool) throws -> Bool {
    while !isEnough(self) {
      var chunk = [UInt8](repeating: 0, count: 64 << 10)
      let count = recv(socket, &chunk, chunk.count, 0)
      guard count > 0 else { return false }
      unread += chunks.take(chunk[..<count])
      try takeEvents()
    }
    return true
  }

  /// Removes the complete events from the unread bytes, and records them.
  private func takeEvents() throws {
    while let end = unread.firstRange(of: Array("\n\n".utf8)) {
      let block = String(decoding: unread[..<end.lowerBound], as: UTF8.self)
      unread.removeFirst(end.upperBound)
      var (id, name, data) = ("", "", "")
      for line in block.split(whereSeparator: \.isNewline) {
        if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
        if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
        if line.hasPrefix("data: ") { data = String(line.dropFirst(6)) }
      }
      if !id.isEmpty { cursor = id }
      guard !data.isEmpty else { continue }
      let value = try JSONReader.decode(data)
      switch name {
      case "item": items.append(value["sequence"]?.integerValue ?? -1)
      case "run": runs.append(value["run"]?.stringValue ?? "")
      case "bye": break
      default: throw Failed()
      }
    }
  }
}

/// The body of an answer in chunks (RFC 9112, 7.1), without the head of the answer.
struct ChunkedBody {
  private var raw: [UInt8] = []
  private var hasHead = false

  /// Takes bytes of the connection, and returns the bytes of the chunks that are complete.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    raw += bytes
    var place = raw.startIndex
    if !hasHead {
      guard let end = raw.firstRange(of: Array("\r\n\r\n".utf8)) else { return [] }
      (place, hasHead) = (end.upperBound, true)
    }
    var body: [UInt8] = []
    while let line = raw[place...].firstRange(of: Array("\r\n".utf8)),
      let size = Int(String(decoding: raw[place..<line.lowerBound], as: UTF8.self), radix: 16),
      raw.count >= line.upperBound + size + 2
    {
      body += raw[line.upperBound..<(line.upperBound + size)]
      place = line.upperBound + size + 2
    }
    raw.removeFirst(place)
    return body
  }
}

import Foundation

/// An HTTP client with one connection over a unix socket.
final class UnixHTTP {
  let socket: Int32
  private var unread: [UInt8] = []

  init(_ path: String) throws {
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw BenchmarkError("the path \(path) is too long for a socket")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw BenchmarkError("nobody listens at \(path)") }
  }

  deinit { close(socket) }

  /// Sends a request without a body.
  func send(_ target: String, _ fields: String = "") throws {
    let request = Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n".utf8)
    guard Glibc.send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
      throw BenchmarkError("the server has closed the connection")
    }
  }

  /// Sends a request. Returns the status and the number of bytes of the answer's body.
  func get(_ target: String, _ fields: String = "") throws -> (status: Int, bytes: Int) {
    try send(target, fields)
    while true {
      if let end = unread.firstRange(of: Array("\r\n\r\n".utf8)) {
        let head = String(decoding: unread[..<end.lowerBound], as: UTF8.self)
        let length =
          head.split(separator: "\r\n").first { line in
            line.lowercased().hasPrefix("content-length:")
          }.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        if unread.count >= end.upperBound + length {
          unread.removeFirst(end.upperBound + length)
          return (Int(head.split(separator: " ")[1]) ?? 0, length)
        }
      }
      var chunk = [UInt8](repeating: 0, count: 256 << 10)
      let count = recv(socket, &chunk, chunk.count, 0)
      guard count > 0 else { throw BenchmarkError("the server has closed the connection") }
      unread += chunk[..<count]
    }
  }
}

/// The CPU time of another process, including threads that have ended.
struct ProcessClock {
  private var clock = clockid_t()

  init(_ process: pid_t) throws {
    guard clock_getcpuclockid(process, &clock) == 0 else {
      throw BenchmarkError("the process \(process) has ended")
    }
  }

  var seconds: Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

import Foundation

/// Ports and listeners on the loopback interface.
enum Loopback {
  static func freePort() throws -> Int {
    let socket = try listen()
    defer { close(socket.descriptor) }
    return socket.port
  }

  /// Whether the loopback interface has IPv6. libcurl resolves `*.localhost` to both families, and
  /// tries IPv6 first.
  static let hasVersion6: Bool = {
    let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
      }
    }
  }()

  /// Returns a listening socket on 127.0.0.1.
  static func listen() throws -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = version4(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && Glibc.listen(descriptor, 4096) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw BenchmarkError("cannot listen on a loopback port") }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Waits until a server accepts connections at `port`, for at most five seconds.
  static func awaitListener(port: Int) throws {
    for _ in 0..<500 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var address = version4(port: port)
      let isOpen = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      if isOpen { return }
      usleep(10_000)
    }
    throw BenchmarkError("no server accepts connections at port \(port)")
  }

  private static func version4(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    return address
  }
}

import Glibc

/// Listening and connected sockets for test servers.
package enum LoopbackSocket {
  package struct Failed: Error {
    var what: String
    var code: Int32
  }

  package static func listen(_ address: String = "127.0.0.1") throws -> (
    socket: Int32, port: UInt16
  ) {
    let (listener, port) = try bound(address)
    guard Glibc.listen(listener, 512) == 0 else { throw Failed(what: "listen", code: errno) }
    return (listener, port)
  }

  fileprivate static func bound(_ address: String = "127.0.0.1") throws -> (
    socket: Int32, port: UInt16
  ) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw Failed(what: "socket", code: errno) }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    inet_pton(AF_INET, address, &place.sin_addr)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
        bind(listener, place, size) == 0 ? getsockname(listener, place, &size) : -1
      }
    }
    guard code == 0 else { throw Failed(what: "bind", code: errno) }
    return (listener, UInt16(bigEndian: place.sin_port))
  }

  /// Returns a port that was bound and closed again. The port refuses connections until a program
  /// listens at it.
  package static func refusingPort() throws -> UInt16 {
    let (listener, port) = try listen()
    close(listener)
    return port
  }

  /// Connects to a server at a port of 127.0.0.1. Tries again for a minute, and then returns nil.
  /// Returns nil earlier if `isRunning` returns false.
  package static func connected(
    to port: UInt16, while isRunning: () -> Bool = { true }
  ) -> Int32? {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    inet_pton(AF_INET, "127.0.0.1", &place.sin_addr)
    return connected(AF_INET, to: place, while: isRunning) { socket in
      // A client that tries a free port again and again may connect to itself.
      var own = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let code = withUnsafeMutablePointer(to: &own) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
      }
      return code == 0 && own.sin_port != place.sin_port
    }
  }

  /// Connects to a server at the path of a socket. Tries again for a minute, and then returns nil.
  /// Also returns nil for a path that is too long.
  package static func connected(to path: String) -> Int32? {
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: place.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8) }
    return connected(AF_UNIX, to: place) { _ in true }
  }

  private static func connected<Address>(
    _ family: Int32, to place: Address, while isRunning: () -> Bool = { true },
    _ isRight: (Int32) -> Bool
  ) -> Int32? {
    let end = ContinuousClock.now + .seconds(60)
    while .now < end, isRunning() {
      let socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      let code = withUnsafePointer(to: place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<Address>.size))
        }
      }
      if code == 0, isRight(socket) { return socket }
      close(socket)
      sched_yield()
    }
    return nil
  }

  /// Starts a server that needs its port as an argument, and returns the port. Tries up to five
  /// ports, and then throws the last error.
  package static func start(_ server: (UInt16) throws -> Void) throws -> UInt16 {
    var attemptsLeft = 5
    while true {
      let port = try refusingPort()
      do {
        try server(port)
        return port
      } catch {
        attemptsLeft -= 1
        if attemptsLeft == 0 { throw error }
      }
    }
  }
}

/// A port of 127.0.0.1 that refuses connections. No other program can take the port until this
/// object is released.
package final class RefusingPort {
  package let number: UInt16
  private let socket: Int32

  package init() throws { (socket, number) = try LoopbackSocket.bound() }

  deinit { close(socket) }
}

package import FetchModel
import Glibc

/// A socket or an address on which the server listens.
package enum WebListener: Hashable, Sendable {
  /// A socket that already listens: the unix socket, or a socket from the service manager.
  case descriptor(Int32)
  case address(IPAddress, port: Int)

  /// Returns the sockets that the service manager passes on (sd_listen_fds(3)). Returns none if the
  /// sockets are for another process, or if there are more than 16 sockets.
  package static func inherited(_ environment: [String: String], process: Int32 = getpid())
    -> [WebListener]
  {
    guard let owner = environment["LISTEN_PID"].flatMap({ Int32($0) }), owner == process,
      let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...16).contains(count)
    else { return [] }
    return (0..<count).map { .descriptor(3 + $0) }
  }

  /// Whether the listener is a unix socket.
  package var isLocal: Bool {
    guard case .descriptor(let descriptor) = self else { return false }
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return code == 0 && Int32(address.ss_family) == AF_UNIX
  }
}

import Glibc

/// Local sockets (unix(7)).
enum UnixSocket {
  /// The length of `sun_path` in bytes, without the final zero byte.
  static let pathBytesMax = 107

  /// Calls `body` with the socket address of a path. A path that begins with `@` is in the abstract
  /// namespace. Returns nil if the path is empty, is too long or has a zero byte.
  static func withAddress<T>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> T
  ) -> T? {
    var name = Array(path.utf8)
    guard !name.isEmpty, name.count <= pathBytesMax, !name.contains(0) else { return nil }
    let isAbstract = name[0] == UInt8(ascii: "@")
    if isAbstract { name[0] = 0 }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    // The length of the address marks the end of an abstract name. A path ends with a zero byte.
    let head = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    let length = socklen_t(head + name.count + (isAbstract ? 0 : 1))
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// Returns the descriptor of a new socket, which is closed on exec. Returns a negative number on
  /// failure.
  static func make(_ kind: __socket_type = SOCK_STREAM) -> Int32 {
    socket(AF_UNIX, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0)
  }

  static func setNonBlocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Sets the maximum time for connecting and sending.
  static func limitSending(_ descriptor: Int32, seconds: Int) {
    // The layout of struct timeval: seconds and microseconds, one machine word each.
    var limit = (seconds, 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
  }

  /// Limits the number of bytes that the other end has not read yet, as far as the system allows.
  static func limitUnread(_ descriptor: Int32, bytes: Int32) {
    var bytes = bytes
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout.size(ofValue: bytes)))
  }

  /// Returns the process and the user at the other end of the connection; nil on failure. Linux
  /// records them when a client calls `connect` and when a server calls `listen`.
  static func peer(of descriptor: Int32) -> (process: pid_t, user: uid_t)? {
    // The layout of struct ucred, which Swift's Glibc does not have: process, user and group.
    var credentials: (pid_t, uid_t, gid_t) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0,
      size == 12
    else { return nil }
    return (credentials.0, credentials.1)
  }

  /// Connects to the socket at the path. Returns 0 on success, otherwise the system's error code.
  static func connect(_ descriptor: Int32, to path: String) -> Int32 {
    withAddress(path) { Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno } ?? ENAMETOOLONG
  }

  static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// The rules about the users that may communicate over the control socket, regardless of file
/// modes.
enum ControlPeer {
  /// Whether the daemon of `owner` accepts requests of the user. The daemon accepts requests of its
  /// owner and of root.
  static func isAllowed(_ user: uid_t?, owner: uid_t) -> Bool { user == owner || user == 0 }

  /// Whether a program of `user` trusts the daemon. A program trusts the daemons of its own user
  /// and of root. A program of root trusts all daemons.
  static func isTrusted(_ daemon: uid_t?, by user: uid_t) -> Bool {
    user == 0 || daemon == user || daemon == 0
  }
}

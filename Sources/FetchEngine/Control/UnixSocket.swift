import Glibc

/// Local sockets (unix(7)).
enum UnixSocket {
  /// The room in `sun_path` without its terminator.
  static let pathBytesMax = 107

  /// Calls `body` with the socket address of a path; a path that begins with `@` is in the abstract
  /// namespace. Returns nil if the path is empty or too long, or has a zero byte.
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
    // The length marks where an abstract name ends; a path ends with a zero byte.
    let head = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    let length = socklen_t(head + name.count + (isAbstract ? 0 : 1))
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// Returns a new socket, closed on exec; negative on failure.
  static func make(_ kind: __socket_type = SOCK_STREAM) -> Int32 {
    socket(AF_UNIX, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0)
  }

  static func setNonBlocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Limits the time for connecting and sending.
  static func limitSending(_ descriptor: Int32, seconds: Int) {
    // struct timeval: seconds and microseconds, a word each.
    var limit = (seconds, 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
  }

  /// Returns the process and user at the other end when the connection was made.
  static func peer(of descriptor: Int32) -> (process: pid_t, user: uid_t)? {
    // struct ucred, which Swift's Glibc does not have: process, user, group.
    var credentials: (pid_t, uid_t, gid_t) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0,
      size == 12
    else { return nil }
    return (credentials.0, credentials.1)
  }

  /// Connects to the socket at that path; returns the system's error code on failure.
  static func connect(_ descriptor: Int32, to path: String) -> Int32 {
    withAddress(path) { Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno } ?? ENAMETOOLONG
  }

  static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// The users that may communicate over the control socket, regardless of file modes.
enum ControlPeer {
  /// Whether the daemon accepts the user: its own user and root.
  static func isAllowed(_ user: uid_t?, owner: uid_t) -> Bool { user == owner || user == 0 }

  /// Whether a program trusts a daemon: one of its own user or of root, or any if the program is
  /// root.
  static func isTrusted(_ daemon: uid_t?, by user: uid_t) -> Bool {
    user == 0 || daemon == user || daemon == 0
  }
}

import Glibc

/// A unix socket on which a process listens for requests.
package struct ControlListener: Sendable {
  package let descriptor: Int32
  let path: String
  private let device: dev_t
  private let node: ino_t

  private static let backlog: Int32 = 16

  /// Listens at the path. Replaces a socket on which no process listens any more. Two concurrent
  /// callers could remove each other's socket. A daemon therefore calls this initializer while the
  /// daemon holds the write lock of the store.
  ///
  /// - Parameter owner: the kind of process, for messages.
  package init(path: String, owner: String = "a daemon") throws(ControlError) {
    try Self.clear(path, owner)
    let descriptor = UnixSocket.make()
    guard descriptor >= 0 else { throw Self.problem(path, errno) }
    UnixSocket.setNonBlocking(descriptor)
    let bound = UnixSocket.withAddress(path) { bind(descriptor, $0, $1) == 0 ? 0 : errno }
    // No client can connect before `listen`, so the mode is in force before the first request.
    guard bound == 0, chmod(path, 0o600) == 0, listen(descriptor, Self.backlog) == 0 else {
      let code = (bound ?? ENAMETOOLONG) != 0 ? bound ?? ENAMETOOLONG : errno
      close(descriptor)
      if bound == 0 { unlink(path) }
      throw Self.problem(path, code)
    }
    var status = stat()
    lstat(path, &status)
    (device, node) = (status.st_dev, status.st_ino)
    self.descriptor = descriptor
    self.path = path
  }

  func remove() {
    close(descriptor)
    removeFile()
  }

  /// Removes the socket's file, unless another process's socket has replaced the file. Call this if
  /// the descriptor is already closed.
  package func removeFile() {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == node else { return }
    unlink(path)
  }

  private static func clear(_ path: String, _ owner: String) throws(ControlError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw ControlError(.unusable, "\(path) exists and is not a socket: move it away")
    }
    let probe = UnixSocket.make()
    guard probe >= 0 else { throw problem(path, errno) }
    defer { close(probe) }
    UnixSocket.setNonBlocking(probe)
    let code = UnixSocket.connect(probe, to: path)
    switch code {
    // A full backlog also proves that a process listens.
    case 0, EAGAIN:
      let who = code == 0 ? UnixSocket.peer(of: probe).map { " (process \($0.process))" } : nil
      throw ControlError(.inUse, "\(owner)\(who ?? "") already listens at \(path)")
    case ECONNREFUSED:
      guard unlink(path) == 0 || errno == ENOENT else { throw problem(path, errno) }
    case ENOENT: return
    default: throw problem(path, code)
    }
  }

  private static func problem(_ path: String, _ code: Int32) -> ControlError {
    ControlError(.unusable, "cannot listen at \(path): \(UnixSocket.reason(code))")
  }
}

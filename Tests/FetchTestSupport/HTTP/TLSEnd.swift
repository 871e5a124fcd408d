import Glibc

/// The server's end of one TLS connection, by `openssl s_server`: bytes of a connection go in, what is
/// said inside of them is read and written here.
package final class TLSEnd: Sendable {
  private let folder: String
  private let inside: ScriptedConnection
  private var socketPath: String { folder + "/socket" }

  package static let isInstalled = access("/usr/bin/openssl", X_OK) == 0

  /// - Parameter certificate: path of a certificate, without `.pem`; its key ends in `.key`.
  package init(certificate: String) throws {
    folder = try TemporaryFolder.make("tls")
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
      throw LoopbackSocket.Failed(what: "socketpair", code: errno)
    }
    inside = ScriptedConnection(pair[0])
    defer { close(pair[1]) }
    try ChildProcess.start(
      [
        "/usr/bin/openssl", "s_server", "-quiet", "-naccept", "1", "-unix", folder + "/socket",
        "-cert", certificate + ".pem", "-key", certificate + ".key",
      ], on: pair[1], pidFile: folder + "/pid")
  }

  deinit { ChildProcess.end(pidFile: folder + "/pid") }

  /// Passes on what comes and goes on a connection, until one of the ends closes it; `talk` has what is
  /// inside.
  package func serve(
    _ connection: ScriptedConnection, _ talk: @escaping @Sendable (ScriptedConnection) -> Void
  ) {
    let outside = ScriptedConnection(connected())
    let (folder, inside) = (folder, inside)
    let coming = WaitingThread {
      Self.pass(connection, to: outside)
      // A client that has gone leaves the talk waiting for what it would say.
      ChildProcess.end(pidFile: folder + "/pid")
    }
    let going = WaitingThread { Self.pass(outside, to: connection) }
    talk(inside)
    inside.close()
    coming.join()
    going.join()
    outside.close()
    connection.close()
  }

  /// It listens a moment after it has been started.
  private func connected() -> Int32 {
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { bytes in
      bytes.copyBytes(from: socketPath.utf8.prefix(bytes.count - 1))
    }
    while true {
      let end = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      let code = withUnsafePointer(to: place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(end, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      if code == 0 { return end }
      close(end)
      sched_yield()
    }
  }

  private static func pass(_ from: ScriptedConnection, to other: ScriptedConnection) {
    while let bytes = from.receiveSome() { other.send(bytes) }
    other.endSending()
  }
}

import Glibc

/// The server's end of one TLS connection, provided by `openssl s_server`. The client sends and
/// receives encrypted bytes. The test reads and writes the decrypted contents.
package final class TLSEnd: Sendable {
  private let folder: String
  private let inside: ScriptedConnection

  package static let isInstalled = access("/usr/bin/openssl", X_OK) == 0

  /// Creates the server's end with a certificate.
  /// - Parameter certificate: the path of the certificate without `.pem`. The key is at the same
  ///   path with `.key`.
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

  /// Passes the bytes of a connection to openssl and back until either side closes the connection.
  /// `talk` reads and writes the decrypted contents.
  package func serve(
    _ connection: ScriptedConnection, _ talk: @escaping @Sendable (ScriptedConnection) -> Void
  ) {
    guard let socket = LoopbackSocket.connected(to: folder + "/socket") else {
      return connection.close()
    }
    let outside = ScriptedConnection(socket)
    let (folder, inside) = (folder, inside)
    let coming = WaitingThread {
      Self.pass(connection, to: outside)
      // If the client has disconnected, `talk` would otherwise wait forever.
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

  private static func pass(_ from: ScriptedConnection, to other: ScriptedConnection) {
    while let bytes = from.receiveSome() { other.send(bytes) }
    other.endSending()
  }
}

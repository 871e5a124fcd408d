import Glibc

/// A real `rclone serve` on loopback. When the initialiser returns, the server accepts connections.
package final class RcloneServer: Sendable {
  package enum Kind: String, Sendable {
    case webdav
    case http
  }

  package let port: UInt16
  package let folder: String

  private static let program = "/usr/bin/rclone"
  package static let isInstalled = access(program, X_OK) == 0

  /// Starts a server of the files in the folder `files` of its own folder, optionally only for one
  /// user.
  package init(_ kind: Kind, user: String? = nil, password: String = "") throws {
    folder = try TemporaryFolder.make("rclone")
    try TemporaryFolder.makeFolder(folder + "/files")
    let folder = folder
    let access = user.map { " --user '\($0)' --pass '\(password)'" } ?? ""
    port = try LoopbackSocket.start { port in try Self.start(kind, access, folder, port) }
    ChildProcess.endAtExit(pidFile: folder + "/rclone.pid")
  }

  deinit { ChildProcess.end(pidFile: folder + "/rclone.pid") }

  /// Starts the server, and waits until it accepts connections. Throws if the server ends.
  private static func start(
    _ kind: Kind, _ access: String, _ folder: String, _ port: UInt16
  ) throws {
    let serve =
      "\(program) serve \(kind.rawValue) \(folder)/files --addr 127.0.0.1:\(port)"
      + " --dir-cache-time 0s --config /dev/null\(access)"
    // setsid makes the server the leader of its own process group, which is ended as a whole.
    try ChildProcess.run([
      "/bin/bash", "-c",
      """
      setsid \(serve) >\(folder)/rclone.log 2>&1 </dev/null & echo $! >\(folder)/rclone.pid
      until (: <>/dev/tcp/127.0.0.1/\(port)) 2>/dev/null; do kill -0 $! || exit 1; done
      """,
    ])
  }
}

import Glibc

/// Python's own `http.server` on loopback. When the initialiser returns, the server accepts
/// connections.
package final class PythonServer: Sendable {
  package let port: UInt16
  package let folder: String

  private static let program = "/usr/bin/python3"
  package static let isInstalled = access(program, X_OK) == 0

  /// Starts a server of the files in the folder `files` of its own folder.
  package init() throws {
    folder = try TemporaryFolder.make("python")
    try TemporaryFolder.makeFolder(folder + "/files")
    let folder = folder
    port = try LoopbackSocket.start { port in try Self.start(folder, port) }
    ChildProcess.endAtExit(pidFile: folder + "/python.pid")
  }

  deinit { ChildProcess.end(pidFile: folder + "/python.pid") }

  /// Starts the server, and waits until it accepts connections. Throws if the server ends.
  private static func start(_ folder: String, _ port: UInt16) throws {
    let serve = "\(program) -m http.server --bind 127.0.0.1 --directory \(folder)/files \(port)"
    try ChildProcess.run([
      "/bin/bash", "-c",
      """
      setsid \(serve) >\(folder)/python.log 2>&1 </dev/null & echo $! >\(folder)/python.pid
      until (: <>/dev/tcp/127.0.0.1/\(port)) 2>/dev/null; do kill -0 $! || exit 1; done
      """,
    ])
  }
}

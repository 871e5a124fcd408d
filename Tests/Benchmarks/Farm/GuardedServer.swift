import Foundation

/// A server that ends with this process. A small shell has the read end of a pipe from this
/// process, and stops the server when the pipe closes.
final class GuardedServer {
  private let guardian: ChildProcess
  private let lifeline: Int32

  /// Starts a server. Returns when the server accepts connections at `port`. `command` is a shell
  /// command that starts the server, with `arguments` as `$1` and so on. `folder` is removed after
  /// the shell has stopped the server.
  init(_ command: String, _ arguments: [String], folder: URL, port: Int) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0, fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0,
      fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0
    else { throw BenchmarkError("cannot create a pipe") }
    lifeline = ends[1]
    let script = """
      trap '' INT TERM HUP
      folder=$1; shift
      \(command) & server=$!
      read -r _
      kill $server; wait $server 2>/dev/null; rm -rf "$folder"
      """
    guardian = try ChildProcess(
      "sh", ["-c", script, "sh", folder.path] + arguments, input: ends[0])
    close(ends[0])
    try Loopback.awaitListener(port: port)
  }

  func stop() {
    close(lifeline)
    _ = try? guardian.wait()
  }
}

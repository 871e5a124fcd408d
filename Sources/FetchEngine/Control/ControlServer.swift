import FetchHost
package import FetchValues
import Synchronization

/// The server through which other processes of the same user, or of root, send requests to the
/// daemon over a local socket.
///
/// A dedicated thread waits for clients. Each request is answered in a task of its own, and several
/// tasks may run concurrently. One connection carries one request. Invalid requests are answered
/// with an error.
package final class ControlServer: Sendable {
  private let path: String
  private let handler: any ControlHandler
  private let running = Mutex<ThreadStop?>(nil)

  /// Creates a server that listens at the path; `ControlSocketPath` returns the path.
  package init(path: String, handler: any ControlHandler) {
    self.path = path
    self.handler = handler
  }

  /// Listens until `stop`. Replaces a socket on which no process listens any more. Throws an error
  /// if a daemon listens on the socket. Call this function once, while the process holds the
  /// store's lock.
  package func start() throws(ControlError) {
    guard let wake = WakeSignal() else {
      throw ControlError(.unusable, "too many files are open; raise the limit with `ulimit -n`")
    }
    let listener = try ControlListener(path: path)
    let stop = ThreadStop(wake)
    stop.begin()
    running.withLock { $0 = stop }
    let loop = ControlLoop(listener, handler, stop)
    DedicatedThread.start("control") { loop.serve() }
  }

  /// Ends all answers and removes the socket. Returns when both are done.
  package func stop() async { await running.withLock { $0 }?.stop() }
}

/// A type that answers control requests, in a daemon or in a command without a daemon.
package protocol ControlHandler: Sendable {
  /// Answers a request. Passes each line of the answer to `line`, which waits while the client is
  /// slow to read. Returns the end of the reply. When the client disconnects, the task is cancelled
  /// and further lines are dropped.
  func answer(
    _ request: ControlRequest, line: @escaping @Sendable (Value) async -> Void
  ) async -> ControlEnd
}

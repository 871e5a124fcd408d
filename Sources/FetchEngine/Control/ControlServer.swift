import FetchHost
package import FetchValues
import Synchronization

/// The server through which other processes of the same user send requests to the daemon, over a
/// local socket.
///
/// A dedicated thread does all waiting; each request is answered in a task, several concurrently.
/// One connection carries one request. Invalid requests are answered with an error.
package final class ControlServer: Sendable {
  private let path: String
  private let handler: any ControlHandler
  private let running = Mutex<ThreadStop?>(nil)

  /// Creates a server; use `ControlSocketPath` to get the path.
  package init(path: String, handler: any ControlHandler) {
    self.path = path
    self.handler = handler
  }

  /// Listens until `stop`. Replaces the socket of a dead daemon; throws if a daemon is alive there.
  /// Call it once, with the store's lock held.
  package func start() throws(ControlError) {
    guard let wake = WakeSignal() else {
      throw ControlError(.unusable, "the system has no more descriptors")
    }
    let listener = try ControlListener(path: path)
    let stop = ThreadStop(wake)
    stop.begin()
    running.withLock { $0 = stop }
    let loop = ControlLoop(listener, handler, stop)
    DedicatedThread.start("control") { loop.serve() }
  }

  /// Ends all answers and removes the socket; returns afterwards.
  package func stop() async { await running.withLock { $0 }?.stop() }
}

/// The part of the daemon that answers requests.
package protocol ControlHandler: Sendable {
  /// Passes each line to `line`, which waits while the client is slow to read, and returns the end.
  /// The task is cancelled when the client disconnects; lines are then dropped.
  func answer(
    _ request: ControlRequest, line: @escaping @Sendable (Value) async -> Void
  ) async -> ControlEnd
}

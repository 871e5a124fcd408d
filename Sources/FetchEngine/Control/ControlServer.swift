import FetchHost
package import FetchValues
import Synchronization

/// Lets other processes of the same user ask the daemon, over a local socket.
///
/// One thread of its own does all waiting; each request is answered in a task, several at a time.
/// One connection carries one request. What cannot be read as one is answered with an error.
package final class ControlServer: Sendable {
  private let path: String
  private let handler: any ControlHandler
  private let running = Mutex<ThreadStop?>(nil)

  /// The path is best had from `ControlSocketPath`.
  package init(path: String, handler: any ControlHandler) {
    self.path = path
    self.handler = handler
  }

  /// Listens from here on, until `stop`. The socket of a daemon that is dead is replaced, that of a
  /// living one is an error. To be called once, by who holds the store's lock.
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

  /// Ends all answers and removes the socket; returns when that is done.
  package func stop() async { await running.withLock { $0 }?.stop() }
}

/// Who answers requests: the daemon.
package protocol ControlHandler: Sendable {
  /// Hands each line to `line`, which waits while the asker is slow to read, and returns the end.
  /// The task is cancelled when the asker goes away; lines are then dropped.
  func answer(
    _ request: ControlRequest, line: @escaping @Sendable (Value) async -> Void
  ) async -> ControlEnd
}

import FetchHost
package import FetchValues
import Glibc
import Synchronization

/// A server for requests that other processes of the same user, or of root, send over a local
/// socket.
///
/// A dedicated thread waits for clients. Each request is answered in a task of its own, and several
/// tasks may run concurrently. One connection carries one request. Invalid requests are answered
/// with an error.
package final class ControlServer: Sendable {
  private let path: String
  private let handler: any ControlHandler
  private let stopGrace: Duration
  private let running = Mutex<ThreadStop?>(nil)

  /// Creates a server for the socket at `path`; see `ControlSocketPath`. The server listens after
  /// `start`.
  ///
  /// - Parameter stopGrace: the maximum time for which `stop` waits for unfinished answers.
  package init(path: String, handler: any ControlHandler, stopGrace: Duration = .seconds(1)) {
    self.path = path
    self.handler = handler
    self.stopGrace = stopGrace
  }

  /// Listens until `stop`. Replaces a socket on which no process listens any more. Throws an error
  /// if a process listens on the socket. Call this function once, while the process holds the
  /// store's lock.
  package func start() throws(ControlError) {
    guard let wake = WakeSignal() else {
      throw ControlError(.unusable, ResourceShortage.message(errno))
    }
    let listener = try ControlListener(path: path)
    let stop = ThreadStop(wake)
    stop.begin()
    running.withLock { $0 = stop }
    let loop = ControlLoop(listener, handler, stop, stopGrace: stopGrace)
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

/// The loop of the single thread behind a control socket. The thread waits only for clients and for
/// answers.
///
/// SAFETY: the server creates the loop; afterwards only the server's thread uses the loop.
final class ControlLoop: @unchecked Sendable {
  private let listener: ControlListener
  private let handler: any ControlHandler
  private let stop: ThreadStop
  /// The maximum time to wait for unfinished answers when the server stops.
  private let stopGrace: Duration
  private var connections: [ControlConnection] = []
  /// The time at which the loop accepts clients again, if the system had no descriptors or memory
  /// left; otherwise nil.
  private var acceptsAgainAt: UInt64?

  /// The maximum number of connected clients. Further clients wait in the backlog of the socket.
  static let connectionsMax = 32
  private static let acceptPause: Duration = .seconds(1)

  init(
    _ listener: ControlListener, _ handler: any ControlHandler, _ stop: ThreadStop,
    stopGrace: Duration
  ) {
    self.listener = listener
    self.handler = handler
    self.stop = stop
    self.stopGrace = stopGrace
  }

  func serve() {
    while !stop.isAsked { turn() }
    let end = Monotonic.now() + stopGrace.nanoseconds
    while connections.contains(where: \.isAnswering), Monotonic.now() < end { turn(until: end) }
    let now = Monotonic.now()
    for connection in connections { connection.shutDown(now: now) }
    listener.remove()
    stop.finish()
  }

  /// Runs one turn of the loop. If `end` is given, the turn accepts no new client.
  private func turn(until end: UInt64? = nil) {
    let accepts = connections.count < Self.connectionsMax && acceptsAgainAt == nil && end == nil
    var watched = [
      pollfd(fd: stop.wake.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: accepts ? listener.descriptor : -1, events: Int16(POLLIN), revents: 0),
    ]
    watched += connections.map(\.awaited)
    let count = poll(&watched, nfds_t(watched.count), timeout(until: end))
    let now = Monotonic.now()
    if let time = acceptsAgainAt, now >= time { acceptsAgainAt = nil }
    if count > 0, watched[0].revents != 0 { stop.wake.clear() }
    for (connection, entry) in zip(connections, watched.dropFirst(2)) {
      connection.handle(count > 0 ? Int32(entry.revents) : 0, handler, now: now)
    }
    connections.removeAll(where: \.isOver)
    if count > 0, watched[1].revents != 0 { accept(now) }
  }

  /// Returns the timeout for poll(2) in milliseconds. Returns -1, which means no timeout, if there
  /// is no deadline.
  private func timeout(until end: UInt64?) -> Int32 {
    let deadlines = connections.compactMap(\.deadline) + [acceptsAgainAt, end].compactMap { $0 }
    guard let first = deadlines.min() else { return -1 }
    let now = Monotonic.now()
    return first <= now ? 0 : Int32(min((first - now) / 1_000_000 + 1, 1_000_000))
  }

  private func accept(_ now: UInt64) {
    while connections.count < Self.connectionsMax {
      let descriptor = Glibc.accept(listener.descriptor, nil, nil)
      guard descriptor >= 0 else {
        if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS {
          acceptsAgainAt = now + Self.acceptPause.nanoseconds
        }
        return
      }
      UnixSocket.setNonBlocking(descriptor)
      let connection = ControlConnection(descriptor, wake: stop.wake, now: now)
      let user = UnixSocket.peer(of: descriptor)?.user
      if !ControlPeer.isAllowed(user, owner: geteuid()) {
        connection.refuse(
          "a fetchrun process of another user has this store; run the command as that user",
          status: 1)
      }
      connections.append(connection)
    }
  }
}

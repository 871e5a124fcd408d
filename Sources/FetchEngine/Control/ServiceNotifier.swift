import FetchHost
import FetchModel
import FetchValues
import Glibc

/// A reporter of the daemon's state to the service manager (sd_notify(3)), if there is one.
package struct ServiceNotifier: Sendable {
  /// The value of `NOTIFY_SOCKET`: an absolute path, or `@` and a name in the abstract namespace.
  /// Nil for any other value.
  private let socketPath: String?
  /// The time after which the service manager considers the service hung if it has received no
  /// `alive`; nil if there is no such time. Send `alive` at least twice in this time.
  package let watchdogTimeout: Duration?

  /// The maximum time for sending. A service manager that does not read within this time does not
  /// work properly.
  private static let sendTimeoutSeconds = 2

  package init(environment: [String: String], process: Int32 = getpid()) {
    let path = environment["NOTIFY_SOCKET"] ?? ""
    socketPath = path.isAbsolutePath || path.hasPrefix("@") ? path : nil
    watchdogTimeout = Self.watchdog(environment, process)
  }

  private static func watchdog(_ environment: [String: String], _ process: Int32) -> Duration? {
    // The parent process may pass on variables that are not meant for this process.
    if let text = environment["WATCHDOG_PID"], text != "\(process)" { return nil }
    guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }),
      microseconds > 0
    else { return nil }
    return .microseconds(microseconds)
  }

  /// Reports that start-up or a reload is complete.
  package func ready(_ status: String? = nil) { send(["READY=1"], status) }

  package func stopping(_ status: String? = nil) { send(["STOPPING=1"], status) }

  /// Reports the beginning of a reload. `ready` reports the end of the reload.
  package func reloading() {
    send(["RELOADING=1", "MONOTONIC_USEC=\(Monotonic.now() / 1000)"], nil)
  }

  /// Returns a sink that reports the state of the daemon to the service manager.
  ///
  /// - Parameter status: returns one line for `systemctl status`.
  package func sink(status: @escaping @Sendable () -> String) -> EventSink {
    EventSink { event in
      switch event {
      case .serving, .reloaded, .reloadRefused: ready(status())
      case .stopping: stopping()
      case .reloading: reloading()
      case .runEnded: self.status(status())
      default: break
      }
    }
  }

  package func alive() { send(["WATCHDOG=1"], nil) }

  /// Sends one line for `systemctl status`.
  package func status(_ text: String) { send([], text) }

  private func send(_ assignments: [String], _ status: String?) {
    guard let socketPath else { return }
    let lines = assignments + (status.map { ["STATUS=\(Self.line($0))"] } ?? [])
    let descriptor = UnixSocket.make(SOCK_DGRAM)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    UnixSocket.limitSending(descriptor, seconds: Self.sendTimeoutSeconds)
    let bytes = Array(lines.joined(separator: "\n").utf8)
    _ = UnixSocket.withAddress(socketPath) {
      sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1)
    }
  }

  /// Returns the text as one line, since the service manager reads a second line as another
  /// assignment.
  private static func line(_ text: String) -> String {
    String(decoding: text.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
  }
}

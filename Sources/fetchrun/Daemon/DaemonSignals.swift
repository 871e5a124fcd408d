import FetchHost
import Glibc

/// What an init system or a person at a terminal tells the daemon.
struct DaemonSignals: Sendable {
  enum Signal: Sendable {
    case stop
    case reload
  }

  /// In the order they came; ends with `finish`.
  let all: AsyncStream<Signal>
  private let source: AsyncStream<Signal>.Continuation

  /// Listens from here on. Nil when the system has no more descriptors.
  init?() {
    let (all, source) = AsyncStream<Signal>.makeStream()
    (self.all, self.source) = (all, source)
    let isListening = ProcessSignals.listen(for: [SIGINT, SIGTERM, SIGHUP]) { number in
      source.yield(number == SIGHUP ? .reload : .stop)
    }
    if !isListening { return nil }
  }

  /// Nobody minds signals any more.
  func finish() { source.finish() }
}

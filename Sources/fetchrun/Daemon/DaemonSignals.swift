import FetchHost
import Glibc
import Synchronization

/// What an init system or a person at a terminal tells the daemon.
///
/// A signal to stop also sets the time at which the process ends in any case: the tasks that take
/// signals need a thread that a disk or a reader may hold.
struct DaemonSignals: Sendable {
  enum Signal: Sendable {
    case stop
    case reload
  }

  /// In the order they came; ends with `finish`.
  let all: AsyncStream<Signal>
  private let source: AsyncStream<Signal>.Continuation

  /// For the records of the runs that a second signal cancels.
  private static let endingMax: Duration = .seconds(5)
  /// For `overdue`, within the time that the process has.
  private static let lastWordsMax: Duration = .milliseconds(500)

  /// Listens from here on. Nil when the system has no more descriptors.
  ///
  /// - Parameters:
  ///   - grace: when the process ends after a signal to stop.
  ///   - overdue: is called half a second before the process ends though the daemon has not.
  init?(grace: GracePeriod, overdue: @escaping @Sendable () -> Void) {
    let (all, source) = AsyncStream<Signal>.makeStream()
    (self.all, self.source) = (all, source)
    let isStopping = Atomic<Bool>(false)
    let isListening = ProcessSignals.listen(for: [SIGINT, SIGTERM, SIGHUP]) { number in
      if number != SIGHUP {
        let isSecond = isStopping.exchange(true, ordering: .relaxed)
        EndDeadline.set(
          after: (isSecond ? Self.endingMax : grace.end) - Self.lastWordsMax,
          status: 128 + number, lastWords: overdue)
      }
      source.yield(number == SIGHUP ? .reload : .stop)
    }
    if !isListening { return nil }
  }

  /// Nobody minds signals any more.
  func finish() { source.finish() }
}

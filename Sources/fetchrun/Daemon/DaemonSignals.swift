import FetchHost
import Glibc
import Synchronization

/// The signals from an init system or a terminal to the daemon.
///
/// A signal to stop also sets the time at which the process ends in any case, because the tasks
/// that handle signals need a thread, which a disk or a reader may block.
struct DaemonSignals: Sendable {
  enum Signal: Sendable {
    case stop
    case reload
  }

  /// The signals in the order of their arrival; ends with `finish`.
  let all: AsyncStream<Signal>
  private let source: AsyncStream<Signal>.Continuation

  /// The time for storing the records of runs that a second signal cancels.
  private static let endingMax: Duration = .seconds(5)
  /// The time for `overdue`, taken from the remaining time of the process.
  private static let lastWordsMax: Duration = .milliseconds(500)

  /// Starts to listen. Returns nil if the system has no more descriptors.
  ///
  /// - Parameters:
  ///   - grace: the time from a signal to stop to the end of the process.
  ///   - overdue: called half a second before the process ends without the daemon having ended.
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

  /// Ends the stream of signals.
  func finish() { source.finish() }
}

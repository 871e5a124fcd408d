import FetchHost
import FetchModel
import Glibc
import Synchronization

/// The signals that an init system or a terminal sends to the daemon.
///
/// A signal that stops the daemon also sets a deadline. At the deadline, the process ends even if
/// its threads are still waiting, for example for a slow disk.
struct DaemonSignals: Sendable {
  enum Signal: Sendable {
    case stop
    case reload
  }

  /// The signals in the order of their arrival. The stream ends after `finish` is called.
  let all: AsyncStream<Signal>
  private let source: AsyncStream<Signal>.Continuation

  /// The maximum time from the second signal that stops the daemon to the end of the process. In
  /// this time, the records of the cancelled runs can be stored.
  private static let endingMax: Duration = .seconds(5)
  /// The time that is reserved for the call of `overdue` before the process ends.
  private static let lastWordsMax: Duration = .milliseconds(500)

  /// Starts to listen for signals. Throws if the system refuses a descriptor.
  ///
  /// - Parameters:
  ///   - grace: `grace.end` is the maximum time from the first signal that stops the daemon to the
  ///     end of the process.
  ///   - overdue: called half a second before the latest end of the process, if the daemon has not
  ///     ended.
  init(grace: GracePeriod, overdue: @escaping @Sendable () -> Void) throws(Failure) {
    let (all, source) = AsyncStream<Signal>.makeStream()
    (self.all, self.source) = (all, source)
    let isStopping = Atomic<Bool>(false)
    try ProcessSignals.listen(for: [SIGINT, SIGTERM, SIGHUP]) { number in
      if number != SIGHUP {
        let isSecond = isStopping.exchange(true, ordering: .relaxed)
        EndDeadline.set(
          after: (isSecond ? Self.endingMax : grace.end) - Self.lastWordsMax,
          status: 128 + number, lastWords: overdue)
      }
      source.yield(number == SIGHUP ? .reload : .stop)
    }
  }

  func finish() { source.finish() }
}

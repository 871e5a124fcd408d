import FetchHost
import FetchModel
import Glibc
import Synchronization

/// The signals that an init system or a terminal sends to the daemon.
///
/// Until `begin` is called, a signal that stops the daemon ends the process. After `begin`, it also
/// sets a deadline. At the deadline, the process ends even if its threads are still waiting, for
/// example for a slow disk.
final class DaemonSignals: Sendable {
  enum Signal: Sendable {
    case stop
    case reload
  }

  private struct Ending {
    var grace: GracePeriod
    var overdue: @Sendable () -> Void
  }

  private struct State {
    /// The values from `begin`; nil during the start of the daemon.
    var ending: Ending?
    var stoppedAt: ContinuousClock.Instant?
    var isStoppedAgain = false
  }

  private enum Effect {
    case endProcess
    case stop(within: Duration, overdue: @Sendable () -> Void)
    case ignore
  }

  /// The signals in the order of their arrival. The stream ends after `finish` is called.
  let all: AsyncStream<Signal>
  private let source: AsyncStream<Signal>.Continuation
  private let state = Mutex(State())

  /// The maximum time from the second signal that stops the daemon to the end of the process. In
  /// this time, the records of the cancelled runs can be stored.
  private static let endingMax: Duration = .seconds(5)
  /// The time that is reserved for the call of `overdue` before the process ends.
  private static let lastWordsMax: Duration = .milliseconds(500)

  /// Starts to listen for signals. Throws if the system refuses a descriptor. Create it before the
  /// daemon reads its config, so that no request for a reload is lost.
  init() throws(Failure) {
    let (all, source) = AsyncStream<Signal>.makeStream()
    (self.all, self.source) = (all, source)
    try ProcessSignals.listen(for: [SIGINT, SIGTERM, SIGHUP]) { [self] number in
      if number == SIGHUP { requestReload() } else { stop(number) }
    }
  }

  /// Begins to handle signals that stop the daemon.
  ///
  /// - Parameters:
  ///   - grace: `grace.end` is the maximum time from the first signal that stops the daemon to the
  ///     end of the process.
  ///   - overdue: called half a second before the latest end of the process, if the daemon has not
  ///     ended.
  func begin(grace: GracePeriod, overdue: @escaping @Sendable () -> Void) {
    state.withLock { $0.ending = Ending(grace: grace, overdue: overdue) }
  }

  /// Adds a request for a reload to the signals.
  func requestReload() { source.yield(.reload) }

  func finish() { source.finish() }

  private func stop(_ number: Int32) {
    switch state.withLock({ Self.effect(ofStopAt: .now, &$0) }) {
    case .endProcess:
      signal(number, SIG_DFL)
      kill(getpid(), number)
      // In a container, the kernel ignores a signal without a handler for the first process.
      _exit(128 + number)
    case .stop(let timeMax, let overdue):
      EndDeadline.set(
        after: timeMax - Self.lastWordsMax, status: 128 + number, lastWords: overdue)
      source.yield(.stop)
    case .ignore: break
    }
  }

  /// Returns the effect of a signal that stops the daemon, and stores the signal. Signals that
  /// arrive soon after the first count as one with it; see `Interruption.oneWishMax`.
  private static func effect(
    ofStopAt now: ContinuousClock.Instant, _ state: inout State
  ) -> Effect {
    guard let ending = state.ending else { return .endProcess }
    guard let stoppedAt = state.stoppedAt else {
      state.stoppedAt = now
      return .stop(within: ending.grace.end, overdue: ending.overdue)
    }
    if state.isStoppedAgain || stoppedAt.duration(to: now) <= Interruption.oneWishMax {
      return .ignore
    }
    state.isStoppedAgain = true
    return .stop(within: endingMax, overdue: ending.overdue)
  }
}

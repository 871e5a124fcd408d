import ArgumentParser
import FetchHost
import Glibc
import Synchronization

/// The handling of SIGINT, SIGTERM and SIGHUP while a command works.
///
/// The first signal cancels the command's task. The records of the cancelled runs can still be
/// stored, and the workers end. Another signal, more than half a second after the first, ends the
/// program immediately. Without such a signal, the program ends at most 30 seconds after the first
/// signal.
final class Interruption: Sendable {
  private struct State {
    /// The number of the first signal; nil before a signal has arrived.
    var received: Int32?
    var receivedAt: ContinuousClock.Instant?
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// The maximum time from the first signal to the end of the program. A busy store may delay the
  /// records of the cancelled runs.
  private static let endingMax: Duration = .seconds(30)

  /// The time within which several signals count as one. timeout(1) sends one signal to the program
  /// and another signal to its process group. A terminal may send both SIGINT and SIGHUP.
  static let oneWishMax: Duration = .milliseconds(500)

  /// Runs the operation in a task. The first signal cancels the task, even if the signal arrives
  /// just before the task starts.
  func cancelling<T: Sendable>(_ operation: @escaping @Sendable () async -> T) async -> T {
    StandardStreams.prepareToGiveUp()
    // If the program cannot listen for signals, each signal has its default effect.
    try? ProcessSignals.listen(for: Self.numbers) { [self] number in take(number) }
    let task = Task(executorPreference: HostExecutor.shared) { await operation() }
    let isEarly = state.withLock { state in
      state.cancel = { task.cancel() }
      return state.received != nil
    }
    if isEarly { task.cancel() }
    return await task.value
  }

  /// The numbers of the signals to handle. SIGHUP is left out if the process ignores it, as under
  /// `nohup`, so that the program outlives its terminal.
  private static var numbers: [Int32] {
    var hangUp = sigaction()
    let isKnown = sigaction(SIGHUP, nil, &hangUp) == 0
    let isIgnored =
      isKnown
      && unsafeBitCast(hangUp.__sigaction_handler.sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
    return [SIGINT, SIGTERM] + (isIgnored ? [] : [SIGHUP])
  }

  private func take(_ number: Int32) {
    let now = ContinuousClock.now
    let (first, cancel) = state.withLock { state in
      defer {
        state.received = state.received ?? number
        state.receivedAt = state.receivedAt ?? now
      }
      return (state.receivedAt, state.cancel)
    }
    if let first {
      if first.duration(to: now) > Self.oneWishMax { _exit(128 + number) }
      return
    }
    StandardStreams.giveUpSoon()
    EndDeadline.set(after: Self.endingMax, status: 128 + number)
    cancel?()
  }

  /// The exit status after a signal, which is 128 plus the signal's number; nil without a signal.
  var exitCode: ExitCode? { state.withLock { $0.received }.map { ExitCode(128 + $0) } }
}

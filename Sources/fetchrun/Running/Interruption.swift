import ArgumentParser
import FetchHost
import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP while a run is under way: the first cancels it, so that its record is written
/// and its worker ended; a later one ends the program at once, as does the end of half a minute.
final class Interruption: Sendable {
  private struct State {
    /// The first signal.
    var received: Int32?
    var receivedAt: ContinuousClock.Instant?
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// For the records of cancelled runs, where the store is busy.
  private static let endingMax: Duration = .seconds(30)

  /// Signals within that time mean one thing: timeout(1) sends one to the program and another one to its
  /// process group, and a terminal may send SIGINT and SIGHUP.
  private static let oneWishMax: Duration = .milliseconds(500)

  /// Runs the operation in a task that a signal cancels; signals are minded before it begins.
  func cancelling<T: Sendable>(_ operation: @escaping @Sendable () async -> T) async -> T {
    StandardStreams.prepareToGiveUp()
    // Where that cannot be, a signal does what it does by itself.
    _ = ProcessSignals.listen(for: Self.numbers) { [self] number in take(number) }
    let task = Task(executorPreference: HostExecutor.shared) { await operation() }
    let isEarly = state.withLock { state in
      state.cancel = { task.cancel() }
      return state.received != nil
    }
    if isEarly { task.cancel() }
    return await task.value
  }

  /// A program under `nohup` is not to hear of its terminal's end.
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

  /// 128 and the signal's number when one came; nil otherwise.
  var exitCode: ExitCode? { state.withLock { $0.received }.map { ExitCode(128 + $0) } }
}

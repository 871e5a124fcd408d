import ArgumentParser
import FetchHost
import Glibc
import Synchronization

/// SIGINT and SIGTERM while a run is under way: the first cancels it, so that its record is written
/// and its worker ended; a second ends the program at once.
final class Interruption: Sendable {
  private struct State {
    /// The first signal.
    var received: Int32?
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Runs the operation in a task that a signal cancels; signals are minded before it begins.
  func cancelling<T: Sendable>(_ operation: @escaping @Sendable () async -> T) async -> T {
    // Where that cannot be, a signal does what it does by itself.
    _ = ProcessSignals.listen(for: [SIGINT, SIGTERM]) { [self] number in take(number) }
    let task = Task(executorPreference: HostExecutor.shared) { await operation() }
    let isEarly = state.withLock { state in
      state.cancel = { task.cancel() }
      return state.received != nil
    }
    if isEarly { task.cancel() }
    return await task.value
  }

  private func take(_ number: Int32) {
    let (isSecond, cancel) = state.withLock { state in
      defer { state.received = state.received ?? number }
      return (state.received != nil, state.cancel)
    }
    if isSecond { _exit(128 + number) }
    cancel?()
  }

  /// 128 and the signal's number when one came; nil otherwise.
  var exitCode: ExitCode? { state.withLock { $0.received }.map { ExitCode(128 + $0) } }
}

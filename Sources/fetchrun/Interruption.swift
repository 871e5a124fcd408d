import ArgumentParser
import Dispatch
import Glibc
import Synchronization

/// SIGINT and SIGTERM while a run is under way: the first cancels it, so that its record is written
/// and its worker ended; a second ends the program at once.
final class Interruption: Sendable {
  private let received = Mutex<Int32?>(nil)

  /// Runs the operation in a task that a signal cancels.
  func cancelling<T: Sendable>(_ operation: @escaping @Sendable () async -> T) async -> T {
    let task = Task { await operation() }
    var sources: [any DispatchSourceSignal] = []
    for number in [SIGINT, SIGTERM] {
      let source = await SignalSource.listen(for: number) { [self] in
        let isSecond = received.withLock { first in
          defer { first = first ?? number }
          return first != nil
        }
        if isSecond { _exit(128 + number) }
        task.cancel()
      }
      sources.append(source)
    }
    let value = await task.value
    for source in sources { source.cancel() }
    return value
  }

  /// 128 and the signal's number when one came; nil otherwise.
  var exitCode: ExitCode? { received.withLock { $0 }.map { ExitCode(128 + $0) } }
}

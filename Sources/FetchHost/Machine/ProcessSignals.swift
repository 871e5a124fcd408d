import CHost
package import FetchModel
import Glibc

/// The delivery of signals as events instead of their default actions.
package enum ProcessSignals {
  /// Starts a thread that calls `action` with the number of each received signal in `numbers`.
  /// Throws if the signals cannot be received. Call `listen` only once.
  package static func listen(
    for numbers: [Int32], _ action: @escaping @Sendable (Int32) -> Void
  ) throws(Failure) {
    let descriptor = signal_descriptor(numbers, Int32(numbers.count))
    guard descriptor >= 0 else {
      throw Failure(.internalError, ResourceShortage.message(errno))
    }
    DedicatedThread.start("signals") {
      unblock(numbers)
      var number: UInt8 = 0
      while true {
        let count = read(descriptor, &number, 1)
        if count == 1 { action(Int32(number)) } else if count == 0 || errno != EINTR { return }
      }
    }
  }

  /// Unblocks the signals, because this process inherits the signal mask of its parent. A parent
  /// that uses Dispatch may have blocked nearly all signals.
  private static func unblock(_ numbers: [Int32]) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}

import Glibc
import Synchronization

/// Ends this process at a given time, even if its threads are still waiting for something.
package enum EndDeadline {
  /// The status of a process that has finished and waits for the readers of its output; negative
  /// before that.
  private static let settledStatus = Atomic<Int32>(-1)

  /// Starts a thread that calls `lastWords` after the delay and then ends the process with
  /// `status`. Workers and the commands of hooks end with the process.
  package static func set(
    after delay: Duration, status: Int32, lastWords: @escaping @Sendable () -> Void = {}
  ) {
    DedicatedThread.start("deadline") {
      let (seconds, attoseconds) = delay.components
      var asked = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
      var left = timespec()
      while nanosleep(&asked, &left) != 0, errno == EINTR { asked = left }
      let settled = settledStatus.load(ordering: .acquiring)
      if settled >= 0 { _exit(settled) }
      lastWords()
      _exit(status)
    }
  }

  /// Records that the process has finished its work. A deadline that passes later ends the process
  /// with this status, without calling `lastWords`.
  package static func settle(_ status: Int32) { settledStatus.store(status, ordering: .releasing) }
}

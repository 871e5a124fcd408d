import Glibc
import Synchronization

/// Ends this process at a time, whatever its threads wait for then.
package enum EndDeadline {
  /// The status of a process that has finished and waits for the readers of its output; negative
  /// before that.
  private static let settledStatus = Atomic<Int32>(-1)

  /// After that time, calls `lastWords` and ends the process with `status`, both on a thread of its
  /// own. Workers and the commands of hooks end with the process.
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

  /// Makes a later deadline end the process with this status and without last words: all is done.
  package static func settle(_ status: Int32) { settledStatus.store(status, ordering: .releasing) }
}

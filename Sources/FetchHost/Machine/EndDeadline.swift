import Glibc

/// Ends this process at a time, whatever its threads wait for then.
package enum EndDeadline {
  /// Calls `lastWords` after that time and ends the process with `status`, unless it has ended
  /// before. Both on a thread of its own. Workers and the commands of hooks end with the process.
  package static func set(
    after delay: Duration, status: Int32, lastWords: @escaping @Sendable () -> Void = {}
  ) {
    DedicatedThread.start("deadline") {
      let (seconds, attoseconds) = delay.components
      var asked = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
      var left = timespec()
      while nanosleep(&asked, &left) != 0, errno == EINTR { asked = left }
      lastWords()
      _exit(status)
    }
  }
}

import CHost
import Glibc
import Synchronization

/// The time limit for stopping a daemon, from the signal to the end of the process. The first part
/// is for the runs under way, and the rest is for storing their records.
package struct GracePeriod: Equatable, Sendable {
  /// The maximum time from the signal to the end of the process. After this time, the process ends
  /// even if its threads are still waiting.
  package let end: Duration
  /// The time from the signal until the runs under way are cancelled.
  package let runs: Duration

  /// The minimum of `end`, because a shorter time is not enough to store how the runs ended.
  private static let endMin: Duration = .seconds(2)
  /// The maximum part of the grace period that is kept for the records. Of these 3 seconds, a
  /// worker that computes may need 2 to release its run (`RunLimits.windowGrace`), and the records
  /// need one.
  private static let reserveMax: Duration = .seconds(3)

  /// Creates a grace period from the time that the user set. `end` is at least 2 seconds. At least
  /// a fifth of `end`, or 3 seconds if that is less, is for storing the records. The runs never get
  /// more than the time that the user set.
  package init(_ asked: Duration) {
    end = max(asked, Self.endMin)
    runs = max(.zero, min(asked, end - min(Self.reserveMax, end / 5)))
  }
}

/// A deadline that ends this process at a given time, even if threads of the process are still
/// waiting for something.
package enum EndDeadline {
  /// The exit status of a process that has finished its work and waits for the readers of its
  /// output; negative until the work is finished.
  private static let settledStatus = Atomic<Int32>(-1)

  /// Starts a thread that calls `lastWords` after the delay and then ends the process with
  /// `status`. If `settle` was called, ends the process with the status of that call instead.
  package static func set(
    after delay: Duration, status: Int32, lastWords: @escaping @Sendable () -> Void = {}
  ) {
    // Without the thread, the process still ends when its work has ended.
    _ = DedicatedThread.startIfPossible("deadline") {
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
  /// with `status`, without calling `lastWords`.
  package static func settle(_ status: Int32) { settledStatus.store(status, ordering: .releasing) }
}

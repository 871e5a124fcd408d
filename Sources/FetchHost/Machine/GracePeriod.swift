import Glibc
import Synchronization

/// The time from a signal to the end of a daemon, divided between runs and records.
package struct GracePeriod: Equatable, Sendable {
  /// The time from the signal to the end of the process. The process then ends even if its threads
  /// are still waiting.
  package let end: Duration
  /// The time from the signal until the runs under way are cancelled.
  package let runs: Duration

  /// The minimum of `end`, because a shorter time does not suffice to store how the runs ended.
  private static let endMin: Duration = .seconds(2)
  /// The time that a computing worker needs to release a run (`RunLimits.windowGrace`), and a
  /// second for the records.
  private static let reserveMax: Duration = .seconds(3)

  /// Creates a grace period from the time that the user set. A fifth of that time, at most 3
  /// seconds, is for storing the records. A time below 2 seconds counts as 2 seconds.
  package init(_ asked: Duration) {
    end = max(asked, Self.endMin)
    runs = max(.zero, min(asked, end - min(Self.reserveMax, end / 5)))
  }
}

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

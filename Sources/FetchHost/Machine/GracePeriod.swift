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

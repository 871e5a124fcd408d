/// The time from a signal to the end of a daemon, and how it is divided.
package struct GracePeriod: Equatable, Sendable {
  /// From the signal to the end of the process, whatever its threads wait for then.
  package let end: Duration
  /// From the signal until the runs that are still under way are cancelled.
  package let runs: Duration

  /// A shorter one leaves no time to store how the runs have ended.
  private static let endMin: Duration = .seconds(2)
  /// What a worker that computes needs to let go of a run (`RunLimits.windowGrace`), and a second for
  /// the records.
  private static let reserveMax: Duration = .seconds(3)

  /// Of the time that the user asked for, a fifth is kept for the records, 3 seconds at most. The
  /// process has 2 seconds at least.
  package init(_ asked: Duration) {
    end = max(asked, Self.endMin)
    runs = max(.zero, min(asked, end - min(Self.reserveMax, end / 5)))
  }
}

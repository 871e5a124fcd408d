/// The time from a signal to the end of a daemon, and how it is divided.
package struct GracePeriod: Equatable, Sendable {
  /// The time from the signal to the end of the process, whatever its threads wait for then.
  package let end: Duration
  /// The time from the signal until the runs under way are cancelled.
  package let runs: Duration

  /// A shorter one leaves no time to store how the runs ended.
  private static let endMin: Duration = .seconds(2)
  /// The time that a computing worker needs to release a run (`RunLimits.windowGrace`), and a
  /// second for the records.
  private static let reserveMax: Duration = .seconds(3)

  /// Divides the time that the user set: a fifth is for the records, at most 3 seconds. The process
  /// has at least 2 seconds.
  package init(_ asked: Duration) {
    end = max(asked, Self.endMin)
    runs = max(.zero, min(asked, end - min(Self.reserveMax, end / 5)))
  }
}

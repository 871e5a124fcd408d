import FetchModel
import FetchValues

/// The back-off of an adaptive job. The ceiling of the delay is lower for busy sources.
///
/// In the outages of the reference traces, items of busy sources waited for the next retry. These
/// waits caused up to half of the total waiting time. Most outages end within a day, so the delay
/// is at most two hours on the first day, and at most four hours later. A ceiling of a day saved
/// few requests. With that ceiling, finding a recovery took twice as long as with a fixed interval
/// and the same budget.
extension Backoff {
  /// The delays that double after each failure. The ceiling of these delays is far above
  /// `adaptiveCeiling`.
  private static let adaptive = Backoff(first: firstDelay, ceiling: laterMax)
  /// The range of the ceiling during the first day of an outage, in seconds. The ceiling is twice
  /// the interval after a success, limited to this range.
  private static let young = 3600.0...7200.0
  private static let later = 3600.0...14_400.0
  private static let nominalShare = 2.0
  private static let adaptiveJitter = 0.25

  /// Whether an outage that began `failingFor` seconds ago probably ends soon.
  static func isYoung(failingFor: Double) -> Bool { failingFor < WeekClock.daySeconds }

  /// Returns the longest delay in seconds. `pace` is the interval after a success, in seconds.
  static func adaptiveCeiling(failingFor: Double, pace: Double) -> Double {
    let range = isYoung(failingFor: failingFor) ? young : later
    return min(max(nominalShare * pace, range.lowerBound), range.upperBound)
  }

  /// Returns the delay until the next retry, in seconds. `chance` is a random number in 0..<1.
  static func adaptiveDelay(
    failures: Int, failingFor: Double, pace: Double, chance: Double
  ) -> Double {
    let doubled = Double(adaptive.longest(failures: failures).wholeMilliseconds) / 1000
    let most = adaptiveCeiling(failingFor: failingFor, pace: pace) / (1 + adaptiveJitter)
    return min(doubled, most) * (1 + adaptiveJitter * chance)
  }
}

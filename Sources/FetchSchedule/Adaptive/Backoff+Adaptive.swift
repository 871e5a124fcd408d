import FetchModel
import FetchValues

/// The back-off of an adaptive job, with lower ceilings for busy sources.
///
/// In outages of the reference traces, up to half of all waiting was that of items of busy sources
/// before the next try. Most outages end within a day, so for that long the next try is at most two
/// hours away, and four hours later on. With a day, as for other jobs, recoveries were found in
/// twice the time of a fixed interval within the same budget, and few requests were saved.
extension Backoff {
  /// The base curve; its ceiling is far above `adaptiveCeiling`.
  private static let adaptive = Backoff(first: firstDelay, ceiling: laterMax)
  /// The bounds of the ceiling in a young outage, which is twice the interval that the source
  /// deserves.
  private static let young = 3600.0...7200.0
  private static let later = 3600.0...14_400.0
  private static let nominalShare = 2.0
  private static let adaptiveJitter = 0.25

  /// Whether an outage that began `failingFor` seconds ago may be over soon.
  static func isYoung(failingFor: Double) -> Bool { failingFor < WeekClock.daySeconds }

  /// Returns the longest delay, in seconds; `pace` is the interval after a success.
  static func adaptiveCeiling(failingFor: Double, pace: Double) -> Double {
    let range = isYoung(failingFor: failingFor) ? young : later
    return min(max(nominalShare * pace, range.lowerBound), range.upperBound)
  }

  /// Returns the delay in seconds; `chance` is in 0..<1.
  static func adaptiveDelay(
    failures: Int, failingFor: Double, pace: Double, chance: Double
  ) -> Double {
    let doubled = Double(adaptive.longest(failures: failures).wholeMilliseconds) / 1000
    let most = adaptiveCeiling(failingFor: failingFor, pace: pace) / (1 + adaptiveJitter)
    return min(doubled, most) * (1 + adaptiveJitter * chance)
  }
}

import FetchModel
import FetchValues

/// How long an adaptive job waits after failures in a row: lower ceilings for busy sources.
///
/// In outages of the reference traces the items that waited for the next try of a source that publishes
/// much were up to half of all waiting. Most outages are over within a day, so for that long the next
/// try is never more than two hours away. After it, four hours: with a day, as other jobs have it,
/// sources that were back were found in twice the time that a fixed interval within the same budget
/// takes, and few requests were saved.
extension Backoff {
  /// The ceiling is far above those of `adaptiveCeiling`.
  private static let adaptive = Backoff(first: firstDelay, ceiling: laterMax)
  /// The ceiling is twice the interval that the source deserves, within these.
  private static let young = 3600.0...7200.0
  private static let later = 3600.0...14_400.0
  private static let nominalShare = 2.0
  private static let adaptiveJitter = 0.25

  /// Whether an outage that began `failingFor` seconds ago may be over soon.
  static func isYoung(failingFor: Double) -> Bool { failingFor < WeekClock.daySeconds }

  /// The longest delay, in seconds; `pace` is the interval after a success.
  static func adaptiveCeiling(failingFor: Double, pace: Double) -> Double {
    let range = isYoung(failingFor: failingFor) ? young : later
    return min(max(nominalShare * pace, range.lowerBound), range.upperBound)
  }

  /// Seconds; `chance` is 0..<1.
  static func adaptiveDelay(
    failures: Int, failingFor: Double, pace: Double, chance: Double
  ) -> Double {
    let doubled = Double(adaptive.longest(failures: failures).wholeMilliseconds) / 1000
    let most = adaptiveCeiling(failingFor: failingFor, pace: pace) / (1 + adaptiveJitter)
    return min(doubled, most) * (1 + adaptiveJitter * chance)
  }
}

/// How long an adaptive job waits after failures in a row.
///
/// As `Backoff`, with a lower ceiling for sources that publish much: in outages of the reference
/// traces the items that waited for the next try of such a source were up to half of all waiting. Most
/// outages are over within a day, so for that long the next try is never more than two hours away.
/// After it, four hours: with a day, as `Backoff` has it, sources that were back were found in twice
/// the time that a fixed interval within the same budget takes, and few requests were saved.
enum AdaptiveBackoff {
  private static let first = 600.0
  /// The ceiling is twice the interval that the source deserves, within these.
  private static let young = 3600.0...7200.0
  private static let later = 3600.0...14_400.0
  private static let nominalShare = 2.0
  private static let jitter = 0.25

  /// Whether an outage that began so long ago may be over soon.
  static func isYoung(failingFor: Double) -> Bool { failingFor < WeekClock.daySeconds }

  /// The longest delay, in seconds; `pace` is the interval after a success.
  static func ceiling(failingFor: Double, pace: Double) -> Double {
    let range = isYoung(failingFor: failingFor) ? young : later
    return min(max(nominalShare * pace, range.lowerBound), range.upperBound)
  }

  /// Seconds; `chance` is 0..<1.
  static func delay(failures: Int, failingFor: Double, pace: Double, chance: Double) -> Double {
    let doublings = min(max(failures - 1, 0), 20)
    let most = ceiling(failingFor: failingFor, pace: pace) / (1 + jitter)
    return min(first * Double(1 << doublings), most) * (1 + jitter * chance)
  }
}

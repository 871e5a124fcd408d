/// How long an adaptive job waits after failures in a row.
///
/// As `Backoff`, with a lower ceiling for sources that publish much: in outages of the reference
/// traces the items that waited for the next try of such a source were up to half of all waiting.
enum AdaptiveBackoff {
  private static let first = 600.0
  /// The ceiling is twice the interval that the source deserves, within these.
  private static let firstDay = 3600.0...21_600.0
  private static let later = 3600.0...86_400.0
  private static let nominalShare = 2.0
  private static let jitter = 0.25

  /// Seconds; `pace` is the interval after a success, `chance` is 0..<1.
  static func delay(failures: Int, failingFor: Double, pace: Double, chance: Double) -> Double {
    let doublings = min(max(failures - 1, 0), 20)
    let range = failingFor < WeekClock.daySeconds ? firstDay : later
    let ceiling = min(max(nominalShare * pace, range.lowerBound), range.upperBound)
    return min(first * Double(1 << doublings), ceiling) * (1 + jitter * chance)
  }
}

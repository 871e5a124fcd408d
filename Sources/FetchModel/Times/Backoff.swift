import FetchValues

/// When a failing job is tried again.
///
/// The ceiling doubles from ten minutes, up to six hours in the first day of failing and a day
/// after it. The delay is chance between a floor and the ceiling, so that jobs that failed together
/// do not come back together; the floor is the job's own pace, at most half the ceiling. After two
/// weeks and ten failures only a weekly probe is left; the first success ends it all.
package enum Backoff {
  package static let first: Duration = .seconds(600)
  package static let firstDayMax: Duration = .seconds(6 * 3600)
  package static let laterMax: Duration = .seconds(86_400)
  package static let longDeadAfter: Duration = .seconds(14 * 86_400)
  /// Two weeks of failing are some twenty failures. Fewer say that the machine was off meanwhile, or
  /// its clock wrong, not that the source is dead.
  package static let longDeadFailuresMin = 10
  package static let probeInterval: Duration = .seconds(7 * 86_400)

  package static func isLongDead(failures: Int, failingFor: Duration) -> Bool {
    failingFor >= longDeadAfter && failures >= longDeadFailuresMin
  }

  /// The longest delay after so many failures in a row, failing for that long.
  package static func ceiling(failures: Int, failingFor: Duration) -> Duration {
    if isLongDead(failures: failures, failingFor: failingFor) { return probeInterval }
    let most = failingFor < .seconds(86_400) ? firstDayMax : laterMax
    return min(first * (1 << max(0, min(failures - 1, 10))), most)
  }

  /// `pace` is how long the job would wait after a success; `chance` is 0..<1. The probe comes a
  /// week after, up to a twentieth earlier.
  package static func delay(
    failures: Int, failingFor: Duration, pace: Duration?, chance: Double
  ) -> Duration {
    let ceiling = ceiling(failures: failures, failingFor: failingFor)
    let floor =
      isLongDead(failures: failures, failingFor: failingFor)
      ? ceiling * 19 / 20 : min(ceiling / 2, max(.zero, pace ?? ceiling / 2))
    let range = (ceiling - floor).wholeMilliseconds
    return floor + .milliseconds(Int64(Double(range) * max(0, min(chance, 1))))
  }
}

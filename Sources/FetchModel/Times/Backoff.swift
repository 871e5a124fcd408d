import FetchValues

/// The maximum delays after consecutive failures: first the quick delays, then delays that double
/// up to a ceiling.
///
/// `delay` returns a random delay between a floor and the maximum delay. This spreads the retries
/// of clients that failed at the same time.
package struct Backoff: Equatable, Sendable {
  /// The maximum delays before the doubling begins, one for each failure.
  package let quick: [Duration]
  /// The maximum delay after the quick delays, from which the doubling begins.
  package let first: Duration
  package let ceiling: Duration

  package init(quick: [Duration] = [], first: Duration, ceiling: Duration) {
    self.quick = quick
    self.first = first
    self.ceiling = ceiling
  }

  /// The quick delays of deliveries and transfers. The delays are short because most faults end
  /// quickly.
  package static let quickDelays: [Duration] = [.seconds(2), .seconds(10), .seconds(60)]

  /// The delays before a service repeats a read that the store refused. The maximum delay grows
  /// from one second to one minute.
  package static let storeRead = Backoff(first: .seconds(1), ceiling: .seconds(60))

  /// The maximum number of doublings. The limit prevents an overflow.
  private static let doublingsMax = 20

  /// Returns the maximum delay after the given number of consecutive failures.
  package func longest(failures: Int) -> Duration {
    let index = max(failures, 1) - 1
    if index < quick.count { return quick[index] }
    return min(first * (1 << min(index - quick.count, Self.doublingsMax)), ceiling)
  }

  /// Returns a delay between `floor` and the maximum delay. The part above the floor is a whole
  /// number of milliseconds. `chance` is a random number in 0..<1.
  package func delay(failures: Int, floor: Duration, chance: Double) -> Duration {
    let range = (longest(failures: failures) - floor).wholeMilliseconds
    return floor + .milliseconds(Int64(Double(range) * max(0, min(chance, 1))))
  }
}

/// Back-off for sources and receivers that fail for hours or weeks.
///
/// After the quick delays, if any, the maximum delay begins at ten minutes and doubles with each
/// failure. It grows to at most six hours on the first day of failing, and to at most a day
/// afterwards. After two weeks and ten failures, the maximum delay is a week (`probeInterval`).
extension Backoff {
  package static let firstDelay: Duration = .seconds(600)
  package static let firstDayMax: Duration = .seconds(6 * 3600)
  package static let laterMax: Duration = .seconds(86_400)
  package static let longDeadAfter: Duration = .seconds(14 * 86_400)
  /// The minimum number of failures before the weekly probe. A source that fails for two weeks
  /// usually has about twenty failures. Fewer than ten failures suggest that the machine was off or
  /// its clock was wrong.
  package static let longDeadFailuresMin = 10
  package static let probeInterval: Duration = .seconds(7 * 86_400)

  package static func isLongDead(failures: Int, failingFor: Duration) -> Bool {
    failingFor >= longDeadAfter && failures >= longDeadFailuresMin
  }

  /// Returns the back-off of an outage that has lasted for `failingFor`. The first `quick.count`
  /// failures do not count towards the weekly probe.
  package static func outage(
    quick: [Duration] = [], failures: Int, failingFor: Duration
  ) -> Backoff {
    if isLongDead(failures: max(failures, 0) - quick.count, failingFor: failingFor) {
      return Backoff(quick: quick, first: probeInterval, ceiling: probeInterval)
    }
    let most = failingFor < .seconds(86_400) ? firstDayMax : laterMax
    return Backoff(quick: quick, first: firstDelay, ceiling: most)
  }

  /// Returns the delay until a failing job, or a failed request to a hub, is retried.
  ///
  /// `pace` is the wait after a success. The floor of the delay is `pace`, but at most half the
  /// maximum delay. Without `pace`, the floor is half the maximum delay. The weekly probe is up to
  /// a twentieth of a week early.
  package static func jobDelay(
    failures: Int, failingFor: Duration, pace: Duration?, chance: Double
  ) -> Duration {
    let backoff = outage(failures: failures, failingFor: failingFor)
    let longest = backoff.longest(failures: failures)
    let floor =
      isLongDead(failures: failures, failingFor: failingFor)
      ? longest * 19 / 20 : min(longest / 2, max(.zero, pace ?? longest / 2))
    return backoff.delay(failures: failures, floor: floor, chance: chance)
  }
}

import FetchValues

/// The longest delays after failures in a row: quick ones first, then doubling up to a ceiling.
///
/// Jitter spreads a delay between a floor and the longest one, so that clients that failed together
/// do not return together. Each policy has its own value here and chooses its floor.
package struct Backoff: Equatable, Sendable {
  /// The delays before the doubling begins, one per failure.
  package let quick: [Duration]
  /// The delay that is doubled.
  package let first: Duration
  package let ceiling: Duration

  package init(quick: [Duration] = [], first: Duration, ceiling: Duration) {
    self.quick = quick
    self.first = first
    self.ceiling = ceiling
  }

  /// Most faults end within moments: the first delays of deliveries and transfers.
  package static let quickDelays: [Duration] = [.seconds(2), .seconds(10), .seconds(60)]

  /// The delays before the outbox is read again after the store refused. A busy store answers
  /// within seconds; one whose disk is gone costs a read a minute.
  package static let storeRead = Backoff(first: .seconds(1), ceiling: .seconds(60))

  /// Above any ceiling, and far from an overflow.
  private static let doublingsMax = 20

  /// Returns the longest delay after this many failures in a row.
  package func longest(failures: Int) -> Duration {
    let index = max(failures, 1) - 1
    if index < quick.count { return quick[index] }
    return min(first * (1 << min(index - quick.count, Self.doublingsMax)), ceiling)
  }

  /// Returns a delay between `floor` and the longest one, in whole milliseconds above the floor;
  /// `chance` is 0..<1.
  package func delay(failures: Int, floor: Duration, chance: Double) -> Duration {
    let range = (longest(failures: failures) - floor).wholeMilliseconds
    return floor + .milliseconds(Int64(Double(range) * max(0, min(chance, 1))))
  }
}

/// Back-off for sources and receivers that fail for hours or weeks.
///
/// The ceiling doubles from ten minutes, up to six hours on the first day of failing and a day
/// after it. After two weeks and ten failures only a weekly probe remains.
extension Backoff {
  package static let firstDelay: Duration = .seconds(600)
  package static let firstDayMax: Duration = .seconds(6 * 3600)
  package static let laterMax: Duration = .seconds(86_400)
  package static let longDeadAfter: Duration = .seconds(14 * 86_400)
  /// Two weeks of failing are about twenty failures. Fewer mean that the machine was off or its
  /// clock wrong, not that the source is dead.
  package static let longDeadFailuresMin = 10
  package static let probeInterval: Duration = .seconds(7 * 86_400)

  package static func isLongDead(failures: Int, failingFor: Duration) -> Bool {
    failingFor >= longDeadAfter && failures >= longDeadFailuresMin
  }

  /// Returns the delays of an outage that has lasted for `failingFor`. Failures before a quick
  /// delay do not count towards the probe.
  package static func outage(
    quick: [Duration] = [], failures: Int, failingFor: Duration
  ) -> Backoff {
    if isLongDead(failures: max(failures, 0) - quick.count, failingFor: failingFor) {
      return Backoff(quick: quick, first: probeInterval, ceiling: probeInterval)
    }
    let most = failingFor < .seconds(86_400) ? firstDayMax : laterMax
    return Backoff(quick: quick, first: firstDelay, ceiling: most)
  }

  /// Returns when a failing job is retried.
  ///
  /// `pace` is the wait after a success; it is the floor, up to half the longest delay. The probe
  /// comes after a week, up to a twentieth earlier.
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

package import FetchModel
package import FetchValues

/// A limit over time, as a bucket that holds at most `burst` and fills at a constant rate.
///
/// An amount can be reserved if the bucket holds it, or if the bucket is full and the amount is
/// larger than the bucket. During any time t, reserved amounts that fit in the bucket add up to at
/// most `burst + refill × t`. A run that costs more than reserved lowers the level further. A
/// negative level is a debt: runs then wait until the bucket holds enough again. In the long run
/// the rate is kept even if every estimate was wrong, unless a debt would exceed the limit
/// `debtPeriodsMax`.
package struct TokenBucket: Hashable, Sendable {
  package let rate: Rate
  package let burst: Double
  /// The amount by which the bucket's level rises in a millisecond.
  private let refill: Double
  private(set) var level: Double
  private(set) var seenAt: Timestamp

  /// The tolerance for rounding errors, so that a whole unit never counts as missing.
  private static let slack = 1e-9
  /// The largest debt, as a multiple of the amount that the rate allows in one period. It limits
  /// the wait after a wrong estimate.
  private static let debtPeriodsMax = 3.0

  /// Creates a full bucket. Without `burst`, the bucket holds a twentieth of the rate's amount,
  /// rounded down, but at least 1. In each period, it is refilled by the rest of the amount plus 1.
  /// The whole units reserved in one period then never exceed the rate, if no amount exceeds the
  /// bucket's size. With `burst`, the bucket is refilled by the whole amount.
  package init(_ rate: Rate, burst: Int64? = nil, now: Timestamp) {
    self.rate = rate
    let amount = Double(max(1, rate.amount))
    let period = Double(rate.period.duration.wholeMilliseconds)
    if let burst {
      self.burst = Double(max(1, burst))
      refill = amount / period
    } else {
      self.burst = max(1, (amount / 20).rounded(.down))
      refill = (amount - self.burst + 1) / period
    }
    level = self.burst
    seenAt = now
  }

  /// Returns the bucket's level at a time. A negative level is a debt. If the clock was set back,
  /// the level does not change.
  package func level(at now: Timestamp) -> Double {
    let elapsed = max(0, now.milliseconds - seenAt.milliseconds)
    return min(burst, level + Double(elapsed) * refill)
  }

  /// Returns the time at which an amount can be reserved: now, or the first millisecond at which
  /// the bucket holds the amount. An amount above the bucket's size needs a full bucket.
  func opening(for amount: Double, now: Timestamp) -> Timestamp {
    let missing = min(amount, burst) - level(at: now)
    guard missing > Self.slack else { return now }
    let wait = ((missing - Self.slack) / refill).rounded(.up)
    // If the clock was set back, the wait counts from the last change of the level. The wait is at
    // most 3e12 milliseconds, about 95 years.
    let from = max(now, seenAt)
    return Timestamp(milliseconds: from.milliseconds + Int64(min(max(wait, 1), 3e12)))
  }

  mutating func take(_ amount: Double, now: Timestamp) {
    level = level(at: now) - amount
    let debtMax = Double(rate.amount) * Self.debtPeriodsMax
    level = min(burst, max(level, -debtMax))
    seenAt = max(seenAt, now)
  }

  /// Keeps the level after the clock was set back. The bucket refills from the new time on.
  mutating func setBack(to now: Timestamp) { seenAt = min(seenAt, now) }

  /// Continues with the level that the bucket had at `time`. The level may be a debt. If the clock
  /// has been set back since `time`, the bucket refills from now on.
  mutating func resume(level: Double, at time: Timestamp) {
    guard level.isFinite else { return }
    self.level = min(burst, max(level, -Double(rate.amount) * Self.debtPeriodsMax))
    seenAt = min(seenAt, time)
  }
}

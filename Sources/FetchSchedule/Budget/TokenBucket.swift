package import FetchModel
package import FetchValues

/// One limit over time: a bucket that holds at most `burst` and fills by `refill` a period.
///
/// A reservation is granted if the bucket holds it, or if the bucket is full and the amount exceeds
/// its size. Over any stretch of time t, at most `burst + refill × t / period` is therefore
/// reserved. A run that costs more than reserved leaves the bucket in debt, and all jobs wait until
/// that is paid. In the long run the rate is kept even if every estimate was wrong.
package struct TokenBucket: Hashable, Sendable {
  package let rate: Rate
  package let burst: Double
  /// Per millisecond.
  private let refill: Double
  private(set) var level: Double
  private(set) var seenAt: Timestamp

  /// The tolerance for rounding, so that a full token never counts as missing.
  private static let slack = 1e-9
  /// The most periods of waiting that a wrong estimate can cost.
  private static let debtPeriodsMax = 3.0

  /// Creates a full bucket. Without a burst it holds a twentieth of the rate, at least 1, and fills
  /// by the remainder. No stretch of one period then exceeds the rate (of whole units reserved).
  /// With a burst it fills by the whole rate.
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

  /// Returns the level at that time; negative is debt. A clock that was set back changes nothing.
  package func level(at now: Timestamp) -> Double {
    let elapsed = max(0, now.milliseconds - seenAt.milliseconds)
    return min(burst, level + Double(elapsed) * refill)
  }

  /// Returns when that amount can be reserved: now, or the first millisecond at which it fits.
  func opening(for amount: Double, now: Timestamp) -> Timestamp {
    let missing = min(amount, burst) - level(at: now)
    guard missing > Self.slack else { return now }
    let wait = ((missing - Self.slack) / refill).rounded(.up)
    // A century is far enough; the clock may have been set back since.
    let from = max(now, seenAt)
    return Timestamp(milliseconds: from.milliseconds + Int64(min(max(wait, 1), 3e12)))
  }

  mutating func take(_ amount: Double, now: Timestamp) {
    level = level(at: now) - amount
    let debtMax = Double(rate.amount) * Self.debtPeriodsMax
    level = min(burst, max(level, -debtMax))
    seenAt = max(seenAt, now)
  }

  /// Keeps the level and refills from the new time, after the clock was set back.
  mutating func setBack(to now: Timestamp) { seenAt = min(seenAt, now) }

  /// Continues from the level of another process, debts included. If the clock was set back since,
  /// it counts from now.
  mutating func resume(level: Double, at time: Timestamp) {
    guard level.isFinite else { return }
    self.level = min(burst, max(level, -Double(rate.amount) * Self.debtPeriodsMax))
    seenAt = min(seenAt, time)
  }
}

package import FetchModel
package import FetchValues

/// One limit over time: a bucket that holds at most `burst` and fills by `refill` a period.
///
/// A reservation is granted when the bucket holds it, or is full where it asks for more than fits.
/// So over any stretch of time t, what is reserved is at most `burst + refill × t / period`. A run
/// that costs more than was reserved for it leaves the bucket in debt, and everybody waits until
/// that is paid: over the long run the rate is kept even where every estimate was wrong.
package struct TokenBucket: Hashable, Sendable {
  package let rate: Rate
  package let burst: Double
  /// Per millisecond.
  private let refill: Double
  private(set) var level: Double
  private(set) var seenAt: Timestamp

  /// Rounding must not make a full token a missing one.
  private static let slack = 1e-9
  /// Estimates that are far off cost at most this many periods of waiting.
  private static let debtPeriodsMax = 3.0

  /// Without a burst the bucket holds a twentieth of the rate, at least 1, and fills by what is
  /// left: then no stretch of one period sees more than the rate (of whole units reserved). With
  /// one it fills by the whole rate.
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

  /// What it holds then; negative is debt. A clock that was set back changes nothing.
  package func level(at now: Timestamp) -> Double {
    let elapsed = max(0, now.milliseconds - seenAt.milliseconds)
    return min(burst, level + Double(elapsed) * refill)
  }

  /// When that much can be reserved: now, or the first millisecond at which it can.
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

  /// The clock was set back to that: what it holds comes to it from there on.
  mutating func setBack(to now: Timestamp) { seenAt = min(seenAt, now) }

  /// Continues from what another run of the program has left, debts included. A clock that was set
  /// back since counts from now.
  mutating func resume(level: Double, at time: Timestamp) {
    guard level.isFinite else { return }
    self.level = min(burst, max(level, -Double(rate.amount) * Self.debtPeriodsMax))
    seenAt = min(seenAt, time)
  }
}

package import FetchValues

/// What feeds say in their documents about when to ask again: `ttl`, `skipHours` and `skipDays`
/// (RSS 2.0), `sy:updatePeriod`, `sy:updateFrequency` and `sy:updateBase` (RSS 1.0 syndication
/// module).
///
/// Bounded however it is made, and small: each job keeps one.
package struct FeedHints: Hashable, Sendable {
  /// Times at which a feed is made anew: one each `seconds`.
  struct Updates: Hashable, Sendable {
    /// 1...`secondsMax`.
    var seconds: UInt32
    /// When they are, in seconds after a multiple of `seconds` since 1970, where that is said.
    var phase: UInt32?
  }

  /// 0: not said.
  private(set) var ttlSeconds: UInt32 = 0
  private(set) var updates: Updates?
  /// Bit n for hour n of the day in UTC; never all.
  package var skipHours: UInt32 = 0 { didSet { skipHours = Self.notAll(skipHours, of: 24) } }
  /// Bit 0 for Sunday, in UTC; never all.
  package var skipDays: UInt8 = 0 {
    didSet { skipDays = UInt8(Self.notAll(UInt32(skipDays), of: 7)) }
  }

  /// A year.
  static let secondsMax: Int64 = 366 * 86_400

  package init() {}

  package var isEmpty: Bool { self == FeedHints() }

  /// How long a copy may be kept. What is not above zero says nothing.
  package var ttl: Duration? {
    get { ttlSeconds == 0 ? nil : .seconds(ttlSeconds) }
    set { ttlSeconds = Self.bounded(newValue) }
  }

  /// The time between two updates.
  package var updatePeriod: Duration? { updates.map { .seconds($0.seconds) } }

  /// `base`: an instant of one of the updates.
  package mutating func setUpdates(every period: Duration?, from base: Timestamp? = nil) {
    let seconds = Self.bounded(period)
    updates = seconds == 0 ? nil : Updates(seconds: seconds, phase: base?.phase(of: seconds))
  }

  private static func bounded(_ duration: Duration?) -> UInt32 {
    UInt32(max(0, min(duration?.components.seconds ?? 0, secondsMax)))
  }

  /// Who leaves out all hours has said nothing.
  private static func notAll(_ bits: UInt32, of count: Int) -> UInt32 {
    let all = UInt32(1) << UInt32(count) - 1
    return bits & all == all ? 0 : bits & all
  }

  /// The first of the feed's updates after that instant.
  package func nextUpdate(after time: Timestamp) -> Timestamp? {
    guard let updates else { return nil }
    guard let phase = updates.phase else { return time + .seconds(updates.seconds) }
    let period = Int64(updates.seconds)
    let passed = (time.seconds - Int64(phase)).floorDivided(by: period)
    return Timestamp(seconds: (passed + 1) * period + Int64(phase))
  }

  /// What asks for no more than either of two feeds does, at any time.
  package func least(_ other: FeedHints) -> FeedHints {
    var least = self
    least.ttlSeconds = min(ttlSeconds, other.ttlSeconds)
    least.skipHours &= other.skipHours
    least.skipDays &= other.skipDays
    if updates != other.updates {
      // Two rhythms have no common one, unless both count from the last look.
      least.updates = nil
      if let own = updates, let others = other.updates, own.phase == nil, others.phase == nil {
        least.updates = own.seconds < others.seconds ? own : others
      }
    }
    return least
  }
}

extension Timestamp {
  fileprivate func phase(of period: UInt32) -> UInt32 {
    let rest = seconds % Int64(period)
    return UInt32(rest < 0 ? rest + Int64(period) : rest)
  }
}

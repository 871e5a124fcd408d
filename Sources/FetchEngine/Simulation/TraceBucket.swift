/// A limit of requests per hour, with some saved up.
struct TraceBucket {
  private let capacity: Double
  private let perSecond: Double
  private var tokens: Double
  private var updatedAt = 0.0

  init(capacity: Double, perHour: Double) {
    self.capacity = capacity
    perSecond = perHour / 3600
    tokens = capacity
  }

  func tokens(at now: Double) -> Double {
    min(capacity, tokens + max(0, now - updatedAt) * perSecond)
  }

  func level(at now: Double) -> Double { tokens(at: now) / capacity }

  /// Returns when there is a whole token, not before `now`.
  func ready(at now: Double) -> Double {
    let there = tokens(at: now)
    return there >= 1 ? now : now + (1 - there) / perSecond
  }

  /// Returns when the bucket is full, so that a token would be lost, if that is before it is used.
  func full(at now: Double) -> Double {
    now + max(0, capacity - tokens(at: now)) / perSecond
  }

  mutating func take(at now: Double) {
    tokens = max(0, tokens(at: now) - 1)
    updatedAt = now
  }
}

/// A token bucket that limits the requests per hour.
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

  /// Returns the first time, `now` or later, at which the bucket has a whole token.
  func ready(at now: Double) -> Double {
    let there = tokens(at: now)
    return there >= 1 ? now : now + (1 - there) / perSecond
  }

  /// Returns the time at which the bucket is full if no token is used before. After this time,
  /// tokens are lost.
  func full(at now: Double) -> Double {
    now + max(0, capacity - tokens(at: now)) / perSecond
  }

  mutating func take(at now: Double) {
    tokens = max(0, tokens(at: now) - 1)
    updatedAt = now
  }
}

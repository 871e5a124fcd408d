/// The `Last-Modified` of a source with undated items, and whether it is the time of their last
/// change.
///
/// It is believed as long as it moves exactly when the items change. A page that is generated each
/// hour, or a file that is copied each night, moves it without a change.
package struct ModifiedBelief: Equatable, Sendable {
  /// The date of the last answer.
  package private(set) var lastAt: Double?
  /// The number of changes that it must move with before it is believed again.
  private(set) var doubts = 0

  static let doubtsMax = 3
  /// The most seconds before the end of a run that a change in it may be dated.
  private static let runSecondsMax = 60.0

  init() {}

  init?(lastAt: Double?, doubts: Int) {
    guard (0...Self.doubtsMax).contains(doubts) else { return nil }
    (self.lastAt, self.doubts) = (lastAt, doubts)
  }

  /// Whether the source sends a believable date.
  package var isBelieved: Bool { lastAt != nil && doubts == 0 }

  /// Learns whether a run at `now` found the items changed since `past`.
  ///
  /// Returns the time of the last change, if the date is believed.
  mutating func learn(
    _ time: Double?, changed: Bool, since past: Double?, at now: Double
  ) -> Double? {
    guard let time, AdaptiveState.instants.contains(time) else {
      // A 304 answer need not repeat the date.
      if changed { lastAt = nil }
      return nil
    }
    let before = lastAt
    lastAt = time
    guard let before, let past else { return nil }
    let hasMoved = changed ? time > before : time != before
    let isPast = time < now && time > past - Self.runSecondsMax
    if hasMoved != changed || changed && !isPast {
      doubts = Self.doubtsMax
      return nil
    }
    guard changed, time > past else { return nil }
    if doubts > 0 {
      doubts -= 1
      return nil
    }
    return time
  }
}

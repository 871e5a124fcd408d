/// The `Last-Modified` of a source whose items have no dates, and whether it is the time of their last
/// change.
///
/// It is believed as long as it moves when the items change, and only then: a page that is made anew
/// each hour, or a file that is copied each night, moves it for nothing.
package struct ModifiedBelief: Equatable, Sendable {
  /// As the last answer had it.
  package private(set) var lastAt: Double?
  /// How many changes it must move with before it is believed again.
  private(set) var doubts = 0

  static let doubtsMax = 3
  /// A change while a run was under way may be dated before the run's end.
  private static let runSecondsMax = 60.0

  init() {}

  init?(lastAt: Double?, doubts: Int) {
    guard (0...Self.doubtsMax).contains(doubts) else { return nil }
    (self.lastAt, self.doubts) = (lastAt, doubts)
  }

  /// Whether the source sends a date that is believed.
  package var isBelieved: Bool { lastAt != nil && doubts == 0 }

  /// Takes note of a run at `now` that found the items changed since `past`, or not.
  ///
  /// Returns when they changed last, if the date is believed.
  mutating func learn(
    _ time: Double?, changed: Bool, since past: Double?, at now: Double
  ) -> Double? {
    guard let time, AdaptiveState.instants.contains(time) else {
      // An answer that says "not modified" need not repeat the date.
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

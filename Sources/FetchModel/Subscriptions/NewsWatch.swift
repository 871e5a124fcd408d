package import FetchValues

/// The news of a subscribed job that a poll found before a push reported it: the push may still come.
package struct NewsWatch: Equatable, Sendable {
  /// The time of the first news that waits for its push; nil if none does.
  private var foundAt: Timestamp?
  /// The times at which the run after a push is repeated, since a cache may not have the news yet.
  package private(set) var repeatsAt: [Timestamp] = []
  /// The push after which the run was repeated last.
  private var repeatedPushAt: Timestamp?

  /// The time for a push to report news that a poll found.
  package static let patience: Duration = .seconds(15 * 60)
  /// The delays after a run that a push started and that found nothing.
  package static let repeats: [Duration] = [.seconds(60), .seconds(5 * 60), .seconds(15 * 60)]

  package init() {}

  /// Records a push. Returns whether it reports news that a poll has found already.
  package mutating func notePush(at now: Timestamp) -> Bool {
    defer { foundAt = nil }
    return foundAt.map { now - $0 <= Self.patience } ?? false
  }

  /// Records the end of a run.
  ///
  /// - Parameters:
  ///   - hasNews: whether the run found news; nil if it failed.
  ///   - lastPushAt: the time of the last push.
  ///   - startedAt: the start of the run.
  /// - Returns: whether the run's news was reported by a push.
  package mutating func noteRun(
    hasNews: Bool?, startedAt: Timestamp, lastPushAt: Timestamp?, isPushed: Bool, now: Timestamp
  ) -> Bool {
    let isReported =
      lastPushAt.map { (.zero...Self.patience).contains(startedAt - $0) || $0 > startedAt } ?? false
    switch hasNews {
    case true?:
      repeatsAt = []
      if isReported { return true }
      foundAt = foundAt ?? now
    case false? where isPushed && isReported && lastPushAt != repeatedPushAt:
      repeatedPushAt = lastPushAt
      repeatsAt = Self.repeats.map { now + $0 }
    default: break
    }
    return false
  }

  /// Returns whether news has waited too long for its push, which then counts as missed.
  package mutating func takeMissed(at now: Timestamp) -> Bool {
    guard let found = foundAt, now - found > Self.patience else { return false }
    foundAt = nil
    return true
  }

  /// Returns whether the run must be repeated now.
  package mutating func takeRepeat(at now: Timestamp) -> Bool {
    guard let first = repeatsAt.first, now >= first else { return false }
    repeatsAt.removeFirst()
    return true
  }

  /// The time of the next decision; nil if there is none.
  package var nextAt: Timestamp? {
    [foundAt.map { $0 + Self.patience + .milliseconds(1) }, repeatsAt.first].compactMap(\.self)
      .min()
  }
}

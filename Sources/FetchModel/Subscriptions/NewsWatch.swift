package import FetchValues

/// The comparison of a subscribed job's runs with its pushes. It detects missed pushes, and decides
/// when to repeat a run that a push triggered too early.
package struct NewsWatch: Equatable, Sendable {
  /// The time when a run found the first news that no push has reported yet; nil if there is no
  /// such news, or if a push already counts as missed for this news.
  private var foundAt: Timestamp?
  /// The times at which a run without news is repeated. A push triggered this run, but a cache may
  /// not have had the news yet.
  package private(set) var repeatsAt: [Timestamp] = []
  /// The time of the last push whose run is repeated.
  private var repeatedPushAt: Timestamp?

  /// The time within which a push must report the news that a run found. Otherwise the push counts
  /// as missed.
  package static let patience: Duration = .seconds(15 * 60)
  /// The delays of the repeated runs, measured from the end of the run that the push triggered.
  package static let repeats: [Duration] = [.seconds(60), .seconds(5 * 60), .seconds(15 * 60)]

  package init() {}

  /// Records a push. Returns whether a run found the first unreported news at most `patience`
  /// before the push. News for which a push already counts as missed is ignored.
  package mutating func notePush(at now: Timestamp) -> Bool {
    defer { foundAt = nil }
    return foundAt.map { now - $0 <= Self.patience } ?? false
  }

  /// Records the end of a run.
  ///
  /// - Parameters:
  ///   - hasNews: whether the run found news; nil if it failed.
  ///   - startedAt: the start of the run.
  ///   - lastPushAt: the time of the last push.
  ///   - isPushed: whether a push triggered the run.
  /// - Returns: whether a push reported the run's news.
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

  /// Returns whether a push counts as missed, because none has arrived since a run found news more
  /// than `patience` ago. Returns true only once for each missed push.
  package mutating func takeMissed(at now: Timestamp) -> Bool {
    guard let found = foundAt, now - found > Self.patience else { return false }
    foundAt = nil
    return true
  }

  /// Returns whether a run must be repeated now. If so, removes the first time from `repeatsAt`.
  package mutating func takeRepeat(at now: Timestamp) -> Bool {
    guard let first = repeatsAt.first, now >= first else { return false }
    repeatsAt.removeFirst()
    return true
  }

  /// The next time at which a push will count as missed or a run is repeated; nil if there is no
  /// such time.
  package var nextAt: Timestamp? {
    [foundAt.map { $0 + Self.patience + .milliseconds(1) }, repeatsAt.first].compactMap(\.self)
      .min()
  }
}

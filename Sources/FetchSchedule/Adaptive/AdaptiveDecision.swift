/// A job's next due time and the reason for it.
package struct AdaptiveDecision: Equatable, Sendable {
  /// The due time in seconds since the epoch. It is never before the time of the decision.
  package var dueAt: Double
  /// The hint that moved the due time; nil if no hint moved it.
  package var hint: SourceHint?
  /// The due time before the hint moved it; nil if no hint moved it.
  package var chosenAt: Double?
  package var reason: AdaptiveReason
}

/// The rule that set a due time, with the numbers from which the time was computed.
package struct AdaptiveReason: Equatable, Sendable {
  /// The rule that set the due time.
  package enum Rule: String, Sendable {
    /// The due time is the first fetch of the cheapest plan.
    case plan
    /// The due time follows from the shortest or longest interval of the job or the scheduler.
    case intervalMin, intervalMax
    /// A hint of the source moved the due time: see `AdaptiveDecision.hint`.
    case hint
    /// The feed shows only its newest items, and some items would leave the feed before a later
    /// fetch.
    case window
    /// The due time is the end of the back-off after consecutive failures.
    case backoff
    /// The due time follows from the server's Retry-After.
    case retryAfter
  }

  package var rule: Rule
  /// The estimated publication rate of the source, in items per day.
  package var itemsPerDay: Double
  /// The price of a request: a request is worth this many seconds of one item's wait.
  package var price: Double
  /// The weight of waiting at the due time, relative to a mean of 1.
  package var weight: Double
  /// The factor of the source's week at the hour of the due time, relative to a mean of 1.
  package var hourFactor: Double
  /// The interval that follows from the square-root law alone, in seconds.
  package var nominalInterval: Double
}

/// When a job is due next, and why.
package struct AdaptiveDecision: Equatable, Sendable {
  /// Seconds since the epoch; never before the instant of the decision.
  package var dueAt: Double
  /// The hint that ruled.
  package var hint: SourceHint?
  /// The time before the hint moved it; nil where none did.
  package var chosenAt: Double?
  package var reason: AdaptiveReason
}

/// The numbers that led to a due time.
package struct AdaptiveReason: Equatable, Sendable {
  /// What ruled.
  package enum Rule: String, Sendable {
    /// The cheapest plan.
    case plan
    /// The job's or the scheduler's shortest or longest interval.
    case intervalMin, intervalMax
    /// What the source says of itself: see `AdaptiveDecision.hint`.
    case hint
    /// The feed shows few items, and they would be pushed out.
    case window
    /// Failures in a row.
    case backoff
    /// The source's Retry-After.
    case retryAfter
  }

  package var rule: Rule
  /// The rate believed.
  package var itemsPerDay: Double
  /// The price of a request, in seconds that one item waits.
  package var price: Double
  /// The weight of waiting at the due time, 1 in the mean.
  package var weight: Double
  /// The profile's factor at the due time's hour, 1 in the mean.
  package var hourFactor: Double
  /// What the square-root law alone would give, in seconds.
  package var nominalInterval: Double
}

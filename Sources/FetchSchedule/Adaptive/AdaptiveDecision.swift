/// A job's next due time with its reason.
package struct AdaptiveDecision: Equatable, Sendable {
  /// Seconds since the epoch; never before the time of the decision.
  package var dueAt: Double
  /// The hint that decided.
  package var hint: SourceHint?
  /// The time before the hint moved it; nil if no hint did.
  package var chosenAt: Double?
  package var reason: AdaptiveReason
}

/// The numbers that led to a due time.
package struct AdaptiveReason: Equatable, Sendable {
  /// The rule that decided.
  package enum Rule: String, Sendable {
    /// The cheapest plan.
    case plan
    /// The job's or the scheduler's shortest or longest interval.
    case intervalMin, intervalMax
    /// A hint of the source: see `AdaptiveDecision.hint`.
    case hint
    /// The feed shows few items, so some would be pushed out unseen.
    case window
    /// Failures in a row.
    case backoff
    /// The source's Retry-After.
    case retryAfter
  }

  package var rule: Rule
  /// The estimated rate.
  package var itemsPerDay: Double
  /// The price of a request, in seconds of one item's wait.
  package var price: Double
  /// The weight of waiting at the due time; the mean is 1.
  package var weight: Double
  /// The profile's factor at the due time's hour; the mean is 1.
  package var hourFactor: Double
  /// The interval by the square-root law alone, in seconds.
  package var nominalInterval: Double
}

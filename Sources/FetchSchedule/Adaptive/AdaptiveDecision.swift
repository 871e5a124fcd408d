/// A job's next due time and the reason for it.
package struct AdaptiveDecision: Equatable, Sendable {
  /// The due time in seconds since the epoch. It is never before the time of the decision.
  package var dueAt: Double
  /// The hint that moved the due time; nil if no hint moved it.
  package var hint: SourceHint?
  /// The due time before the hint moved it; nil if no hint moved it.
  package var chosenAt: Double?
  /// The bound that determined the due time, or `chosenAt` if a hint moved the due time. Nil if no
  /// bound did.
  package var bound: AdaptiveBound?
  package var reason: AdaptiveReason
}

/// The rule that set a due time, with numbers that explain the decision.
package struct AdaptiveReason: Equatable, Sendable {
  /// The rule that set the due time.
  package enum Rule: String, Sendable {
    /// The due time follows from the cheapest plan of future fetches.
    case plan
    /// The minimum or maximum interval (`AdaptiveBounds`) determined the due time.
    case intervalMin, intervalMax
    /// A hint of the source moved the due time: see `AdaptiveDecision.hint`.
    case hint
    /// The feed shows only its newest items, and some items could leave the feed before a later
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
  /// The price of a request: the wait of one item, in seconds, that counts as much as the request.
  package var price: Double
  /// The weight of waiting at the due time: the job's priority, multiplied by a factor for the
  /// user's reading hours. The mean of this factor is 1. After a failure, the weight is the
  /// priority alone.
  package var weight: Double
  /// The expected rate of the source at the due time's hour of the week, relative to a mean rate of
  /// 1. After a failure, the value is 1.
  package var hourFactor: Double
  /// The interval in seconds that follows from the square-root law: √(2 × price / (items per second
  /// × priority)). It ignores the bounds and hints.
  package var nominalInterval: Double
}

/// The facts that one run found out about its source.
package enum AdaptiveObservation: Equatable, Sendable {
  /// The source dates its items.
  case items(ItemsSeen)
  /// The source does not date its items. The first value is whether something changed since the
  /// last successful run. `modifiedAt` is the modification date that the source gives, in seconds
  /// since the epoch; nil if it gives none.
  case changed(Bool, modifiedAt: Double? = nil)
  /// The run failed. `retryAfter` is the wait that a server requested, in seconds; nil if no server
  /// did.
  case failed(retryAfter: Double?)
}

/// The items that a run found in a source with dated items.
package struct ItemsSeen: Equatable, Sendable {
  /// The publication times of the new items, in any order, in seconds since the epoch. Items
  /// without a date are left out.
  package var newTimes: [Double]
  /// The number of items that the source showed, including those that were already known.
  package var shownCount: Int

  package init(newTimes: [Double], shownCount: Int) {
    self.newTimes = newTimes
    self.shownCount = shownCount
  }
}

/// The minimum and maximum interval of an adaptive job, in seconds.
package struct AdaptiveBounds: Equatable, Sendable {
  package var intervalMin: Double
  package var intervalMax: Double

  /// The bounds if the budget limits requests, or if pushes report the source's news: five minutes
  /// to a day. The maximum of a day adds few requests, even if many sources publish rarely.
  package static let withBudget = AdaptiveBounds()

  /// The bounds if the budget does not limit requests and no pushes report the source's news: five
  /// minutes to six hours. With thirty sources, a maximum of six hours instead of a day adds 6
  /// requests a day (1 %). It shortens the mean wait per source by 9 % (60 traces of real
  /// publication times).
  package static let withoutBudget = AdaptiveBounds(intervalMax: 6 * 3600)

  package init(intervalMin: Double = 300, intervalMax: Double = 86_400) {
    self.intervalMin = min(max(intervalMin, 1), 366 * WeekClock.daySeconds)
    self.intervalMax = min(max(intervalMax, self.intervalMin), 366 * WeekClock.daySeconds)
  }
}

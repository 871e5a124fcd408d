package import FetchModel
package import FetchValues

/// Why the budget lets a run wait.
package enum BudgetObstacle: Hashable, Sendable {
  /// As many runs as may be are under way.
  case runsAtOnce(Int)
  /// What a rate allows is spent; enough has come back at `until`.
  case spent(BudgetResource, Rate, until: Timestamp)

  /// When asking again makes sense without anything else having happened; nil: when a run ends.
  package var until: Timestamp? {
    if case .spent(_, _, let until) = self { until } else { nil }
  }
}

package import FetchValues

/// The consequences of a run's end.
package struct RunVerdict: Hashable, Sendable {
  /// The next due time; nil if only a trigger or a person's `resume` makes the job run.
  package var dueAt: Timestamp?
  package var dueReason: DueReason
  package var notices: [Notice] = []

  package init(dueAt: Timestamp?, dueReason: DueReason) {
    self.dueAt = dueAt
    self.dueReason = dueReason
  }
}

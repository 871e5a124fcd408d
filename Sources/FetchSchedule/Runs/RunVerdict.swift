package import FetchValues

/// What follows from a run's end.
package struct RunVerdict: Hashable, Sendable {
  /// Nil: only a trigger makes it run, or somebody who resumes it.
  package var dueAt: Timestamp?
  package var dueReason: DueReason
  package var notices: [Notice] = []

  package init(dueAt: Timestamp?, dueReason: DueReason) {
    self.dueAt = dueAt
    self.dueReason = dueReason
  }
}

package import FetchModel
package import FetchValues

/// A run to be started now.
package struct RunStart: Hashable, Sendable {
  package var job: JobNumber
  package var name: String
  /// Counts the runs of the job, from 1.
  package var number: Int64
  package var trigger: RunTrigger
  package var reason: DueReason
  /// When it was due.
  package var dueAt: Timestamp
  /// What was set aside for it in the budget, until `ended`.
  package var reserved: RunCost
}

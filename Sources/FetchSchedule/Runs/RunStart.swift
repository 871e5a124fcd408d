package import FetchModel
package import FetchValues

/// A run to start now.
package struct RunStart: Hashable, Sendable {
  package var job: JobNumber
  package var name: String
  /// The number of the run among those of its job, from 1.
  package var number: Int64
  package var trigger: RunTrigger
  package var reason: DueReason
  /// The run's due time.
  package var dueAt: Timestamp
  /// The budget reserved for it until `ended`.
  package var reserved: RunCost
}

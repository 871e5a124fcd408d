package import FetchModel
package import FetchSchedule
package import FetchValues

/// One run of a simulation of a config.
package struct SimulatedRun: Equatable, Sendable {
  package var job: String
  package var startedAt: Timestamp
  package var dueAt: Timestamp
  /// The reason why it was due.
  package var reason: DueReason
  /// The time from its due time to its start, and the obstacle for the longest part of it.
  package var waited: Duration
  package var waitedFor: WaitReason?
  package var outcome: Outcome
  package var requestCount: Int
  /// The next due time; nil: only a trigger makes it run.
  package var nextDueAt: Timestamp?
  package var nextReason: DueReason
  package var notices: [Notice] = []
}

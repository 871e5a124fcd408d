package import FetchModel
package import FetchSchedule
package import FetchValues

/// One run of a simulation of a config.
package struct SimulatedRun: Equatable, Sendable {
  package var job: String
  package var startedAt: Timestamp
  package var dueAt: Timestamp
  /// Why it was due then.
  package var reason: DueReason
  /// How long it could not start after it was due, and what held it for the longest part of that.
  package var waited: Duration
  package var waitedFor: WaitReason?
  package var outcome: Outcome
  package var requestCount: Int
  /// Nil: only a trigger makes it run.
  package var nextDueAt: Timestamp?
  package var nextReason: DueReason
  package var notices: [Notice] = []
}

package import FetchModel
package import FetchSchedule
package import FetchValues

/// One run of a simulation of a config.
package struct SimulatedRun: Equatable, Sendable {
  package var job: JobName
  package var startedAt: Timestamp
  package var dueAt: Timestamp
  /// The reason why the run was due.
  package var reason: DueReason
  /// The time from the due time to the start. `waitedFor` is the obstacle that lasted longest in
  /// this time.
  package var waited: Duration
  package var waitedFor: WaitReason?
  package var outcome: Outcome
  package var requestCount: Int
  /// The job's next due time; nil if only a trigger makes the job run.
  package var nextDueAt: Timestamp?
  package var nextReason: DueReason
  package var notices: [Notice] = []
}

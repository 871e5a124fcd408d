package import FetchValues

/// The record of a run, whatever its outcome.
package struct RunRecord: Equatable, Sendable {
  package var run: RunID
  package var job: String
  package var plugin: String
  package var trigger: RunTrigger
  package var outcome: Outcome
  package var startedAt: Timestamp
  package var duration: Duration = .zero
  /// CPU time of the plugin's own code.
  package var cpu: Duration = .zero
  package var requestCount = 0
  package var receivedBytes = 0
  package var nextDueAt: Timestamp?
  /// The changes that checkpoints had stored when the run failed.
  package var checkpointed = ChangeCounts()
  /// A short note for the run's line besides the outcome: `6 downloads queued`. Nil without one;
  /// not stored.
  package var note: String?

  package init(
    run: RunID, job: String, plugin: String, trigger: RunTrigger, outcome: Outcome,
    startedAt: Timestamp
  ) {
    self.run = run
    self.job = job
    self.plugin = plugin
    self.trigger = trigger
    self.outcome = outcome
    self.startedAt = startedAt
  }

  /// The changes that the run has stored, even if it failed.
  package var counts: ChangeCounts {
    outcome.failure == nil ? outcome.counts : checkpointed
  }
}

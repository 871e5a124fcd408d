package import FetchValues

/// The record of a finished run with any outcome.
package struct RunRecord: Equatable, Sendable {
  package var run: RunID
  package var job: JobName
  package var plugin: String
  package var trigger: RunTrigger
  package var outcome: Outcome
  package var startedAt: Timestamp
  package var duration: Duration = .zero
  /// The CPU time that the plugin's own code used.
  package var cpu: Duration = .zero
  package var requestCount = 0
  package var receivedBytes = 0
  package var nextDueAt: Timestamp?
  /// The changes that checkpoints had already stored when the run failed.
  package var checkpointed = ChangeCounts()
  /// A short note that follows the outcome in the run's output line, such as `6 downloads queued`.
  /// The note is not stored.
  package var note: String?

  package init(
    run: RunID, job: JobName, plugin: String, trigger: RunTrigger, outcome: Outcome,
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

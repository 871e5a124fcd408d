package import FetchValues

/// What is written down about a run, whatever it came to.
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
  /// What checkpoints had stored when the run failed.
  package var checkpointed = ChangeCounts()
  /// What there is to say beside the outcome, in a few words for the run's line: `6 downloads
  /// queued`. Nil for nothing; not stored.
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

  /// What the run has stored, a failed one too.
  package var counts: ChangeCounts {
    outcome.failure == nil ? outcome.counts : checkpointed
  }
}

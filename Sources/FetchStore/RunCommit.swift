package import FetchModel
package import FetchValues

/// The results of a run, stored together or not at all.
package struct RunCommit: Sendable {
  package enum Part: Sendable {
    /// The items and state so far of a run that continues, with its record so far.
    case checkpoint
    case end
  }

  /// The record of the whole run; its counts cover all of its parts.
  package var record: RunRecord
  package var part: Part = .end
  /// The key of the job's identity; nil if a user named the job.
  package var identity: String?
  /// The changes of this part. The diff of a later part must have seen those stored earlier.
  package var changes = RunChanges()
  /// The plugin's new state; nil keeps the old one, `null` removes it.
  package var state: Value?
  /// The validators to store, by URL; those of other URLs stay.
  package var validators: [ExactText: Validators] = [:]
  /// Origins that asked for a cool-down, with its end. A later end replaces an earlier one.
  package var coolDowns: [ExactText: Timestamp] = [:]

  /// The requested transfers; each replaces the pending one for its path.
  package var transfers: [QueuedTransfer] = []
  /// The ended transfer of which the run has notified the plugin.
  package var toldTransfer: Int64?

  /// The kept answers of a failed run.
  package var kept: KeptAnswers?
  /// The deliveries that notify hooks of this part. The store inserts the sequences of the changes
  /// into the payloads.
  package var deliveries: [NewDelivery] = []

  /// The plugin's new grant; nil keeps the old one.
  package var grant: PinnedGrant?

  /// The scheduler's new memory of the job; nil keeps the old one.
  package var schedule: StoredSchedule?
  /// The run's changes to the memory of all jobs together: its charges, and the lanes that it
  /// closed.
  package var shared = SharedMemory()

  package init(record: RunRecord) { self.record = record }
}

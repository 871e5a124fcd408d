package import FetchModel
package import FetchValues

/// All that a run leaves behind, stored together or not at all.
package struct RunCommit: Sendable {
  package enum Part: Sendable {
    /// Items and state so far, of a run that goes on. Its record says what is known by now.
    case checkpoint
    case end
  }

  /// The whole run's record; its counts are those of all its parts together.
  package var record: RunRecord
  package var part: Part = .end
  /// The key of the job's identity; nil where a user has named the job.
  package var identity: String?
  /// What this part adds; of later parts the diff must have seen what earlier ones stored.
  package var changes = RunChanges()
  /// The plugin's new state; nil leaves the old one, `null` removes it.
  package var state: Value?
  /// Validators to keep, by URL; those of other URLs stay.
  package var validators: [ExactText: Validators] = [:]
  /// Origins that asked to be left alone until then. A later time wins over an earlier one.
  package var coolDowns: [ExactText: Timestamp] = [:]

  /// Transfers that the run asked for; each takes the place of one that is pending for its path.
  package var transfers: [QueuedTransfer] = []
  /// The ended transfer that the run has told the plugin of.
  package var toldTransfer: Int64?

  /// What is kept of a run that failed.
  package var kept: KeptAnswers?
  /// The deliveries that notify hooks of this part; the store writes the sequences of the changes into
  /// the payloads.
  package var deliveries: [NewDelivery] = []

  /// What the plugin is granted from now on; nil leaves the old.
  package var grant: PinnedGrant?

  /// What the scheduler remembers of the job from now on; nil leaves the old.
  package var schedule: StoredSchedule?
  /// The run's changes to the memory of all jobs together: its charges, and the lanes that it has
  /// closed.
  package var shared = SharedMemory()

  package init(record: RunRecord) { self.record = record }
}

package import FetchModel
package import FetchValues

/// The operations of a run, from its beginning to its commit.
///
/// **Leases.** `openJob` takes the lease of a job for one run. A job has one lease at a time; its owner
/// is the run, in the process that has the store. The lease ends with the commit of the run's `.end`,
/// with `abandon`, or with the process: the next process that opens the store finds what was written of
/// the run, and `recover` says so.
package protocol RunStore: Sendable {
  /// Begins a run of that job: takes the job's lease and reads what the run needs.
  ///
  /// Throws `jobRunning` while another run has the lease, and `full` where there is no room for what the
  /// run will bring; then there is no lease. A job that the store does not know is made by its first
  /// commit.
  ///
  /// - Parameters:
  ///   - plugin: whose grant is read, by the name that the user gave it.
  ///   - noting: written down, so that `recover` finds the run after a crash. The call may wait some
  ///     milliseconds for those of other runs.
  func openJob(
    _ name: String, run: RunID, plugin: String?, noting record: RunRecord?
  ) async throws(StoreError) -> JobSnapshot

  /// Writes down runs that are under way, as `noting` does; those that have stored something or have
  /// ended are passed over.
  func note(_ records: [RunRecord]) async throws(StoreError)

  /// Returns what is known of a result's items, and of all present items where the rules need them: as
  /// of the run's last checkpoint or later.
  func known(
    _ result: IdentifiedItems, of job: JobSnapshot, rules: ItemRules
  ) async throws(StoreError) -> KnownItems

  /// Stores a part of a run, all or nothing, and returns when it is durable. The changes get sequences
  /// without a gap, in their order, above all that can be read before. The call may wait some
  /// milliseconds for the ends of other runs, to be stored with them. One commit that cannot be stored
  /// fails alone.
  func commit(_ commit: RunCommit) async throws(StoreError) -> CommitReceipt

  /// Gives back the lease of a run that stores nothing more. Does nothing where the run has none. Never
  /// waits for the store.
  func abandon(_ job: String, run: RunID)

  /// Takes a name for the job with an identity, given by its key, before its first run.
  func claim(_ job: String, identity key: String, plugin: String) async throws(StoreError)

  /// The bytes that the items of one job may take: see `Retention.jobBytesMax`. Known without asking
  /// the store.
  var jobBytesMax: Int64 { get }

  /// Ends what earlier processes left unfinished, and returns what that was: their runs are recorded as
  /// abandoned, their transfers are queued again. What was put right when the store was opened is
  /// returned again.
  func recover() async throws(StoreError) -> StoreRecovery
}

extension RunStore {
  package func openJob(_ name: String, run: RunID) async throws(StoreError) -> JobSnapshot {
    try await openJob(name, run: run, plugin: nil, noting: nil)
  }
}

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

/// Proof that a commit is on the disk.
package struct CommitReceipt: Equatable, Sendable {
  /// The sequence of the first change; the others follow without a gap. Nil without changes.
  package var firstSequence: Int64?
  /// What the changes take: see `ItemChange.storedBytes`.
  package var byteCount = 0
  /// How many deliveries were written.
  package var deliveryCount = 0

  package init(firstSequence: Int64? = nil, byteCount: Int = 0, deliveryCount: Int = 0) {
    self.firstSequence = firstSequence
    self.byteCount = byteCount
    self.deliveryCount = deliveryCount
  }
}

extension CommitReceipt {
  /// The news of that commit, as a reader of the store would find them.
  package func news(of commit: RunCommit) -> [StoredItem] {
    guard let firstSequence else { return [] }
    return commit.changes.changes.enumerated().compactMap { offset, change in
      guard change.kind.isNews else { return nil }
      return StoredItem(
        change, sequence: firstSequence + Int64(offset), job: commit.record.job,
        seenAt: commit.record.startedAt)
    }
  }
}

/// What a run needs to know about its job before it begins.
package struct JobSnapshot: Sendable {
  package var name: String
  /// The store's own key of the job, which nobody else reads; nil until the first commit.
  package var id: Int64?
  /// What the plugin kept; nil when it keeps nothing.
  package var state: Value?
  package var validators: [ExactText: Validators] = [:]
  /// What its state, its items and their versions take in the store: see `ItemChange.storedBytes`.
  package var storedBytes = 0
  /// What the plugin was granted; nil when it has never run.
  package var grant: PinnedGrant?
  /// When the first run began that ended with a result (newData or noData); nil where none has yet.
  package var firstResultAt: Timestamp?

  package var isFirstRun: Bool { firstResultAt == nil }

  /// Of a job that the store does not know.
  package init(name: String) { self.name = name }
}

/// What is kept of a failed run, for whoever wants to run it again.
package struct KeptAnswers: Sendable {
  package var content: [UInt8]
  /// How many runs of the job keep theirs, this one included; older ones give way.
  package var countMax: Int
  /// Whether no request was answered. Of such runs a job keeps its last beside the others: while
  /// nothing can be reached, nothing gives way that more can be learnt from.
  package var isAnswerless = false

  /// Of all jobs together; older ones give way.
  package static let bytesMax = 64 << 20
  package static let runCountMax = 1_000
  package static let answerlessRunCountMax = 100

  package init(content: [UInt8], countMax: Int) {
    self.content = content
    self.countMax = countMax
  }
}

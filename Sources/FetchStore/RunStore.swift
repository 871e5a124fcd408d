package import FetchModel
package import FetchValues

/// The operations of a run, from its beginning to its commit.
///
/// **Leases.** `openJob` takes the lease of a job for one run. A job has one lease at a time; its
/// owner is the run, in the process that has the store open. The lease ends with the commit of the
/// run's `.end`, with `abandon`, or with the process. Then the next process that opens the store
/// finds the run's stored parts and returns them from `recover`.
package protocol RunStore: Sendable {
  /// Begins a run of that job: takes the job's lease and reads the data that the run needs.
  ///
  /// Throws `jobRunning` while another run has the lease, and `full` if there is no room for the
  /// run's results; then the lease is not taken. The first commit of an unknown job creates it.
  ///
  /// - Parameters:
  ///   - plugin: the user's name of the plugin whose grant is read.
  ///   - noting: stored, so that `recover` finds the run after a crash. The call may wait some
  ///     milliseconds for those of other runs.
  func openJob(
    _ name: String, run: RunID, plugin: String?, noting record: RunRecord?
  ) async throws(StoreError) -> JobSnapshot

  /// Stores active runs, as `noting` does; ignores runs that have stored something or have ended.
  func note(_ records: [RunRecord]) async throws(StoreError)

  /// Returns the stored facts of a result's items, and of all present items if the rules need them,
  /// as of the run's last checkpoint or later.
  func known(
    _ result: IdentifiedItems, of job: JobSnapshot, rules: ItemRules
  ) async throws(StoreError) -> KnownItems

  /// Stores a part of a run, all or nothing, and returns when it is durable. The changes receive
  /// sequences in order without a gap, above all sequences that can be read before. The call may
  /// wait some milliseconds to share a transaction with other runs. A commit that cannot be stored
  /// fails alone.
  func commit(_ commit: RunCommit) async throws(StoreError) -> CommitReceipt

  /// Releases the lease of a run that stores nothing more. Does nothing if the run has no lease.
  /// Never waits for the store.
  func abandon(_ job: String, run: RunID)

  /// Assigns a name to the job with that identity key, before its first run.
  func claim(_ job: String, identity key: String, plugin: String) async throws(StoreError)

  /// The maximum number of bytes of one job's items: see `Retention.jobBytesMax`. Reading it needs
  /// no access to the store.
  var jobBytesMax: Int64 { get }

  /// Records unfinished runs of earlier processes as abandoned, queues their transfers again, and
  /// returns both. The repairs made when the store was opened are returned again.
  func recover() async throws(StoreError) -> StoreRecovery
}

extension RunStore {
  package func openJob(_ name: String, run: RunID) async throws(StoreError) -> JobSnapshot {
    try await openJob(name, run: run, plugin: nil, noting: nil)
  }
}

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

/// The proof that a commit is durable.
package struct CommitReceipt: Equatable, Sendable {
  /// The sequence of the first change; the others follow without a gap. Nil if nothing changed.
  package var firstSequence: Int64?
  /// The stored size of the changes: see `ItemChange.storedBytes`.
  package var byteCount = 0
  /// The number of deliveries written.
  package var deliveryCount = 0

  package init(firstSequence: Int64? = nil, byteCount: Int = 0, deliveryCount: Int = 0) {
    self.firstSequence = firstSequence
    self.byteCount = byteCount
    self.deliveryCount = deliveryCount
  }
}

extension CommitReceipt {
  /// Returns the news of the commit as a reader of the store would see them.
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

/// The data of a job that a run needs before it begins.
package struct JobSnapshot: Sendable {
  package var name: String
  /// The store's own key of the job, for no other use; nil until the first commit.
  package var id: Int64?
  /// The plugin's state; nil if it has none.
  package var state: Value?
  package var validators: [ExactText: Validators] = [:]
  /// The stored size of its state, its items and their versions: see `ItemChange.storedBytes`.
  package var storedBytes = 0
  /// The plugin's grant; nil if it has never run.
  package var grant: PinnedGrant?
  /// The start of the first run with a result (newData or noData); nil if there is none yet.
  package var firstResultAt: Timestamp?

  package var isFirstRun: Bool { firstResultAt == nil }

  /// Creates the snapshot of a job that is not in the store.
  package init(name: String) { self.name = name }
}

/// The kept answers of a failed run, from which the run can be repeated.
package struct KeptAnswers: Sendable {
  package var content: [UInt8]
  /// The maximum number of the job's runs with kept answers, including this one; the oldest are
  /// dropped.
  package var countMax: Int
  /// Whether no request was answered. A job keeps its last such run in addition to the others, so
  /// that an outage does not displace answers with content.
  package var isAnswerless = false

  /// The size of the kept answers of all jobs; the oldest are dropped.
  package static let bytesMax = 64 << 20
  package static let runCountMax = 1_000
  package static let answerlessRunCountMax = 100

  package init(content: [UInt8], countMax: Int) {
    self.content = content
    self.countMax = countMax
  }
}

package import FetchModel
package import FetchValues

/// The operations of a run, from its beginning to its commit.
///
/// **Leases.** `openJob` takes the lease of a job for one run. A job has at most one lease at a
/// time. The lease ends with the commit of the run's `.end`, with `abandon`, or with the process.
/// If the process ends before the run, the next process that opens the store for writing records
/// the run as abandoned: see `recover`. It can do so only if a record of the run is stored.
package protocol RunStore: Sendable {
  /// Begins a run of a job: takes the job's lease and reads the data that the run needs.
  ///
  /// Throws `jobRunning` while another run has the lease. A store in a file throws `full` if its
  /// disk has no space for a small run. If the function throws, the run does not have the lease.
  /// The first stored record or commit of an unknown job creates the job.
  ///
  /// - Parameters:
  ///   - plugin: the plugin whose grant is read, as in `PinnedGrant.plugin`; nil to read no
  ///     grant.
  ///   - noting: the run's record, which is stored so that `recover` finds the run after a crash.
  ///     The call may wait a few milliseconds for the records of other runs. Nil stores no record.
  func openJob(
    _ name: JobName, run: RunID, plugin: String?, noting record: RunRecord?
  ) async throws(StoreError) -> JobSnapshot

  /// Stores the records of active runs for which `openJob` has stored none. Ignores runs that have
  /// begun a commit, or have ended. Call this function at most once for each run.
  func note(_ records: [RunRecord]) async throws(StoreError)

  /// Returns the stored facts about a result's items, and about all present items if the rules need
  /// these facts. The facts include the changes that the run's checkpoints have stored.
  func known(
    _ result: IdentifiedItems, of job: JobSnapshot, rules: ItemRules
  ) async throws(StoreError) -> KnownItems

  /// Stores a part of a run, all or nothing, and returns when the part is durable. The changes
  /// receive sequence numbers in order and without a gap. These numbers are higher than all numbers
  /// that could be read before the call. The call may wait to share a transaction with other runs.
  func commit(_ commit: RunCommit) async throws(StoreError) -> CommitReceipt

  /// Releases the lease of a run that stores nothing more. Does nothing if the run has no lease.
  /// Never waits for the store.
  func abandon(_ job: JobName, run: RunID)

  /// Releases the lease of a run whose end the store did not accept. Never waits for the store. If
  /// the store has a row of the run, the row receives this record, without its next due time, with
  /// the next commit of any run that succeeds. Until then, the row is that of a run under way.
  func abandon(_ record: RunRecord)

  /// Stores the identity key of the job with the given name, and creates the job if it does not
  /// exist.
  func claim(_ job: JobName, identity key: String, plugin: PluginName) async throws(StoreError)

  /// The maximum size in bytes of one job's items with their versions: see `Retention.jobBytesMax`.
  /// Reading this property needs no access to the store.
  var jobBytesMax: Int64 { get }

  /// Returns the repairs that were made when the store was opened. Unfinished runs of earlier
  /// processes were recorded as abandoned, and interrupted transfers were queued again.
  func recover() async throws(StoreError) -> StoreRecovery
}

extension RunStore {
  package func openJob(_ name: JobName, run: RunID) async throws(StoreError) -> JobSnapshot {
    try await openJob(name, run: run, plugin: nil, noting: nil)
  }
}

/// A part of a run's results, stored completely or not at all.
package struct RunCommit: Sendable {
  package enum Part: Sendable {
    /// The items, the state and the present record of a run that continues.
    case checkpoint
    case end
  }

  /// The record of the whole run. Its counts include all parts of the run.
  package var record: RunRecord
  /// The id of the job in the store: see `JobSnapshot.id`. Nil if the job may be new.
  package let jobID: Int64?
  package var part: Part = .end
  /// The key of the job's identity; nil keeps the stored key.
  package var identity: String?
  /// The changes of this part. The caller must compute the changes relative to the stored items,
  /// including the items that earlier parts of the run have stored.
  package var changes = RunChanges()
  /// The plugin's new state. Nil keeps the old state, and `null` removes it.
  package var state: Value?
  /// The validators to store, by URL. The validators of other URLs stay unchanged.
  package var validators: [ExactText: Validators] = [:]
  /// The origins that must receive no requests for a time, each with the end of its cooldown. A
  /// later end replaces an earlier end. A stored end that is more than `RetryAfter.delayMax` after
  /// the new one is of a wrong clock, and is replaced too.
  package var coolDowns: [ExactText: Timestamp] = [:]

  /// The requested transfers. Each transfer replaces the job's pending transfer to the same path.
  package var transfers: [QueuedTransfer] = []
  /// The id of the ended transfer that now counts as reported to the plugin; nil if there is none.
  package var toldTransfer: Int64?

  /// The kept answers of a failed run, or the reason why they are not kept; nil if neither is
  /// stored.
  package var kept: KeptAnswers?
  /// The deliveries that notify hooks of this part. The store inserts the sequence numbers of the
  /// changes into the payloads.
  package var deliveries: [NewDelivery] = []

  /// The plugin's new grant; nil keeps the old grant.
  package var grant: PinnedGrant?

  /// The scheduler's new memory of the job; nil keeps the old memory.
  package var schedule: StoredSchedule?
  /// The new memory of all jobs together: the budget, and the lanes whose counts or closures have
  /// changed.
  package var shared = SharedMemory()

  /// Creates a commit. `jobID` is the id in the job's snapshot; nil makes the store look it up.
  package init(record: RunRecord, jobID: Int64? = nil) {
    self.record = record
    self.jobID = jobID
  }
}

/// The proof that a commit is durable.
package struct CommitReceipt: Equatable, Sendable {
  /// The sequence number of the first change; nil if nothing changed. The other changes follow
  /// without a gap.
  package var firstSequence: Int64?
  /// The stored size of the changes in bytes: see `ItemChange.storedBytes`.
  package var byteCount = 0
  /// The number of deliveries that the commit wrote.
  package var deliveryCount = 0

  package init(firstSequence: Int64? = nil, byteCount: Int = 0, deliveryCount: Int = 0) {
    self.firstSequence = firstSequence
    self.byteCount = byteCount
    self.deliveryCount = deliveryCount
  }
}

extension CommitReceipt {
  /// Returns the changes of the commit that are news, in the form in which a reader of the store
  /// sees them.
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
  package var name: JobName
  /// The key of the job in the store, used only by the store; nil if the store did not have the job
  /// when the snapshot was read.
  package var id: Int64?
  /// The plugin's state; nil if the plugin has no state.
  package var state: Value?
  package var validators: [ExactText: Validators] = [:]
  /// The stored size in bytes of the job's state, items and versions of items: see
  /// `ItemChange.storedBytes`.
  package var storedBytes = 0
  /// The plugin's grant; nil if there is none, or if the caller of `openJob` named no plugin.
  package var grant: PinnedGrant?
  /// The start of the first run with a result (newData or noData) since the job was last reset; nil
  /// if there is none. Runs for a single transfer do not count.
  package var firstResultAt: Timestamp?

  package var isFirstRun: Bool { firstResultAt == nil }

  /// Creates the snapshot of a job that is not in the store.
  package init(name: JobName) { self.name = name }
}

/// The kept answers of a failed run, from which the run can be repeated, or the reason why they are
/// not kept.
package struct KeptAnswers: Sendable {
  package var content: [UInt8]
  /// The maximum number of the job's runs with kept answers, including this run. The answers of the
  /// oldest runs are removed.
  package var countMax: Int
  /// Whether a network failure ended the run before any answer arrived, or whether only a reason is
  /// kept. A job keeps at most its last such run, in addition to the other runs. An outage
  /// therefore does not displace the job's runs with answers.
  package var isAnswerless = false

  /// The maximum size in bytes of the kept answers of all jobs. The oldest answers are removed.
  package static let bytesMax = 64 << 20
  package static let runCountMax = 1_000
  package static let answerlessRunCountMax = 100

  package init(content: [UInt8], countMax: Int) {
    self.content = content
    self.countMax = countMax
  }
}

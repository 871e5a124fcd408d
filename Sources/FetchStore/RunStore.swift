package import FetchModel

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

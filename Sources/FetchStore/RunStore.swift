package import FetchModel

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

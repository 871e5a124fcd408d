import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// The job that a run has the lease of, as the store and its user's grant had it when the run began.
///
/// An object, so that the frames of async functions hold a reference only.
final class LeasedJob: Sendable {
  /// With what its user has granted.
  let job: Job
  let snapshot: JobSnapshot
  /// The run's record, as it begins.
  let record: RunRecord
  /// The ended transfer that the run is about.
  let transfer: TransferRecord?
  let decision: GrantDecision

  init(
    _ job: Job, _ snapshot: JobSnapshot, _ record: RunRecord, transfer: TransferRecord? = nil,
    decision: GrantDecision
  ) {
    self.job = job
    self.snapshot = snapshot
    self.record = record
    self.transfer = transfer
    self.decision = decision
  }

  /// Not by `==`, which compares, and copies, whole records.
  var isOfTransfer: Bool { if case .some = transfer { true } else { false } }

  /// Whether what the run gives belongs to the job's first result: no run has had one yet, or the run
  /// is about a transfer that was queued before the end of the first.
  var isOfFirstRun: Bool {
    guard let first = snapshot.firstResultAt else { return true }
    return transfer.map { $0.createdAt <= first } ?? false
  }

  /// Why the plugin may not run; nil where it may.
  func refusal(_ suggested: SuggestedCommand) -> Failure? {
    job.plugin.loadFailure
      ?? decision.failure(of: .job(job.name), file: job.plugin.path, suggested: suggested)
  }

  /// No result of a run is larger than this in a store: see `RunLimits`.
  private static let resultBytesMax: Int64 = 1 << 30

  /// Why changes are more than the job may store; nil where they are not.
  ///
  /// Where the job is far from its share nothing is counted, which costs as much as storing it.
  ///
  /// - Parameters:
  ///   - byteCount: what earlier parts of the run have stored.
  ///   - bytesMax: what one job may take in the store.
  func refusal(of changes: RunChanges, after byteCount: Int, bytesMax: Int64) -> Failure? {
    let known = Int64(snapshot.storedBytes) + Int64(byteCount)
    if changes.changes.isEmpty || known < bytesMax - Self.resultBytesMax { return nil }
    let total = known + Int64(changes.storedBytes)
    if total <= bytesMax { return nil }
    return Failure(
      .storeQuota,
      "its items would take \(ByteSize(bytes: total)) in the store, which keeps at most"
        + " \(ByteSize(bytes: bytesMax)) of one job: raise `job_size` under `keep` in the config, or"
        + " let it keep fewer versions")
  }
}

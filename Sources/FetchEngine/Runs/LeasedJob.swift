import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// The job of which a run has the lease, as the store and the user's grant had it at the run's
/// beginning.
///
/// It is an object, so that the frames of async functions hold only a reference.
final class LeasedJob: Sendable {
  /// The job with its grant.
  let job: Job
  let snapshot: JobSnapshot
  /// The run's record at its beginning.
  let record: RunRecord
  /// The ended transfer of which the run notifies the plugin.
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

  /// Whether the run notifies the plugin of a transfer. `==` would compare, and copy, whole
  /// records.
  var isOfTransfer: Bool { if case .some = transfer { true } else { false } }

  /// Whether the run's result belongs to the job's first result: no run has had one yet, or the run
  /// is about a transfer that was queued before the end of the first.
  var isOfFirstRun: Bool {
    guard let first = snapshot.firstResultAt else { return true }
    return transfer.map { $0.createdAt <= first } ?? false
  }

  /// Returns why the plugin may not run; nil if it may.
  func refusal(_ suggested: SuggestedCommand) -> Failure? {
    job.plugin.loadFailure
      ?? decision.failure(of: .job(job.name), file: job.plugin.path, suggested: suggested)
  }

  /// The maximum size of a run's stored result: see `RunLimits`.
  private static let resultBytesMax: Int64 = 1 << 30

  /// Returns why changes exceed what the job may store; nil if they do not.
  ///
  /// Counting costs as much as storing, so a job far below its share is not counted.
  ///
  /// - Parameters:
  ///   - byteCount: the bytes that earlier parts of the run have stored.
  ///   - bytesMax: the maximum size of one job in the store.
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

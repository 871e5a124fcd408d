import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// A job during one of its runs, with the stored state and the user's grant at the beginning of the
/// run. The run holds the job's lease.
///
/// This type is a class, so that the frames of async functions hold only a reference.
final class LeasedJob: Sendable {
  /// The job with its grant.
  let job: Job
  let snapshot: JobSnapshot
  /// The run's record at its beginning.
  let record: RunRecord
  /// The ended transfer about which the run notifies the plugin; nil for other runs.
  let transfer: TransferRecord?
  let decision: GrantDecision
  /// The run's entry in the journal of long runs; nil if the run is not stored early.
  let journalEntry: LateJournal.Entry?

  init(
    _ job: Job, _ snapshot: JobSnapshot, _ record: RunRecord, transfer: TransferRecord? = nil,
    decision: GrantDecision, journalEntry: LateJournal.Entry? = nil
  ) {
    self.job = job
    self.snapshot = snapshot
    self.record = record
    self.transfer = transfer
    self.decision = decision
    self.journalEntry = journalEntry
  }

  /// Whether the run notifies the plugin of a transfer. A comparison with `== nil` would copy whole
  /// records.
  var isOfTransfer: Bool { if case .some = transfer { true } else { false } }

  /// Whether the run is part of the job's first run. True if `JobSnapshot.firstResultAt` is nil, or
  /// if the run is for a transfer that was created no later than `firstResultAt`.
  var isOfFirstRun: Bool {
    guard let first = snapshot.firstResultAt else { return true }
    return transfer.map { $0.createdAt <= first } ?? false
  }

  /// Returns the reason why the plugin may not run; nil if the plugin may run.
  func refusal(_ suggested: SuggestedCommand) -> Failure? {
    job.plugin.loadFailure
      ?? decision.failure(of: .job(job.name), file: job.plugin.path, suggested: suggested)
  }

  /// An upper bound on the size of one part of a run in the store, in bytes: see
  /// `RunLimits.resultWeight`.
  private static let resultBytesMax: Int64 = 1 << 30

  /// Returns a failure if the changes would make the job larger than its maximum size in the store;
  /// otherwise nil.
  ///
  /// Counting the bytes costs as much as storing them. The bytes of the changes are therefore not
  /// counted if the job is far below its maximum.
  ///
  /// - Parameters:
  ///   - byteCount: the number of bytes that earlier parts of the run have stored.
  ///   - bytesMax: the maximum size of one job in the store, in bytes.
  func refusal(of changes: RunChanges, after byteCount: Int, bytesMax: Int64) -> Failure? {
    let known = Int64(snapshot.storedBytes) + Int64(byteCount)
    if changes.changes.isEmpty || known < bytesMax - Self.resultBytesMax { return nil }
    let total = known + Int64(changes.storedBytes)
    if total <= bytesMax { return nil }
    return Failure(
      .storeQuota,
      "the job's items would take \(ByteSize(bytes: total)) in the store, which keeps at most"
        + " \(ByteSize(bytes: bytesMax)) for one job: raise `job_size` under `keep` in the config,"
        + " or keep fewer versions")
  }
}

extension Job {
  /// Returns the failure of a read. If the path is not granted and `holdsToGrant` is true, the
  /// message has the advice for jobs of a config. If the plugin's file requests the path, this is
  /// the command that grants the path.
  func explained(_ failure: Failure, at path: String, _ suggested: SuggestedCommand) -> Failure {
    guard holdsToGrant, failure.code == .permission, failure.message.hasSuffix(ReadGrant.hint)
    else { return failure }
    let asked = PermissionResolution.paths(plugin.manifest.permissions.read, options)
    var failure = failure
    failure.message.removeLast(ReadGrant.hint.count)
    failure.message +=
      AskedPermissions(asked.map { .read($0) }).covers(.read(path))
      ? "its file requests this permission: allow it with "
        + "`\(suggested.command("grant", of: .job(name)))`"
      : "allow it with `allow_read` in the config"
    return failure
  }

  /// Returns the result of a request. The failure of a request for a `file:` address is explained:
  /// see `explained(_:at:_:)`.
  func explained<Answer>(
    _ result: Result<Answer, Failure>, of url: String, _ suggested: SuggestedCommand
  ) -> Result<Answer, Failure> {
    guard case .failure(let failure) = result, let target = try? TargetURL(url),
      target.scheme == .file
    else { return result }
    let path = String(decoding: PercentEncoding.decode(target.path.utf8), as: UTF8.self)
    return .failure(explained(failure, at: path, suggested))
  }
}

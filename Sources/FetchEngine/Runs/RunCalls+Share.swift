import FetchModel
import FetchStore
import FetchValues

extension RunCalls {
  /// No result of a run is larger than this in a store: see `RunLimits`.
  private static let resultBytesMax: Int64 = 1 << 30

  /// Why changes are more than the job may store; nil where they are not.
  ///
  /// Where the job is far from its share nothing is counted, which costs as much as storing it.
  func refusal(of changes: RunChanges) -> Failure? {
    let most = pipeline.services.store.jobBytesMax
    let known = Int64(snapshot.storedBytes + soFar.byteCount)
    if changes.changes.isEmpty || known < most - Self.resultBytesMax { return nil }
    let total = known + Int64(changes.storedBytes)
    if total <= most { return nil }
    return Failure(
      .storeQuota,
      "its items would take \(ByteSize(bytes: total)) in the store, which keeps at most"
        + " \(ByteSize(bytes: most)) of one job: raise `job_size` under `keep` in the config, or let"
        + " it keep fewer versions")
  }
}

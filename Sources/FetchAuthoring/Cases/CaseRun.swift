import FetchEngine
import FetchModel

/// What one run of a case came to.
struct CaseRun: Sendable {
  var report: RunReport
  /// Of the job's files.
  var changes: [CaseFileChange]
  /// Queued by it, in the order they were asked for.
  var transfers: [TransferRequest]
}

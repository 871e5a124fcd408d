import FetchEngine
import FetchModel

/// The result of one run of a case.
struct CaseRun: Sendable {
  var report: RunReport
  /// The changes that the run made to the job's files.
  var changes: [CaseFileChange]
  /// The transfers that the run queued, in the order of their requests.
  var transfers: [TransferRequest]
}

import FetchEngine
import FetchModel

/// The result of one run of a case.
struct CaseRun: Sendable {
  var report: RunReport
  /// The changes of the job's files.
  var changes: [CaseFileChange]
  /// The queued transfers, in the order of their requests.
  var transfers: [TransferRequest]
}

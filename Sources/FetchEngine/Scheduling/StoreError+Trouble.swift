import FetchSchedule
import FetchStore

extension StoreError {
  /// The same as what keeps all jobs from being stored; nil where it is the one run's fault.
  var trouble: StoreTrouble? {
    switch code {
    case .full, .locked, .readOnly: StoreTrouble(message, mayPass: true)
    case .replaced, .unreachable, .corrupt, .newer, .missing, .closed:
      StoreTrouble(message, mayPass: false)
    case .jobRunning, .unknownJob, .rejected: nil
    }
  }
}

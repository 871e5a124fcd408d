import FetchSchedule
import FetchStore

extension StoreError {
  /// The error as a problem that affects all jobs; nil if the error concerns only this run.
  var trouble: StoreTrouble? {
    switch code {
    case .full, .locked, .readOnly: StoreTrouble(message, mayPass: true)
    case .replaced, .unreachable, .corrupt, .newer, .missing, .closed:
      StoreTrouble(message, mayPass: false)
    case .jobRunning, .unknownJob, .rejected: nil
    }
  }
}

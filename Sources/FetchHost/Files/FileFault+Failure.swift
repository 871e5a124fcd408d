package import FetchModel
import Glibc

extension FileFault {
  /// As the plugin and the run's record see it.
  package var failure: Failure {
    let code: FailureCode =
      switch reason {
      case .larger: .bodyLimit
      case .quota: .fileQuota
      case .cancelled: .cancelled
      default: .fileAccess
      }
    return Failure(code, description, retryable: isPassing)
  }

  /// The same as what ended an attempt at a transfer: a disk that is full or fails is for a person
  /// to look at, rather than to be filled again and again.
  var transferFailure: Failure {
    var failure = failure
    if isFull || reason == .system(EIO) { failure.retryable = false }
    return failure
  }
}

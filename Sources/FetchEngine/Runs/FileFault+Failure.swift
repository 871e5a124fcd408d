import FetchHost
import FetchModel

extension FileFault {
  /// As the plugin and the run's record see it.
  var failure: Failure {
    let code: FailureCode =
      switch reason {
      case .larger: .bodyLimit
      case .quota: .fileQuota
      case .cancelled: .cancelled
      default: .fileAccess
      }
    return Failure(code, description, retryable: isPassing)
  }
}

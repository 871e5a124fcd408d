import FetchModel
import Glibc

extension FileFault {
  /// The same as what ended an attempt at a transfer.
  var transferFailure: Failure {
    switch reason {
    // Open files of others go; another attempt at the same transfer is about to end.
    case .system(EMFILE), .system(ENFILE), .system(EBUSY), .system(EINTR), .cancelled:
      Failure(.fileAccess, description, retryable: true)
    default: Failure(.fileAccess, description)
    }
  }
}

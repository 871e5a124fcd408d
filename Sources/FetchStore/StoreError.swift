package import FetchModel

/// The reason why the store rejected a request. Nothing of the request has been stored.
package struct StoreError: Error, Equatable, Sendable {
  package enum Code: String, Sendable {
    /// Another process writes to this store.
    case locked
    /// The disk, or the store's own size limit, is full.
    case full
    case readOnly
    /// There is no store at that path.
    case missing
    /// Damaged, or not a fetchrun store at all.
    case corrupt
    /// Written by a newer fetchrun.
    case newer
    /// The store's files were deleted, replaced or truncated while it was open.
    case replaced
    /// The disk fails, or the folder cannot be used.
    case unreachable
    /// Another run of that job has not ended.
    case jobRunning
    /// The store has no job of that name.
    case unknownJob
    /// The store was closed.
    case closed
    /// The request itself cannot be stored.
    case rejected
  }

  package var code: Code
  /// One sentence: what happened, to which file, and what to do. It has no final period.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension StoreError {
  /// The error as the failure of a run that could not begin or could not be stored.
  package var failure: Failure {
    let isLasting = code == .corrupt || code == .newer || code == .rejected
    return Failure(.storeUnavailable, message, retryable: !isLasting)
  }
}

extension StoreError: CustomStringConvertible {
  package var description: String { message }
}

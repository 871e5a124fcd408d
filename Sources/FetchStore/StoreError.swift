package import FetchModel
package import FetchValues

/// The reason why a request to a store failed. Nothing of the request has been stored, unless the
/// request was `prune`, or the disk or the connection has failed.
package struct StoreError: Error, Equatable, Sendable {
  package enum Code: String, Sendable {
    /// Another process writes to this store or has locked it, or the database server is too busy.
    case locked
    /// The disk is full, or the store has reached its own maximum size.
    case full
    case readOnly
    /// There is no store at the address.
    case missing
    /// The store is damaged, or the file is not a fetchrun store.
    case corrupt
    /// The store was written by a newer version of fetchrun.
    case newer
    /// The store's files were deleted, replaced or truncated while it was open.
    case replaced
    /// Another process has since opened this store for writing, so this process may not write any
    /// more.
    case fenced
    /// The connection was lost during a commit, and fetchrun could not connect again in time. The
    /// data may be stored or not.
    case inDoubt
    /// The disk or the server fails, or the address cannot be used.
    case unreachable
    /// Another run of the job has not ended.
    case jobRunning
    /// The store has no job with the name.
    case unknownJob
    /// The store was closed.
    case closed
    /// The store cannot accept the request, or the store's format is too old.
    case rejected
  }

  package var code: Code
  /// The message for the user, without a final period. It says what happened.
  package var message: String
  /// Whether an unreachable store connects again by itself when its server is back.
  package var reconnects = false

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension StoreError {
  /// Creates the error for a job whose stored state cannot be read.
  package init(damagedStateOf job: JobName) {
    self.init(
      .rejected,
      "the stored state of the job '\(job)' is damaged: `fetchrun reset` removes the state and the"
        + " items of the job")
  }

  /// The failure of a run that could not begin or could not be stored because of this error.
  package var failure: Failure {
    let isLasting = code == .corrupt || code == .newer || code == .rejected
    return Failure(.storeUnavailable, message, retryable: !isLasting)
  }
}

extension StoreError: CustomStringConvertible {
  package var description: String { message }
}

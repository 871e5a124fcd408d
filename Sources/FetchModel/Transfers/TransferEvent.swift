package import FetchValues

/// An event that can change the state of a transfer.
package enum TransferEvent: Equatable, Sendable {
  /// The service starts an attempt, because a place is free for the transfer.
  case start
  /// The current attempt has written bytes safely to the disk.
  case received(PartialDownload, boot: String?)
  /// The file is complete and has been moved to its final place.
  case finished(PartialDownload, sha256: [UInt8]?)
  /// The attempt failed.
  case failed(AttemptFailure)
  /// The attempt was stopped without a failure. Either the program ends (`until` is nil), or the
  /// budget is used up until the given time.
  case stopped(until: Timestamp?)
  /// The job has no permission for the file, or the job no longer exists.
  case refused(Failure)
  /// A person or a plugin cancelled the transfer.
  case cancel(Failure)
  /// A person requests an immediate retry of the transfer.
  case retry

  package struct AttemptFailure: Equatable, Sendable {
    package var failure: Failure
    /// The number of bytes that the attempt added to the received part and that a later attempt can
    /// keep.
    package var gainedBytes: Int64
    /// Whether the received part was discarded because the file has changed.
    package var hasChanged = false
    /// The earliest time that the server allows for a retry.
    package var notBefore: Timestamp?

    package init(_ failure: Failure, gainedBytes: Int64 = 0) {
      self.failure = failure
      self.gainedBytes = gainedBytes
    }
  }
}

package import FetchValues

/// An event of a transfer.
package enum TransferEvent: Equatable, Sendable {
  /// Its turn has come.
  case start
  /// The bytes safely on the disk, for the current attempt.
  case received(PartialDownload, boot: String?)
  /// The file is complete and in its place.
  case finished(PartialDownload, sha256: [UInt8]?)
  /// The attempt failed.
  case failed(AttemptFailure)
  /// The attempt was stopped without a fault: the program ends, or the budget is spent until then.
  case stopped(until: Timestamp?)
  /// The job may not have the file, or no longer exists.
  case refused(Failure)
  /// A person or plugin cancelled it.
  case cancel(Failure)
  /// A person wants it retried now.
  case retry

  package struct AttemptFailure: Equatable, Sendable {
    package var failure: Failure
    /// The resumable bytes that the attempt added.
    package var gainedBytes: Int64
    /// Whether the part was discarded because the file has changed.
    package var hasChanged = false
    /// The earliest time of a retry that the server allows.
    package var notBefore: Timestamp?

    package init(_ failure: Failure, gainedBytes: Int64 = 0) {
      self.failure = failure
      self.gainedBytes = gainedBytes
    }
  }
}

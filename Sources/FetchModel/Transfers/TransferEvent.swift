package import FetchValues

/// What happens to a transfer.
package enum TransferEvent: Equatable, Sendable {
  /// Its turn has come.
  case start
  /// What lies on the disk now, for good; of the attempt under way.
  case received(PartialDownload, boot: String?)
  /// The file is in its place.
  case finished(PartialDownload, sha256: [UInt8]?)
  /// The attempt ended without it.
  case failed(AttemptFailure)
  /// The attempt was broken off, by nobody's fault: the program ends, or the budget is spent until
  /// then.
  case stopped(until: Timestamp?)
  /// The job may not have it, or is gone.
  case refused(Failure)
  /// Somebody wants it no more.
  case cancel(Failure)
  /// Somebody wants it tried now.
  case retry

  package struct AttemptFailure: Equatable, Sendable {
    package var failure: Failure
    /// What the attempt added to what can be gone on from.
    package var gainedBytes: Int64
    /// Whether what was there was thrown away since the file was another one.
    package var hasChanged = false
    /// Not before; the server's wish.
    package var notBefore: Timestamp?

    package init(_ failure: Failure, gainedBytes: Int64 = 0) {
      self.failure = failure
      self.gainedBytes = gainedBytes
    }
  }
}

package import FetchModel

/// What one attempt at a transfer came to.
package enum TransferAttemptEnd: Equatable, Sendable {
  /// The file is in its place; its hash where one was asked for.
  case finished(PartialDownload, sha256: [UInt8]?)
  case failed(TransferEvent.AttemptFailure)
  /// Broken off: cancelled, or not admitted any more.
  case stopped
}

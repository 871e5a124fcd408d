import FetchModel

/// The receivers of a transfer's progress. Both are called on the engine's thread and may not
/// block.
struct TransferWatch: Sendable {
  /// Receives the number of bytes that have arrived; returns false to pause the transfer.
  var admit: @Sendable (Int) -> Bool
  /// Receives the state of the partial file, to be made durable and stored soon.
  var keep: @Sendable (PartialDownload) -> Void
}

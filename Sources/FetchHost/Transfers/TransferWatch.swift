import FetchModel

/// The receivers of a transfer's progress, on the engine's thread: neither may wait.
struct TransferWatch: Sendable {
  /// Reports received bytes; returning false pauses the transfer.
  var admit: @Sendable (Int) -> Bool
  /// Receives the state of the partial file, to be made durable and stored soon.
  var keep: @Sendable (PartialDownload) -> Void
}

import FetchModel

/// Who hears of a transfer's progress, on the engine's thread: neither may wait for anything.
struct TransferWatch: Sendable {
  /// So many bytes have come. False lets the transfer pause.
  var admit: @Sendable (Int) -> Bool
  /// How the partial file stands; to be made durable and written down soon.
  var keep: @Sendable (PartialDownload) -> Void
}

/// An action that the transfer service must take for a transfer. The service takes actions in the
/// order of the list.
package enum TransferAction: Equatable, Sendable {
  /// Store the changed record. This action comes before all others.
  case store
  /// Start an attempt to download.
  case fetch
  /// Stop the current attempt.
  case stop
  /// Remove the files of the unfinished download from the disk.
  case discard
  /// Notify the plugin that the transfer has ended.
  case tell
}

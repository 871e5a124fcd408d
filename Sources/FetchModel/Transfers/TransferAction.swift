/// An action for a transfer; actions are done in this order.
package enum TransferAction: Equatable, Sendable {
  /// Store the changed record, before anything else.
  case store
  /// Start an attempt.
  case fetch
  /// Stop the current attempt.
  case stop
  /// Remove its files from the disk.
  case discard
  /// Notify the plugin of its end.
  case tell
}

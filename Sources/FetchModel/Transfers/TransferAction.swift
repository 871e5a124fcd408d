/// What is to be done for a transfer, in this order.
package enum TransferAction: Equatable, Sendable {
  /// The record has changed: write it down before anything else is done.
  case store
  /// Begin an attempt.
  case fetch
  /// Break off the attempt that is under way.
  case stop
  /// Take away what lies on the disk of it.
  case discard
  /// The plugin is to hear of its end.
  case tell
}

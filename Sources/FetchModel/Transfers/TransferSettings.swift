/// The limits that all transfers share, from `transfers` in the config.
package struct TransferSettings: Equatable, Sendable {
  /// The maximum number of concurrent transfers.
  package var atOnceMax = 4
  package var order = TransferOrder.queued
  /// The maximum number of bytes per second for all transfers together; nil for no limit.
  package var bytesPerSecondMax: Int64?

  package static let atOnceAllowed = 1...64
  /// The minimum value of `bytesPerSecondMax`, because a slower transfer cannot be distinguished
  /// from a stalled transfer.
  package static let bytesPerSecondMin: Int64 = 10_000

  package init() {}
}

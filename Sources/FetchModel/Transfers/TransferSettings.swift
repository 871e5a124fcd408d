/// The shared limits of transfers: the config's `transfers`.
package struct TransferSettings: Equatable, Sendable {
  /// The most concurrent transfers.
  package var atOnceMax = 4
  package var order = TransferOrder.queued
  /// The most bytes a second of all transfers together; nil for no limit.
  package var bytesPerSecondMax: Int64?

  package static let atOnceAllowed = 1...64
  /// A slower transfer cannot be distinguished from a stalled one.
  package static let bytesPerSecondMin: Int64 = 10_000

  package init() {}
}

/// How transfers share what there is: the config's `transfers`.
package struct TransferSettings: Equatable, Sendable {
  /// Under way at once.
  package var atOnceMax = 4
  package var order = TransferOrder.queued
  /// Bytes a second, all together; nil is as fast as it goes.
  package var bytesPerSecondMax: Int64?

  package static let atOnceAllowed = 1...64
  /// What is slower cannot be told from a stalled one.
  package static let bytesPerSecondMin: Int64 = 10_000

  package init() {}
}

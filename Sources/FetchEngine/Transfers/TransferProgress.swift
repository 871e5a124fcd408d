/// The overall progress of the transfers that this command carries out.
package struct TransferProgress: Equatable, Sendable {
  package var runningCount = 0
  /// The number of pending transfers, including those under way.
  package var pendingCount = 0
  package var receivedBytes: Int64 = 0
  /// The total size of all pending transfers in bytes; nil if the size of any of these transfers is
  /// unknown.
  package var totalBytes: Int64?

  package init() {}

  /// Adds a pending transfer. Servers and plugins may state any size, so a sum larger than any disk
  /// counts as unknown.
  package mutating func add(totalBytes other: Int64?) {
    guard let sum = totalBytes, let other else { return totalBytes = nil }
    let (all, isTooMuch) = sum.addingReportingOverflow(other)
    totalBytes = isTooMuch ? nil : all
  }
}

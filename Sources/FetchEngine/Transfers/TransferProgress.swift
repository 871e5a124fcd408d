/// How the transfers that this command carries out stand together.
package struct TransferProgress: Equatable, Sendable {
  package var runningCount = 0
  /// Pending, those under way included.
  package var pendingCount = 0
  package var receivedBytes: Int64 = 0
  /// Of all that are pending; nil where one of them is not known.
  package var totalBytes: Int64?

  package init() {}

  /// One more that is pending. Servers and plugins say what they like: a sum that no disk holds is not
  /// known either.
  package mutating func add(totalBytes other: Int64?) {
    guard let sum = totalBytes, let other else { return totalBytes = nil }
    let (all, isTooMuch) = sum.addingReportingOverflow(other)
    totalBytes = isTooMuch ? nil : all
  }
}

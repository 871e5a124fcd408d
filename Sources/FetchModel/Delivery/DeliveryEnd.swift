package import FetchValues

/// The result of one attempt to deliver a batch.
package enum DeliveryEnd: Equatable, Sendable {
  case delivered
  case failed(DeliveryFailure)
  /// Nothing was sent. The delivery waits until the given time, and the attempt does not count as a
  /// failure. The text is the reason.
  case postponed(String, until: Timestamp)
  /// Nothing was sent because the hook cannot be used now, for the given reason. The delivery
  /// waits, and this process checks the hook again at `lookAgainAt`. Another process makes its own
  /// check, because the hook may work in that process.
  case held(String, lookAgainAt: Timestamp)
  /// The first `toldCount` deliveries of the batch succeeded. The second value is the result of the
  /// remaining deliveries.
  indirect case partly(toldCount: Int, DeliveryEnd)

  /// Returns this result for the rest of a batch whose first `toldCount` deliveries succeeded.
  package func after(toldCount: Int) -> DeliveryEnd {
    toldCount > 0 ? .partly(toldCount: toldCount, self) : self
  }
}

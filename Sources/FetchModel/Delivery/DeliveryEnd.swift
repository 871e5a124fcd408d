package import FetchValues

/// The result of one attempt.
package enum DeliveryEnd: Equatable, Sendable {
  case delivered
  case failed(DeliveryFailure)
  /// Nothing was sent; it waits until then, and this does not count as a failure.
  case postponed(String, until: Timestamp)
  /// Nothing was sent because the hook cannot be used now. The delivery waits for that, and this
  /// process checks again at `lookAgainAt`. Another process checks for itself, because the hook may
  /// work there.
  case held(String, lookAgainAt: Timestamp)
  /// The first `toldCount` deliveries of the batch succeeded, and the others ended like this.
  indirect case partly(toldCount: Int, DeliveryEnd)

  /// Returns this result after that many successful deliveries.
  package func after(toldCount: Int) -> DeliveryEnd {
    toldCount > 0 ? .partly(toldCount: toldCount, self) : self
  }
}

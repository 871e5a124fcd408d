package import FetchValues

/// What became of one attempt to deliver.
package enum DeliveryEnd: Equatable, Sendable {
  case delivered
  case failed(DeliveryFailure)
  /// Nothing was tried: it waits at least until then, and not as one that fails.
  case postponed(String, until: Timestamp)
  /// Nothing was tried, since the hook itself is not to be used as it is now: it waits for that, and
  /// this process looks again then. Another one has its own look: the hook may be well there.
  case held(String, lookAgainAt: Timestamp)
  /// So many deliveries, the first of the batch, were delivered, and this became of the others.
  indirect case partly(toldCount: Int, DeliveryEnd)

  /// This, where so many were delivered before.
  package func after(toldCount: Int) -> DeliveryEnd {
    toldCount > 0 ? .partly(toldCount: toldCount, self) : self
  }
}

/// What became of one attempt to deliver.
package enum DeliveryEnd: Equatable, Sendable {
  case delivered
  case failed(DeliveryFailure)
  /// Nothing was tried: it waits at least until then, and not as one that fails.
  case postponed(String, until: Timestamp)
}

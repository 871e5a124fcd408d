/// What became of one attempt to deliver.
package enum DeliveryEnd: Equatable, Sendable {
  case delivered
  case failed(DeliveryFailure)
}

package import FetchModel

/// The target of one hook's deliveries. The sink is called for one batch of each delivery order at
/// a time. Cancelling the task ends the delivery with a failure that can be retried.
package protocol DeliverySink: Sendable {
  func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd
}

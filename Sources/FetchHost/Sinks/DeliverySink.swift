package import FetchModel

/// The target of one hook's deliveries. Called for one batch at a time of each delivery order; a
/// cancelled task ends as a failure that can be retried.
package protocol DeliverySink: Sendable {
  func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd
}

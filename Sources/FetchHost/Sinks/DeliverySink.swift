package import FetchModel

/// Where deliveries of one hook go. Called for one batch at a time of each order of deliveries; a
/// cancelled task ends as a failure that can be retried.
package protocol DeliverySink: Sendable {
  func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd
}

package import FetchModel

/// The target of one hook's deliveries. For each job, and for the hook's digests, the sink is
/// called for one batch at a time. If the task is cancelled, a sink may end the delivery early with
/// a failure that can be retried.
package protocol DeliverySink: Sendable {
  func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd
}

/// A sink that refuses each delivery with the same reason. The deliveries can be retried.
package struct RefusingSink: DeliverySink {
  private let why: String

  package init(_ why: String) { self.why = why }

  package func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
    .failed(DeliveryFailure(why))
  }
}

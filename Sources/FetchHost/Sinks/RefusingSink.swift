package import FetchModel

/// Refuses each delivery with the same reason. The deliveries are retried later.
package struct RefusingSink: DeliverySink {
  private let why: String

  package init(_ why: String) { self.why = why }

  package func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
    .failed(DeliveryFailure(why))
  }
}

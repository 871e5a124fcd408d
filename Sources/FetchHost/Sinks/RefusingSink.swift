package import FetchModel

/// Refuses deliveries with a reason; they wait.
package struct RefusingSink: DeliverySink {
  private let why: String

  package init(_ why: String) { self.why = why }

  package func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
    .failed(DeliveryFailure(why))
  }
}

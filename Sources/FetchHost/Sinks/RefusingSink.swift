package import FetchModel

/// Takes nothing, and says why; what it was given waits.
package struct RefusingSink: DeliverySink {
  private let why: String

  package init(_ why: String) { self.why = why }

  package func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
    .failed(DeliveryFailure(why))
  }
}

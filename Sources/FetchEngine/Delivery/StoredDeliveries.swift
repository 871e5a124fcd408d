package import FetchModel
package import FetchStore
package import FetchValues

/// Deliveries of a store that no service works on.
package struct StoredDeliveries: DeliveryControl {
  private let store: any Store
  private let rates: HookRates
  private let now: @Sendable () -> Timestamp

  /// - Parameter rates: of whoever goes on with the store, as far as they are known.
  package init(
    store: any Store, rates: HookRates = .unknown, now: @escaping @Sendable () -> Timestamp
  ) {
    self.store = store
    self.rates = rates
    self.now = now
  }

  package func retry(_ id: Int64) async throws(StoreError) -> Delivery? {
    try await store.revive(id)
  }

  package func drop(_ id: Int64) async throws(StoreError) -> Delivery? {
    guard let delivery = try await store.deliveries([id]).first else { return nil }
    try await store.removeDeliveries([id])
    return delivery
  }

  package func waiting(of hook: String) async throws(StoreError) -> [Delivery] {
    try await store.waiting(of: hook)
  }

  package func rateOpensAt(for id: Int64) async throws(StoreError) -> Timestamp? {
    guard let hook = try await store.deliveries([id]).first?.hook else { return nil }
    return rates.openings(of: try await store.paces(of: [hook]), now: now())[hook]
  }
}

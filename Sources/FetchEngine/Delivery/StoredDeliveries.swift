package import FetchModel
package import FetchStore
package import FetchStoreSQLite
package import FetchValues

/// Deliveries of a store that no service works on.
package struct StoredDeliveries: DeliveryControl {
  private let store: SQLiteStore
  private let rates: HookRates
  private let now: @Sendable () -> Timestamp

  /// - Parameter rates: of whoever goes on with the store, as far as they are known.
  package init(
    store: SQLiteStore, rates: HookRates = .unknown, now: @escaping @Sendable () -> Timestamp
  ) {
    self.store = store
    self.rates = rates
    self.now = now
  }

  package func retry(_ id: Int64) async throws(StoreError) -> Delivery? {
    try await store.revive(id, now: now())
  }

  package func drop(_ id: Int64) async throws(StoreError) -> Delivery? {
    guard let delivery = try store.reader.deliveries([id]).first else { return nil }
    try await store.removeDeliveries([id])
    return delivery
  }

  package func waiting(of hook: String) throws(StoreError) -> [Delivery] {
    try store.reader.waiting(of: hook)
  }

  package func rateOpensAt(for id: Int64) throws(StoreError) -> Timestamp? {
    guard let hook = try store.reader.deliveries([id]).first?.hook else { return nil }
    return rates.openings(of: try store.reader.keptPaces(of: [hook]), now: now())[hook]
  }
}

extension StoreReader {
  /// The paces that were kept, by their hooks: see `HookRates`.
  package func keptPaces(of hooks: Set<String>) throws(StoreError) -> [String: [UInt8]] {
    var paces: [String: [UInt8]] = [:]
    for hook in hooks { paces[hook] = try ledgerEntry(DeliveryPace.ledgerName(hook)) }
    return paces
  }

  func waiting(of hook: String) throws(StoreError) -> [Delivery] {
    try listedDeliveries(onlyDead: false, hook: hook)
      .filter { $0.state == .pending && $0.failure != nil }
  }
}

extension SQLiteStore {
  /// A delivery as if it had never failed; nil when there is none of that id.
  func revive(_ id: Int64, now: Timestamp) async throws(StoreError) -> Delivery? {
    guard var delivery = try reader.deliveries([id]).first else { return nil }
    delivery.state = .pending
    delivery.attemptCount = 0
    delivery.failingSince = nil
    delivery.nextAttemptAt = nil
    delivery.failure = nil
    try await update([delivery])
    return delivery
  }
}

package import FetchModel
package import FetchStore
package import FetchValues
import Synchronization

/// What people ask.
extension DeliveryService: DeliveryControl {
  /// Lets a delivery that waits or was given up go out now; nil when there is none of that id.
  package func retry(_ id: Int64) async throws(StoreError) -> Delivery? {
    guard let revived = try await setup.store.revive(id) else { return nil }
    var waiting = revived
    waiting.payload = ""
    state.withLock { state in
      state.forced.insert(id)
      state.queue.add(waiting)
      // Its hook may be one of a rate that has not been asked for.
      state.isStale = true
    }
    poke()
    return revived
  }

  package func waiting(of hook: String) async throws(StoreError) -> [Delivery] {
    try await setup.store.waiting(of: hook)
  }

  package func rateOpensAt(for id: Int64) async throws(StoreError) -> Timestamp? {
    guard let hook = try await setup.store.deliveries([id]).first?.hook else { return nil }
    return try await rateOpensAt(of: hook)
  }

  /// Takes a delivery out of the outbox; nil when there is none of that id.
  package func drop(_ id: Int64) async throws(StoreError) -> Delivery? {
    guard let delivery = try await setup.store.deliveries([id]).first else { return nil }
    try await setup.store.removeDeliveries([id])
    state.withLock { $0.queue.remove([id]) }
    poke()
    return delivery
  }
}

package import FetchModel
package import FetchStore
import FetchValues

extension OutboxStore {
  /// Writes a delivery without a run. Two deliveries with the same hook and job need different
  /// keys.
  package func add(_ delivery: NewDelivery) async throws(StoreError) {
    let number = delivery.key.utf8.reduce(Int64(1)) { ($0 &* 31 &+ Int64($1)) & 0xFFFF_FFFF }
    _ = try await notifyStale(
      delivery, what: .success, since: Timestamp(milliseconds: number))
  }
}

package import FetchModel
package import FetchValues

/// The deliveries of hooks. Most are written by `RunStore.commit`, with the run that they are about.
package protocol OutboxReading: Sendable {
  /// Returns what waits to be delivered and comes after that id, in its order; without the payloads.
  func pendingDeliveries(after id: Int64) async throws(StoreError) -> [Delivery]

  /// Returns these deliveries, as far as they exist, in the order of `ids`, with their payloads.
  func deliveries(_ ids: [Int64]) async throws(StoreError) -> [Delivery]

  /// Returns the deliveries that were given up, or all; of one hook, or of all; without the payloads.
  func listedDeliveries(onlyDead: Bool, hook: String?) async throws(StoreError) -> [Delivery]

  /// Returns how many deliveries wait, and how many were given up.
  func deliveryCounts() async throws(StoreError) -> (pending: Int, dead: Int)

  /// Returns the encoded paces of those hooks that have one: see `DeliveryPace`.
  func paces(of hooks: Set<String>) async throws(StoreError) -> [String: [UInt8]]

  /// Returns since when jobs have been seen to wait for their runs: see `OutboxStore.setWaits`.
  func waits() async throws(StoreError) -> [ExactText: Timestamp]

  /// Returns the configs that used the store, which say whose deliveries are whose.
  func configs() async throws(StoreError) -> StoreConfigs
}

/// The deliveries of a store, for those who carry them out.
package protocol OutboxStore: OutboxReading {
  /// Writes down how deliveries stand; those that are gone are passed over.
  func update(_ deliveries: [Delivery]) async throws(StoreError)

  /// Gives deliveries other times, by their ids; those that were tried or put into a digest since keep
  /// theirs.
  func setDeliveryTimes(_ times: [Int64: Timestamp?]) async throws(StoreError)

  /// Removes deliveries from the outbox: they were delivered, or nobody wants them.
  func removeDeliveries(_ ids: [Int64]) async throws(StoreError)

  /// Keeps the encoded pace of a hook; nil removes it.
  func setPace(_ pace: [UInt8]?, of hook: String) async throws(StoreError)

  /// Writes the delivery that notifies a hook of a stale job, unless it was written before; whether it
  /// was written now. One hook is notified of one job once for each `what` and `since`, by whichever
  /// process comes first.
  func notifyStale(
    _ delivery: NewDelivery, what: StaleRule.What, since: Timestamp
  ) async throws(StoreError) -> Bool

  /// Returns when each of these jobs was first seen; that is `now` for those that were never asked for.
  func firstSeen(
    _ jobs: [String], now: Timestamp
  ) async throws(StoreError) -> [String: Timestamp]

  /// Keeps since when jobs have been seen to wait for their runs, in place of what was kept.
  func setWaits(_ waits: [ExactText: Timestamp]) async throws(StoreError)

  /// Keeps the configs that used the store, in place of what was kept.
  func setConfigs(_ configs: StoreConfigs) async throws(StoreError)
}

extension OutboxStore {
  /// Makes a delivery as if it had never failed, and returns it; nil where there is none of that id.
  package func revive(_ id: Int64) async throws(StoreError) -> Delivery? {
    guard var delivery = try await deliveries([id]).first else { return nil }
    delivery.state = .pending
    delivery.attemptCount = 0
    delivery.failingSince = nil
    delivery.nextAttemptAt = nil
    delivery.failure = nil
    try await update([delivery])
    return delivery
  }
}

extension OutboxReading {
  /// Returns what waits of a hook because something kept it from going out.
  package func waiting(of hook: String) async throws(StoreError) -> [Delivery] {
    try await listedDeliveries(onlyDead: false, hook: hook)
      .filter { $0.state == .pending && $0.failure != nil }
  }
}

package import FetchModel
package import FetchValues

/// The deliveries of hooks. `RunStore.commit` writes most of them, together with their run.
package protocol OutboxReading: Sendable {
  /// Returns the pending deliveries after that id, in order of their ids, without payloads.
  func pendingDeliveries(after id: Int64) async throws(StoreError) -> [Delivery]

  /// Returns those of the deliveries that exist, in the order of `ids`, with payloads.
  func deliveries(_ ids: [Int64]) async throws(StoreError) -> [Delivery]

  /// Returns all or only the dead deliveries of one hook or all hooks, without payloads.
  func listedDeliveries(onlyDead: Bool, hook: String?) async throws(StoreError) -> [Delivery]

  /// Returns the numbers of pending and dead deliveries.
  func deliveryCounts() async throws(StoreError) -> (pending: Int, dead: Int)

  /// Returns the encoded paces of the hooks that have one: see `DeliveryPace`.
  func paces(of hooks: Set<String>) async throws(StoreError) -> [String: [UInt8]]

  /// Returns since when jobs have been waiting for their runs: see `OutboxStore.setWaits`.
  func waits() async throws(StoreError) -> [ExactText: Timestamp]

  /// Returns the configs that used the store; they decide to which config a delivery belongs.
  func configs() async throws(StoreError) -> StoreConfigs
}

/// Writes the deliveries of a store.
package protocol OutboxStore: OutboxReading {
  /// Stores the states of deliveries; ignores deliveries that no longer exist.
  func update(_ deliveries: [Delivery]) async throws(StoreError)

  /// Sets new times for deliveries, by their ids. A delivery that was since attempted or put into a
  /// digest keeps its time.
  func setDeliveryTimes(_ times: [Int64: Timestamp?]) async throws(StoreError)

  /// Removes delivered or unwanted deliveries from the outbox.
  func removeDeliveries(_ ids: [Int64]) async throws(StoreError)

  /// Stores the encoded pace of a hook; nil removes it.
  func setPace(_ pace: [UInt8]?, of hook: String) async throws(StoreError)

  /// Writes the delivery that notifies a hook of a stale job, unless it exists; returns whether it
  /// wrote one. A hook is notified of a job once for each `what` and `since`, by the first process.
  func notifyStale(
    _ delivery: NewDelivery, what: StaleRule.What, since: Timestamp
  ) async throws(StoreError) -> Bool

  /// Returns when each of these jobs was first seen; a job that was never queried is first seen
  /// now.
  func firstSeen(
    _ jobs: [String], now: Timestamp
  ) async throws(StoreError) -> [String: Timestamp]

  /// Replaces the stored times since when jobs have been waiting for their runs.
  func setWaits(_ waits: [ExactText: Timestamp]) async throws(StoreError)

  /// Replaces the stored configs that used the store.
  func setConfigs(_ configs: StoreConfigs) async throws(StoreError)
}

extension OutboxStore {
  /// Makes a delivery pending again without failures, and returns it; nil if it does not exist.
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
  /// Returns the pending deliveries of a hook that an obstacle delayed.
  package func waiting(of hook: String) async throws(StoreError) -> [Delivery] {
    try await listedDeliveries(onlyDead: false, hook: hook)
      .filter { $0.state == .pending && $0.failure != nil }
  }
}

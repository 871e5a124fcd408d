package import FetchModel
package import FetchValues

/// The functions that read the deliveries of hooks. `RunStore.commit` and `OutboxStore.notifyStale`
/// write new deliveries.
package protocol OutboxReading: Sendable {
  /// Returns the pending deliveries whose ids are higher than `id`, in the order of their ids,
  /// without payloads.
  func pendingDeliveries(after id: Int64) async throws(StoreError) -> [Delivery]

  /// Returns the deliveries with these ids, in the order of `ids`, with payloads. Leaves out
  /// deliveries that do not exist.
  func deliveries(_ ids: [Int64]) async throws(StoreError) -> [Delivery]

  /// Returns the deliveries of one hook or of all hooks, without payloads. If `onlyDead` is true,
  /// returns only dead deliveries.
  func listedDeliveries(onlyDead: Bool, hook: HookName?) async throws(StoreError) -> [Delivery]

  /// Returns how many deliveries are pending and how many are dead.
  func deliveryCounts() async throws(StoreError) -> (pending: Int, dead: Int)

  /// Returns the encoded paces of those hooks that have a pace: see `DeliveryPace`.
  func paces(of hooks: Set<HookName>) async throws(StoreError) -> [HookName: [UInt8]]

  /// Returns the times since which jobs have been waiting for their runs: see
  /// `OutboxStore.setWaits`.
  func waits() async throws(StoreError) -> [JobName: Timestamp]

  /// Returns the configs that have used the store.
  func configs() async throws(StoreError) -> StoreConfigs
}

/// The functions that write the deliveries of a store.
package protocol OutboxStore: OutboxReading {
  /// Stores the states of deliveries. Ignores deliveries that no longer exist.
  func update(_ deliveries: [Delivery]) async throws(StoreError)

  /// Sets the times of the next attempts at deliveries, by delivery id. A delivery that is dead,
  /// was already attempted, has failed or was put into a digest keeps its time.
  func setDeliveryTimes(_ times: [Int64: Timestamp?]) async throws(StoreError)

  /// Removes deliveries from the outbox.
  func removeDeliveries(_ ids: [Int64]) async throws(StoreError)

  /// Stores the encoded pace of a hook. Nil removes the stored pace.
  func setPace(_ pace: [UInt8]?, of hook: HookName) async throws(StoreError)

  /// Writes a delivery that notifies a hook of a stale job. Writes nothing if the last such
  /// delivery for this hook, job and `what` had the same `since`. Returns whether the delivery was
  /// written.
  func notifyStale(
    _ delivery: NewDelivery, what: StaleRule.What, since: Timestamp
  ) async throws(StoreError) -> Bool

  /// Returns the time at which each job was first given to this function. The time is `now` for a
  /// new job.
  func firstSeen(
    _ jobs: [JobName], now: Timestamp
  ) async throws(StoreError) -> [JobName: Timestamp]

  /// Replaces the stored times since which jobs have been waiting for their runs.
  func setWaits(_ waits: [JobName: Timestamp]) async throws(StoreError)

  /// Replaces the stored configs that used the store.
  func setConfigs(_ configs: StoreConfigs) async throws(StoreError)
}

extension OutboxStore {
  /// Makes a delivery pending again, without failures, and returns it. Returns nil if the delivery
  /// does not exist.
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
  /// Returns a hook's pending deliveries that a failure has delayed.
  package func waiting(of hook: HookName) async throws(StoreError) -> [Delivery] {
    try await listedDeliveries(onlyDead: false, hook: hook)
      .filter { $0.state == .pending && $0.failure != nil }
  }
}

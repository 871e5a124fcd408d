package import FetchModel
package import FetchStore
package import FetchValues

extension MemoryStore {
  package func pendingDeliveries(after id: Int64) throws(StoreError) -> [Delivery] {
    try listed { $0.state == .pending && $0.id > id }
  }

  package func deliveries(_ ids: [Int64]) throws(StoreError) -> [Delivery] {
    try with { state in ids.compactMap { state.outbox[$0] } }
  }

  package func listedDeliveries(
    onlyDead: Bool, hook: HookName?
  ) throws(StoreError) -> [Delivery] {
    try listed { delivery in
      (!onlyDead || delivery.state == .dead) && (hook.map { $0 == delivery.hook } ?? true)
    }
  }

  private func listed(
    _ isWanted: @Sendable (Delivery) -> Bool
  ) throws(StoreError) -> [Delivery] {
    let all = try with { $0.outbox.values.sorted { $0.id < $1.id } }
    return all.filter(isWanted).map { delivery in
      var delivery = delivery
      delivery.payload = ""
      return delivery
    }
  }

  package func deliveryCounts() throws(StoreError) -> (pending: Int, dead: Int) {
    let all = try listed { _ in true }
    let pending = all.count { $0.state == .pending }
    return (pending, all.count - pending)
  }

  package func paces(of hooks: Set<HookName>) throws(StoreError) -> [HookName: [UInt8]] {
    try with { $0.paces.filter { hooks.contains($0.key) } }
  }

  package func waits() throws(StoreError) -> [JobName: Timestamp] { try with { $0.waits } }

  package func update(_ deliveries: [Delivery]) throws(StoreError) {
    try with { state in
      for delivery in deliveries {
        guard var stored = state.outbox[delivery.id] else { continue }
        stored.state = delivery.state
        stored.digest = delivery.digest
        stored.attemptCount = delivery.attemptCount
        stored.failingSince = delivery.failingSince
        stored.nextAttemptAt = delivery.nextAttemptAt
        stored.failure = delivery.failure
        state.outbox[delivery.id] = stored
      }
    }
  }

  package func setDeliveryTimes(_ times: [Int64: Timestamp?]) throws(StoreError) {
    try with { state in
      for (id, time) in times {
        guard let stored = state.outbox[id], stored.state == .pending, stored.digest == nil,
          stored.attemptCount == 0, stored.failure == nil
        else { continue }
        state.outbox[id]?.nextAttemptAt = time
      }
    }
  }

  package func removeDeliveries(_ ids: [Int64]) throws(StoreError) {
    try with { state in for id in ids { state.outbox[id] = nil } }
  }

  package func setPace(_ pace: [UInt8]?, of hook: HookName) throws(StoreError) {
    try with { $0.paces[hook] = pace }
  }

  package func notifyStale(
    _ delivery: NewDelivery, what: StaleRule.What, since: Timestamp
  ) throws(StoreError) -> Bool {
    try with { state in
      let name = "\(what.rawValue) \(delivery.hook) \(delivery.job)"
      if state.staleMarks[name] == since { return false }
      state.staleMarks[name] = since
      state.add(delivery, firstSequence: 0)
      return true
    }
  }

  package func firstSeen(
    _ jobs: [JobName], now: Timestamp
  ) throws(StoreError) -> [JobName: Timestamp] {
    try with { state in
      var seen: [JobName: Timestamp] = [:]
      for job in jobs {
        let time = state.firstSeen[job] ?? now
        state.firstSeen[job] = time
        seen[job] = time
      }
      return seen
    }
  }

  package func configs() throws(StoreError) -> StoreConfigs { try with { $0.configs } }

  package func setConfigs(_ configs: StoreConfigs) throws(StoreError) {
    try with { $0.configs = configs }
  }

  package func setWaits(_ waits: [JobName: Timestamp]) throws(StoreError) {
    try with { $0.waits = waits }
  }
}

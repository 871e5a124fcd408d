import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Synchronization

extension DeliveryService {
  func attempt(_ start: DeliveryQueue.Start) async {
    do throws(StoreError) {
      try await keepPace(of: start.hook)
      if start.isNewDigest {
        try await setup.store.update(start.deliveries)
        state.withLock { state in for made in start.deliveries { state.queue.replace(made) } }
      }
      let ids = start.deliveries.map(\.id)
      if try await removeTold(among: ids) { return }
      let deliveries = try await setup.store.deliveries(ids).filter { $0.state == .pending }
      let gone = Set(ids).subtracting(deliveries.map(\.id))
      if !gone.isEmpty { state.withLock { $0.queue.remove(gone) } }
      // Without a sink, the config no longer has the hook. The deliveries stay in the queue, since
      // the next config may have it again.
      guard var batch = DeliveryBatch(deliveries, isDigest: start.isDigest),
        let sink = sink(of: start.hook)
      else { return }
      batch.isForced = state.withLock { state in ids.contains { state.forced.remove($0) != nil } }
      try await settle(await sink.deliver(batch), deliveries, start)
    } catch {
      setup.events.emit(
        .storeRefused(.delivery(hook: start.hook, retryAfter: Self.storeRest), error))
      // The deliveries keep their place in the queue, so later deliveries do not overtake them.
      let until = setup.time.now() + Self.storeRest
      state.withLock { $0.queue.delay(Set(start.deliveries.map(\.id)), until: until) }
    }
  }

  /// The time until the next attempt, after the store refused a read or a write.
  private static let storeRest: Duration = .seconds(30)

  /// Removes the already sent deliveries among `ids` from the store. Returns whether there were
  /// any. If the store refuses the removal, these deliveries stay in `told`, so that this process
  /// does not send them again.
  private func removeTold(among ids: [Int64]) async throws(StoreError) -> Bool {
    let told = state.withLock { $0.told.intersection(ids) }
    if told.isEmpty { return false }
    try await setup.store.removeDeliveries(told.sorted())
    state.withLock { state in
      state.told.subtract(told)
      state.queue.remove(told)
    }
    return true
  }

  /// - Parameter isPartlyTold: whether the receiver has already accepted other deliveries of this
  ///   attempt.
  private func settle(
    _ end: DeliveryEnd, _ deliveries: [Delivery], _ start: DeliveryQueue.Start,
    isPartlyTold: Bool = false
  ) async throws(StoreError) {
    switch end {
    case .delivered:
      let ids = deliveries.map(\.id)
      state.withLock { state in
        state.told.formUnion(ids)
        state.postponements[start.hook] = nil
      }
      reportDelivered(deliveries, start)
      _ = try await removeTold(among: ids)
    case .partly(let toldCount, let rest):
      // Sent deliveries are recorded first, since they must not be sent again, whatever happens to
      // the other deliveries.
      let told = deliveries.prefix(toldCount).map(\.id)
      state.withLock { $0.told.formUnion(told) }
      reportDelivered(Array(deliveries.prefix(toldCount)), start)
      _ = try await removeTold(among: told)
      let left = Array(deliveries.dropFirst(toldCount))
      try await settle(rest, left, start, isPartlyTold: true)
    case .failed(let failure):
      // An interrupted attempt does not count as failed.
      if Task.isCancelled { return }
      try await note(failure, deliveries, start)
    case .postponed(let reason, let until):
      if Task.isCancelled { return }
      try await postpone(deliveries, reason, until, start.hook)
    case .held(let reason, let lookAgainAt):
      if Task.isCancelled { return }
      try await hold(deliveries, reason, lookAgainAt, start, isPartlyTold)
    }
  }

  private func sink(of name: HookName) -> (any DeliverySink)? {
    let known = state.withLock { state in (state.sinks[name], state.queue.hook(named: name)) }
    if let sink = known.0 { return sink }
    guard let hook = known.1 else { return nil }
    let sink = setup.sinks(hook)
    // The hook may have changed since it was read.
    state.withLock { state in
      if state.queue.hook(named: name) == hook { state.sinks[name] = sink }
    }
    return sink
  }

  private func note(
    _ failure: DeliveryFailure, _ deliveries: [Delivery], _ start: DeliveryQueue.Start
  ) async throws(StoreError) {
    let deadAfter =
      state.withLock { $0.queue.hook(named: start.hook)?.deadAfter }
      ?? HookConfig.deadAfterUnlessSet
    let now = setup.time.now()
    let chance = Double(setup.time.random() >> 11) * 0x1p-53
    let noted = deliveries.map {
      DeliveryRetry.failed($0, failure, deadAfter: deadAfter, now: now, chance: chance)
    }
    try await keep(noted)
    setup.metrics.attempted(start.hook, noted.first?.state == .dead ? .dead : .failed)
    report(noted, failure, isDigest: start.isDigest)
  }

  private func postpone(
    _ deliveries: [Delivery], _ reason: String, _ until: Timestamp, _ name: HookName
  ) async throws(StoreError) {
    try await keep(Self.waiting(deliveries, reason, until: until))
    tellWait(deliveries, reason, name)
  }

  /// Stores the deliveries without a retry time. In this process, they wait at most until
  /// `lookAgainAt`. The next process that uses the store decides with its own config whether the
  /// hook works.
  private func hold(
    _ deliveries: [Delivery], _ reason: String, _ lookAgainAt: Timestamp,
    _ start: DeliveryQueue.Start, _ isPartlyTold: Bool
  ) async throws(StoreError) {
    try await setup.store.update(Self.waiting(deliveries, reason, until: nil))
    state.withLock { state in
      if !isPartlyTold { state.queue.takeBack(start) }
      state.take(Self.waiting(deliveries, reason, until: lookAgainAt))
    }
    try await keepPace(of: start.hook)
    tellWait(deliveries, reason, start.hook)
  }

  private static func waiting(
    _ deliveries: [Delivery], _ reason: String, until: Timestamp?
  ) -> [Delivery] {
    deliveries.map { delivery in
      var delivery = delivery
      delivery.failure = reason
      delivery.nextAttemptAt = until
      return delivery
    }
  }

  private func tellWait(_ deliveries: [Delivery], _ reason: String, _ name: HookName) {
    let isNews = deliveries.contains { $0.failure != reason }
    let isUnreported = state.withLock {
      $0.postponements.updateValue(reason, forKey: name) != reason
    }
    if isNews && isUnreported { setup.events.emit(.deliveriesWait(hook: name, reason: reason)) }
  }

  private func reportDelivered(_ deliveries: [Delivery], _ start: DeliveryQueue.Start) {
    guard let batch = DeliveryBatch(deliveries, isDigest: start.isDigest),
      let hook = state.withLock({ $0.queue.hook(named: start.hook) })
    else { return }
    setup.metrics.attempted(start.hook, .delivered)
    setup.events.emit(.delivered(batch, receiver: hook.sink.receiver))
  }

  private func keep(_ noted: [Delivery]) async throws(StoreError) {
    try await setup.store.update(noted)
    state.withLock { $0.take(noted) }
  }

  /// Emits an event about the deliveries that are given up. Emits another event about the
  /// deliveries whose first attempt failed and that are retried. A digest can have both kinds if a
  /// person has retried a part of the digest.
  private func report(_ noted: [Delivery], _ failure: DeliveryFailure, isDigest: Bool) {
    let dead = noted.filter { $0.state == .dead }
    if let batch = DeliveryBatch(dead, isDigest: isDigest) {
      let command = setup.suggested.command("deliveries")
      setup.events.emit(.deliveryAbandoned(batch, reason: failure.message, command: command))
    }
    let new = noted.filter { $0.state == .pending && $0.attemptCount == 1 }
    if let batch = DeliveryBatch(new, isDigest: isDigest) {
      setup.events.emit(.deliveryRetried(batch, reason: failure.message))
    }
  }
}

import FetchModel
import FetchStore
import FetchStoreSQLite
import Synchronization

/// What the store says before anything begins.
extension DeliveryService {
  /// Reads what is new in the outbox where somebody said that something is, or where it could not be
  /// read before.
  func readOutbox() {
    let now = setup.time.now()
    let isWanted = state.withLock { state in
      defer { state.isStale = false }
      return state.isStale || state.retry.isDue(now)
    }
    guard isWanted else { return }
    do throws(StoreError) {
      try readChanges()
      try readPaces()
      state.withLock { $0.retry = OutboxRetry() }
    } catch {
      // It may have waited long for the store.
      let now = setup.time.now()
      let isFirst = state.withLock { state in
        defer { state.retry.failed(now: now) }
        return state.retry.at == nil
      }
      if isFirst {
        setup.events.emit(.storeRefused(.deliveries, error))
      }
    }
  }

  private func readChanges() throws(StoreError) {
    let new = try setup.store.reader.pendingDeliveries(after: state.withLock { $0.lastID })
    let own = try setup.store.reader.withoutThoseOfOtherConfigs(new)
    state.withLock { state in
      for delivery in own { state.queue.add(delivery) }
      state.lastID = max(state.lastID, new.last?.id ?? 0)
    }
  }

  /// What hooks with a rate have sent before this process: a restart lets no more out.
  private func readPaces() throws(StoreError) {
    for hook in state.withLock({ $0.queue.hooksWithoutPace }) { try readPace(of: hook) }
  }

  func readPace(of hook: String) throws(StoreError) {
    let kept = try setup.store.reader.ledgerEntry(DeliveryPace.ledgerName(hook))
    let pace = kept.flatMap { DeliveryPace(decoding: $0) } ?? DeliveryPace()
    state.withLock { $0.queue.setPace(pace, of: hook) }
  }
}

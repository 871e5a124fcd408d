import FetchModel
import FetchStore
import Synchronization

/// The reading of the store before anything begins.
extension DeliveryService {
  /// Reads the changes of the outbox after a report of changes or after a failed read.
  func readOutbox() async {
    let now = setup.time.now()
    let isWanted = state.withLock { state in
      defer { state.isStale = false }
      return state.isStale || state.isReadDue(now)
    }
    guard isWanted else { return }
    do throws(StoreError) {
      try await readChanges()
      try await readPaces()
      state.withLock { $0.readSucceeded() }
    } catch {
      // The read may have waited long for the store.
      let now = setup.time.now()
      let isFirst = state.withLock { state in
        defer { state.readFailed(now: now) }
        return state.readAgainAt == nil
      }
      if isFirst {
        setup.events.emit(.storeRefused(.deliveries, error))
      }
    }
  }

  private func readChanges() async throws(StoreError) {
    let last = state.withLock { $0.lastID }
    let new = try await setup.store.pendingDeliveries(after: last)
    let own = try await setup.store.withoutThoseOfOtherConfigs(new)
    state.withLock { state in
      for delivery in own { state.queue.add(delivery) }
      state.lastID = max(state.lastID, new.last?.id ?? 0)
    }
  }

  /// Reads what hooks with a rate have sent before this process, so that a restart does not exceed
  /// the rate.
  private func readPaces() async throws(StoreError) {
    for hook in state.withLock({ $0.queue.hooksWithoutPace }) {
      try await readPace(of: hook)
    }
  }

  func readPace(of hook: String) async throws(StoreError) {
    let kept = try await setup.store.paces(of: [hook])
    let pace = kept[hook].flatMap { DeliveryPace(decoding: $0) } ?? DeliveryPace()
    state.withLock { $0.queue.setPace(pace, of: hook) }
  }
}

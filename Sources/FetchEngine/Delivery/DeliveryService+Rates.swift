import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// What hooks with a rate have sent, kept for the next process.
extension DeliveryService {
  /// Before anything is sent: who is killed then has sent one less than is written down, never more.
  func keepPace(of hook: String) async throws(StoreError) {
    let now = setup.time.now()
    guard let pace = state.withLock({ $0.queue.encodedPace(of: hook, now: now) }) else { return }
    try await setup.store.setPace(pace, of: hook)
  }

  /// Until when the rate that a hook has now lets nothing out; nil: it does, or there is none.
  func rateOpensAt(of hook: String) async throws(StoreError) -> Timestamp? {
    if state.withLock({ $0.queue.lacksPace(of: hook) }) { try await readPace(of: hook) }
    let now = setup.time.now()
    return state.withLock { $0.queue.rateOpensAt(of: hook, now: now) }
  }

  // MARK: Other hooks

  /// What is kept says when the rates that hooks have now let the next one out, for who does not know
  /// them; of a hook that has lost its rate nothing is kept.
  func renewKeptPaces() async {
    let areNew = state.withLock { state in
      defer { state.areHooksNew = false }
      return state.areHooksNew
    }
    guard areNew else { return }
    for hook in setup.hooks.all {
      do throws(StoreError) {
        try await renewKeptPace(of: hook)
      } catch {
        setup.events.emit(.storeRefused(.hook(hook.name), error))
      }
    }
  }

  private func renewKeptPace(of hook: HookConfig) async throws(StoreError) {
    guard let kept = try await setup.store.paces(of: [hook.name])[hook.name] else { return }
    guard hook.rate != nil else { return try await setup.store.setPace(nil, of: hook.name) }
    let now = setup.time.now()
    let told = HookRates.unknown.openings(of: [hook.name: kept], now: now)[hook.name]
    if try await rateOpensAt(of: hook.name) != told { try await keepPace(of: hook.name) }
  }
}

extension DeliveryService {
  /// Writes down the times that other settings of hooks give, so that people are shown them. The queue
  /// has them already: a store that does not take them delays nothing.
  func keepNewTimes() async {
    let times = state.withLock { $0.queue.takeRetimed() }
    if times.isEmpty { return }
    do throws(StoreError) {
      try await setup.store.setDeliveryTimes(times)
    } catch {
      setup.events.emit(.storeRefused(.deliveryTimes, error))
    }
  }
}

package import FetchModel
package import FetchStore
import FetchValues
import Glibc
import Synchronization

extension DeliveryService {
  /// Reads new deliveries and missing paces from the store. Does nothing unless `isStale` is true
  /// or a failed read is due again.
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
      // The time is read after the outbox, since reading the store may have taken a long time.
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

  /// Reads the paces that the queue does not have yet. Without these paces, a restart could exceed
  /// the rate.
  private func readPaces() async throws(StoreError) {
    for hook in state.withLock({ $0.queue.hooksWithoutPace }) {
      try await readPace(of: hook)
    }
  }

  func readPace(of hook: HookName) async throws(StoreError) {
    let kept = try await setup.store.paces(of: [hook])
    let pace = kept[hook].flatMap { DeliveryPace(decoding: $0) } ?? DeliveryPace()
    state.withLock { $0.queue.setPace(pace, of: hook) }
  }
}

/// The paces of hooks with a rate. A pace has the start times of a hook's recent delivery attempts.
/// The store keeps the pace for the next process.
extension DeliveryService {
  /// Stores the present pace of a hook that has a rate. An attempt calls this function before it
  /// sends, so that the stored pace includes the attempt even if the process is killed.
  func keepPace(of hook: HookName) async throws(StoreError) {
    let now = setup.time.now()
    guard let pace = state.withLock({ $0.queue.encodedPace(of: hook, now: now) }) else { return }
    try await setup.store.setPace(pace, of: hook)
  }

  /// Returns the time until which the hook's present rate allows no delivery. Returns nil if the
  /// rate allows a delivery now, or if the hook has no rate.
  func rateOpensAt(of hook: HookName) async throws(StoreError) -> Timestamp? {
    if state.withLock({ $0.queue.lacksPace(of: hook) }) { try await readPace(of: hook) }
    let now = setup.time.now()
    return state.withLock { $0.queue.rateOpensAt(of: hook, now: now) }
  }

  // MARK: Other hooks

  /// Updates the stored paces at the start and after the hooks have changed. Processes without the
  /// config use these paces to show when each hook may deliver next. Removes the stored pace of a
  /// hook that no longer has a rate.
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
  /// Stores the delivery times that result from changed settings of hooks, so that people see these
  /// times. The queue has the times already, so nothing is delayed if the store refuses the write.
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

/// The config that used the store before the present config. The file of this earlier config still
/// exists.
package struct EarlierConfig: Equatable, Sendable {
  /// The absolute path of the config, with links resolved.
  package let path: String
  /// The number of waiting deliveries that the config has queued.
  package let waitingCount: Int
}

extension Store {
  /// Records that the config at `path` uses the store from now on. The deliveries that another
  /// config has queued wait until that config uses the store again or its file is gone.
  ///
  /// - Returns: the config that used the store before; nil if there is none or its file is gone, or
  ///   if it is this config.
  package func use(config path: String) async throws(StoreError) -> EarlierConfig? {
    var configs = try await configs()
    let path = path.realPath
    if configs.current == path { return nil }
    let listed = try await listedDeliveries(onlyDead: false, hook: nil)
    let earlier = EarlierConfig(before: path, in: configs, listed)
    configs.use(path, ids: listed.map(\.id))
    try await setConfigs(configs)
    return earlier
  }
}

extension OutboxReading {
  /// Returns the config that used the store last. Returns nil if there is none, if its file is
  /// gone, or if it is the file at `path`.
  package func earlierConfig(than path: String) async throws(StoreError) -> EarlierConfig? {
    let configs = try await configs()
    let path = path.realPath
    guard let current = configs.current, current != path else { return nil }
    return EarlierConfig(
      before: path, in: configs, try await listedDeliveries(onlyDead: false, hook: nil))
  }

  /// Returns the deliveries, without the deliveries that wait for a config other than the present
  /// config.
  func withoutThoseOfOtherConfigs(
    _ deliveries: [Delivery]
  ) async throws(StoreError) -> [Delivery] {
    if deliveries.isEmpty { return deliveries }
    let others = OtherConfigs(try await configs())
    return deliveries.filter { others.config(of: $0) == nil }
  }

  /// Returns the deliveries for display. If a delivery waits for a config other than the present
  /// config, the returned delivery names that config.
  package func showingConfigs(_ deliveries: [Delivery]) async throws(StoreError) -> [Delivery] {
    if deliveries.isEmpty { return deliveries }
    let others = OtherConfigs(try await configs())
    return deliveries.map { delivery in
      guard delivery.state == .pending, let config = others.config(of: delivery) else {
        return delivery
      }
      var shown = delivery
      shown.failure = "queued by \(config), which no longer uses the store"
      shown.nextAttemptAt = nil
      return shown
    }
  }
}

extension EarlierConfig {
  fileprivate init?(before path: String, in configs: StoreConfigs, _ listed: [Delivery]) {
    guard let current = configs.current, current != path, current.isThere else { return nil }
    self.path = current
    waitingCount = listed.count {
      $0.state == .pending && configs.config(ofDelivery: $0.id) == current
    }
  }
}

/// The configs of a store, except the config that used the store last and configs whose files are
/// gone.
private struct OtherConfigs {
  private let configs: StoreConfigs

  init(_ configs: StoreConfigs) { self.configs = configs }

  /// Returns the config for which a delivery waits; nil if the delivery waits for no other config.
  func config(of delivery: Delivery) -> String? {
    guard let config = configs.config(ofDelivery: delivery.id), config != configs.current,
      config.isThere
    else { return nil }
    return config
  }
}

extension String {
  fileprivate var isThere: Bool { access(self, F_OK) == 0 }

  /// The absolute path with links resolved; unchanged if the file does not exist.
  fileprivate var realPath: String {
    guard let real = realpath(self, nil) else { return self }
    defer { free(real) }
    return String(cString: real)
  }
}

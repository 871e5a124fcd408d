package import FetchModel
package import FetchStore
import Glibc

/// A config that another process used with the store before, and whose file still exists.
package struct EarlierConfig: Equatable, Sendable {
  /// The absolute path of the config, with links resolved.
  package let path: String
  /// The number of waiting deliveries that the config has queued.
  package let waitingCount: Int
}

extension Store {
  /// Records that this config uses the store from now on. The deliveries that another config has
  /// queued wait until that config uses the store again or its file is gone.
  ///
  /// - Returns: the config that used the store last; nil if that config is the same file.
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
  /// Returns the config that used the store last; nil if that config is the file at `path`.
  package func earlierConfig(than path: String) async throws(StoreError) -> EarlierConfig? {
    let configs = try await configs()
    let path = path.realPath
    guard let current = configs.current, current != path else { return nil }
    return EarlierConfig(
      before: path, in: configs, try await listedDeliveries(onlyDead: false, hook: nil))
  }

  /// Returns the deliveries, without the deliveries that wait for another config than the present
  /// one.
  func withoutThoseOfOtherConfigs(
    _ deliveries: [Delivery]
  ) async throws(StoreError) -> [Delivery] {
    if deliveries.isEmpty { return deliveries }
    let others = OtherConfigs(try await configs())
    return deliveries.filter { others.config(of: $0) == nil }
  }

  /// Returns the deliveries for display. A delivery that waits for another config than the present
  /// one names that config.
  package func showingConfigs(_ deliveries: [Delivery]) async throws(StoreError) -> [Delivery] {
    if deliveries.isEmpty { return deliveries }
    let others = OtherConfigs(try await configs())
    return deliveries.map { delivery in
      guard delivery.state == .pending, let config = others.config(of: delivery) else {
        return delivery
      }
      var shown = delivery
      shown.failure = "queued by \(config), which does not use the store now"
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

/// The configs other than the one that used the store last, if their files still exist.
private struct OtherConfigs {
  private let configs: StoreConfigs

  init(_ configs: StoreConfigs) { self.configs = configs }

  /// Returns the config for which a delivery waits; nil if the present config sends the delivery.
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

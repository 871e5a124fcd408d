package import FetchValues

/// The present rates of hooks, which lists of deliveries use to show how long a rate delays a
/// delivery.
package struct HookRates: Sendable {
  private let rates: [HookName: Rate]?

  /// Creates the rates from the settings of the hooks.
  ///
  /// - Parameter hooks: all hooks of the config. Any other hook has no rate.
  package init(of hooks: [HookConfig]) {
    rates = Dictionary(
      hooks.compactMap { hook in hook.rate.map { (hook.name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  private init() { rates = nil }

  /// The rates of hooks when no config is loaded. Lists then use the times that the last process
  /// with a config stored.
  package static let unknown = HookRates()

  /// Returns, by hook, the time when the hook may send again, computed from the stored paces. Hooks
  /// that may send now are omitted.
  package func openings(
    of paces: [HookName: [UInt8]], now: Timestamp
  ) -> [HookName: Timestamp] {
    var openings: [HookName: Timestamp] = [:]
    for (hook, pace) in paces { openings[hook] = opensAt(hook, pace, now) }
    return openings
  }

  private func opensAt(_ hook: HookName, _ pace: [UInt8], _ now: Timestamp) -> Timestamp? {
    guard let rates else {
      return DeliveryPace.opensAt(keptIn: pace).flatMap { $0 > now ? $0 : nil }
    }
    guard let rate = rates[hook] else { return nil }
    return DeliveryPace(decoding: pace)?.opensAt(rate, now: now)
  }
}

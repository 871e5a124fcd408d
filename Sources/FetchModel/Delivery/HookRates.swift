package import FetchValues

/// The present rates of hooks, for showing until when they hold deliveries.
package struct HookRates: Sendable {
  private let rates: [String: Rate]?

  /// - Parameter hooks: all hooks; any other hook has no rate.
  package init(of hooks: [HookConfig]) {
    rates = Dictionary(
      hooks.compactMap { hook in hook.rate.map { (hook.name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  private init() { rates = nil }

  /// The rates without a config: the last process that had one is trusted.
  package static let unknown = HookRates()

  /// Returns when hooks may send again, by their stored paces; omits those that may send now.
  package func openings(
    of paces: [String: [UInt8]], now: Timestamp
  ) -> [String: Timestamp] {
    var openings: [String: Timestamp] = [:]
    for (hook, pace) in paces { openings[hook] = opensAt(hook, pace, now) }
    return openings
  }

  private func opensAt(_ hook: String, _ pace: [UInt8], _ now: Timestamp) -> Timestamp? {
    guard let rates else {
      return DeliveryPace.opensAt(keptIn: pace).flatMap { $0 > now ? $0 : nil }
    }
    guard let rate = rates[hook] else { return nil }
    return DeliveryPace(decoding: pace)?.opensAt(rate, now: now)
  }
}

package import FetchHost
package import FetchModel
package import FetchStore

extension DeliveryService {
  /// What it works with.
  package struct Setup: Sendable {
    package var store: any Store
    package var hooks: HookRegistry
    package var sinks: @Sendable (HookConfig) -> any DeliverySink
    package var time: RunTime
    package var clock: any Clock<Duration> = HostClock()
    /// Gets what becomes of deliveries, and what goes wrong and ends nothing.
    package var events = EventSink.none
    /// What its user is told to type.
    package var suggested = SuggestedCommand()

    package init(
      store: any Store, hooks: HookRegistry, time: RunTime,
      sinks: @escaping @Sendable (HookConfig) -> any DeliverySink
    ) {
      self.store = store
      self.hooks = hooks
      self.time = time
      self.sinks = sinks
    }
  }
}

package import FetchHost
package import FetchModel
package import FetchStoreSQLite

extension DeliveryService {
  /// What it works with.
  package struct Setup: Sendable {
    package var store: SQLiteStore
    package var hooks: HookBook
    package var sinks: @Sendable (HookConfig) -> any DeliverySink
    package var time: RunTime
    package var clock: any Clock<Duration> = HostClock()
    /// Gets what becomes of deliveries, and what goes wrong and ends nothing.
    package var events = EventSink.none
    /// What its user is told to type.
    package var followUp = FollowUp()

    package init(
      store: SQLiteStore, hooks: HookBook, time: RunTime,
      sinks: @escaping @Sendable (HookConfig) -> any DeliverySink
    ) {
      self.store = store
      self.hooks = hooks
      self.time = time
      self.sinks = sinks
    }
  }
}

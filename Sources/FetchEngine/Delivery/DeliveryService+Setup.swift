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
    /// Is told what goes wrong and ends nothing.
    package var logger: @Sendable (String) -> Void = { _ in }
    /// Logs what was delivered; nil: nobody does.
    package var logDelivered: (@Sendable (String) -> Void)?
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

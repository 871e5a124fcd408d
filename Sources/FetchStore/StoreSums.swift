package import FetchModel
package import FetchValues

/// The counts of deliveries and transfers in a store.
package struct StoreSums: Equatable, Sendable {
  /// The deliveries of one hook.
  package struct Hook: Equatable, Sendable {
    package var name: HookName
    package var pending = 0
    package var dead = 0
    /// The time at which the oldest pending delivery was written; nil if there is none.
    package var oldestAt: Timestamp?

    package init(name: HookName) { self.name = name }

    package mutating func add(_ state: DeliveryState, _ count: Int, oldestAt: Timestamp) {
      switch state {
      case .pending:
        pending += count
        self.oldestAt = min(self.oldestAt ?? oldestAt, oldestAt)
      case .dead: dead += count
      }
    }
  }

  /// The hooks with deliveries, in the order of their names.
  package var hooks: [Hook] = []
  package var transfers: [TransferState: Int] = [:]

  package init() {}

  /// Adds a number of deliveries of a hook. The caller must add all deliveries of one hook in
  /// successive calls.
  package mutating func add(
    _ hook: HookName, _ state: DeliveryState, _ count: Int, oldestAt: Timestamp
  ) {
    if hooks.last.map({ $0.name != hook }) ?? true {
      hooks.append(Hook(name: hook))
    }
    hooks[hooks.count - 1].add(state, count, oldestAt: oldestAt)
  }
}

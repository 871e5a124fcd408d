package import FetchModel
package import FetchValues

/// The counts of deliveries and transfers in a store.
package struct StoreSums: Equatable, Sendable {
  /// The counts of one hook's deliveries.
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

  /// Adds `count` deliveries of a hook in the given state. The caller must add the hooks one after
  /// the other, in the order of their names.
  package mutating func add(
    _ hook: HookName, _ state: DeliveryState, _ count: Int, oldestAt: Timestamp
  ) {
    if hooks.last.map({ $0.name != hook }) ?? true {
      hooks.append(Hook(name: hook))
    }
    hooks[hooks.count - 1].add(state, count, oldestAt: oldestAt)
  }
}

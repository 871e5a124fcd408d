package import FetchModel
package import FetchStore
import FetchValues

extension MemoryStore {
  package func subscriptions() throws(StoreError) -> [Subscription] {
    try with { state in state.subscriptions.values.sorted { $0.id < $1.id } }
  }

  package func subscription(capability: [UInt8]) throws(StoreError) -> Subscription? {
    try with { state in state.subscriptions.values.first { $0.capability == capability } }
  }

  package func add(_ subscription: Subscription) throws(StoreError) -> Int64 {
    try with { (state) throws(StoreError) in
      guard state.jobs[subscription.job] != nil else {
        throw StoreError.noJob(subscription.job)
      }
      guard
        !state.subscriptions.values.contains(where: { $0.capability == subscription.capability })
      else { throw StoreError(.rejected, "the capability is in use") }
      state.lastSubscriptionID += 1
      var added = subscription
      added.id = state.lastSubscriptionID
      state.subscriptions[added.id] = added
      return added.id
    }
  }

  package func update(_ subscriptions: [Subscription]) throws(StoreError) {
    try with { state in
      for subscription in subscriptions where state.subscriptions[subscription.id] != nil {
        state.subscriptions[subscription.id] = subscription
      }
    }
  }

  package func removeSubscriptions(_ ids: [Int64]) throws(StoreError) {
    try with { state in for id in ids { state.subscriptions[id] = nil } }
  }
}

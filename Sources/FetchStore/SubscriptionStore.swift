package import FetchModel
package import FetchValues

/// The functions that read the jobs' subscriptions at WebSub hubs.
package protocol SubscriptionReading: Sendable {
  /// Returns all subscriptions in the order of their ids. The list is empty if the store's format
  /// has no subscriptions yet.
  func subscriptions() async throws(StoreError) -> [Subscription]

  /// Returns the subscription whose callback address ends in the given capability; nil if there is
  /// none.
  func subscription(capability: [UInt8]) async throws(StoreError) -> Subscription?
}

extension StoreError {
  /// Returns the error for a subscription of a job that the store does not have.
  package static func noJob(_ name: JobName) -> StoreError {
    StoreError(.unknownJob, "the store has no job '\(name)'")
  }
}

/// The functions that write subscriptions.
package protocol SubscriptionStore: SubscriptionReading {
  /// Adds a subscription and returns its id. Throws `unknownJob` if the store does not have the
  /// subscription's job. No id is returned twice.
  func add(_ subscription: Subscription) async throws(StoreError) -> Int64

  /// Stores the present state of subscriptions. Their job, hub, topic, capability and secret never
  /// change. Ignores subscriptions that were removed.
  func update(_ subscriptions: [Subscription]) async throws(StoreError)

  /// Removes the subscriptions with the given ids.
  func removeSubscriptions(_ ids: [Int64]) async throws(StoreError)
}

package import FetchModel
package import FetchStore
import FetchValues

extension WriterStatement {
  fileprivate static let insertSubscription = WriterStatement(
    """
    INSERT INTO subscriptions (
      job, topic, hub, capability, secret, state, asked_at, verified_at, lease_ends_at, next_at,
      pushes, last_push_at, missed, failures, failing_since, failure, trust)
    VALUES (?13, ?14, ?15, ?16, ?17, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
    """)
  fileprivate static let updateSubscription = WriterStatement(
    """
    UPDATE subscriptions SET state = ?1, asked_at = ?2, verified_at = ?3, lease_ends_at = ?4,
      next_at = ?5, pushes = ?6, last_push_at = ?7, missed = ?8, failures = ?9, failing_since = ?10,
      failure = ?11, trust = ?12
    WHERE id = ?13
    """)
  fileprivate static let removeSubscription = WriterStatement(
    "DELETE FROM subscriptions WHERE id = ?")
}

extension WriterConnection {
  /// Binds the changeable parts of a subscription to the parameters 1 to 12.
  private func bind(_ subscription: Subscription, to row: SQLStatement) {
    row.bind(1, subscription.state.rawValue)
    row.bind(2, subscription.askedAt?.milliseconds)
    row.bind(3, subscription.verifiedAt?.milliseconds)
    row.bind(4, subscription.leaseEndsAt?.milliseconds)
    row.bind(5, subscription.nextAt?.milliseconds)
    row.bind(6, subscription.pushCount)
    row.bind(7, subscription.lastPushAt?.milliseconds)
    row.bind(8, subscription.missedCount)
    row.bind(9, subscription.failureCount)
    row.bind(10, subscription.failingSince?.milliseconds)
    row.bind(11, subscription.failure)
    row.bind(12, SubscriptionRow.encoded(subscription.trust))
  }

  fileprivate func insert(_ subscription: Subscription) throws -> Int64 {
    guard let job = try existingJobID(subscription.job) else {
      throw StoreError.noJob(subscription.job)
    }
    let row = try statement(.insertSubscription)
    bind(subscription, to: row)
    row.bind(13, job)
    row.bind(14, subscription.topic)
    row.bind(15, subscription.hub)
    row.bind(16, subscription.capability)
    row.bind(17, subscription.secret)
    try row.run()
    return db.lastInsertedRow
  }

  fileprivate func update(_ subscription: Subscription) throws {
    let row = try statement(.updateSubscription)
    bind(subscription, to: row)
    row.bind(13, subscription.id)
    try row.run()
  }

  fileprivate func removeSubscription(_ id: Int64) throws {
    let row = try statement(.removeSubscription)
    row.bind(1, id)
    try row.run()
  }
}

extension SQLiteStore {
  package func subscriptions() throws(StoreError) -> [Subscription] { try reader.subscriptions() }

  package func subscription(capability: [UInt8]) throws(StoreError) -> Subscription? {
    try reader.subscription(capability: capability)
  }

  package func add(_ subscription: Subscription) async throws(StoreError) -> Int64 {
    try await queue.perform(isWrite: true) { try $0.insert(subscription) }
  }

  package func update(_ subscriptions: [Subscription]) async throws(StoreError) {
    if subscriptions.isEmpty { return }
    try await queue.perform(isWrite: true) { connection in
      for subscription in subscriptions { try connection.update(subscription) }
    }
  }

  package func removeSubscriptions(_ ids: [Int64]) async throws(StoreError) {
    if ids.isEmpty { return }
    try await queue.perform(isWrite: true) { connection in
      for id in ids { try connection.removeSubscription(id) }
    }
  }
}

extension StoreReader {
  package func subscriptions() throws(StoreError) -> [Subscription] {
    try subscriptions(where: "1", nil, order: "ORDER BY subscriptions.id")
  }

  package func subscription(capability: [UInt8]) throws(StoreError) -> Subscription? {
    try subscriptions(where: "capability = ?", capability).first
  }

  private func subscriptions(
    where condition: String, _ bytes: [UInt8]?, order: String = ""
  ) throws(StoreError) -> [Subscription] {
    try read { db in
      // Another process may convert the store while this reader is open.
      let version = try db.integer("PRAGMA user_version") ?? 0
      guard version >= Int64(StoreSchema.subscriptionsVersion) else { return [] }
      let row = try SQLStatement(
        db,
        """
        SELECT \(SubscriptionRow.columns) FROM \(SubscriptionRow.from) WHERE \(condition) \(order)
        """)
      if let bytes { row.bind(1, bytes) }
      var found: [Subscription] = []
      while try row.step() {
        if let subscription = SubscriptionRow.subscription(row) { found.append(subscription) }
      }
      return found
    }
  }
}

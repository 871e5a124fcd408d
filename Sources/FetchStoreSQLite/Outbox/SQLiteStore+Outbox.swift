package import FetchModel
package import FetchStore
package import FetchValues

extension WriterStatement {
  static let insertDelivery = WriterStatement(
    """
    INSERT INTO outbox (
      hook, job, run, event, key, payload, state, attempts, next_attempt_at, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
    """)
  static let updateDelivery = WriterStatement(
    """
    UPDATE outbox SET state = ?, digest = ?, attempts = ?, failing_since = ?,
      next_attempt_at = ?, failure = ?
    WHERE id = ?
    """)
  static let setDeliveryTime = WriterStatement(
    """
    UPDATE outbox SET next_attempt_at = ?
    WHERE id = ? AND state = 'pending' AND digest IS NULL AND attempts = 0 AND failure IS NULL
    """)
  static let removeDelivery = WriterStatement("DELETE FROM outbox WHERE id = ?")
}

extension WriterConnection {
  /// Inserts a delivery. `firstSequence` is the sequence number of the first change in the
  /// delivery.
  func insert(_ delivery: NewDelivery, firstSequence: Int64? = nil) throws {
    let row = try statement(.insertDelivery)
    row.bind(1, delivery.hook)
    row.bind(2, delivery.job)
    row.bind(3, delivery.run?.bytes)
    row.bind(4, delivery.event.rawValue)
    row.bind(5, delivery.key)
    row.bind(6, delivery.payload.text(firstSequence: firstSequence ?? 0))
    row.bind(7, DeliveryState.pending.rawValue)
    row.bind(8, delivery.notBefore?.milliseconds)
    row.bind(9, delivery.createdAt)
    try row.run()
  }

  func update(_ delivery: Delivery) throws {
    let row = try statement(.updateDelivery)
    row.bind(1, delivery.state.rawValue)
    row.bind(2, delivery.digest)
    row.bind(3, delivery.attemptCount)
    row.bind(4, delivery.failingSince?.milliseconds)
    row.bind(5, delivery.nextAttemptAt?.milliseconds)
    row.bind(6, delivery.failure)
    row.bind(7, delivery.id)
    try row.run()
  }

  func setTime(_ time: Timestamp?, ofDelivery id: Int64) throws {
    let row = try statement(.setDeliveryTime)
    row.bind(1, time?.milliseconds)
    row.bind(2, id)
    try row.run()
  }

  func removeDelivery(_ id: Int64) throws {
    let row = try statement(.removeDelivery)
    row.bind(1, id)
    try row.run()
  }
}

extension SQLiteStore {
  /// Stores the states of deliveries. Ignores deliveries that no longer exist.
  package func update(_ deliveries: [Delivery]) async throws(StoreError) {
    try await queue.perform(isWrite: true) { connection in
      for delivery in deliveries { try connection.update(delivery) }
    }
  }

  /// Sets the times of the next attempts at deliveries, by delivery id. A delivery that was
  /// attempted or put into a digest since the caller read it keeps its time.
  package func setDeliveryTimes(_ times: [Int64: Timestamp?]) async throws(StoreError) {
    try await queue.perform(isWrite: true) { connection in
      for (id, time) in times { try connection.setTime(time, ofDelivery: id) }
    }
  }

  /// Removes delivered or unwanted deliveries from the outbox.
  package func removeDeliveries(_ ids: [Int64]) async throws(StoreError) {
    try await queue.perform(isWrite: true) { connection in
      for id in ids { try connection.removeDelivery(id) }
    }
  }
}

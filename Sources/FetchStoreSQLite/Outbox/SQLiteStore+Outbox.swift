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
  /// Inserts a delivery. `firstSequence` is the sequence number of the first change that is stored
  /// together with the delivery; nil if there is none.
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

  /// Sets the times of the next attempts at deliveries, by delivery id. A delivery that was already
  /// attempted, has failed or was put into a digest keeps its time.
  package func setDeliveryTimes(_ times: [Int64: Timestamp?]) async throws(StoreError) {
    try await queue.perform(isWrite: true) { connection in
      for (id, time) in times { try connection.setTime(time, ofDelivery: id) }
    }
  }

  /// Removes the deliveries with the given ids from the outbox.
  package func removeDeliveries(_ ids: [Int64]) async throws(StoreError) {
    try await queue.perform(isWrite: true) { connection in
      for id in ids { try connection.removeDelivery(id) }
    }
  }
}

extension StoreReader {
  /// Returns the pending deliveries whose ids are higher than `id`, in the order of their ids,
  /// without payloads.
  package func pendingDeliveries(after id: Int64 = 0) throws(StoreError) -> [Delivery] {
    try deliveries("state = 'pending' AND id > ?1", id, withPayload: false)
  }

  /// Returns the deliveries with these ids, in the order of `ids`, with payloads. Leaves out
  /// deliveries that do not exist.
  package func deliveries(_ ids: [Int64]) throws(StoreError) -> [Delivery] {
    var all: [Delivery] = []
    for id in ids { all += try deliveries("id = ?1", id, withPayload: true) }
    return all
  }

  /// Returns the deliveries of one hook or of all hooks, without payloads. If `onlyDead` is true,
  /// returns only dead deliveries.
  package func listedDeliveries(
    onlyDead: Bool, hook: HookName? = nil
  ) throws(StoreError) -> [Delivery] {
    let condition = onlyDead ? "state = 'dead'" : "1"
    guard let hook else { return try deliveries(condition, withPayload: false) }
    return try deliveries("\(condition) AND hook = ?1", hook, withPayload: false)
  }

  /// Returns how many deliveries are pending and how many are dead.
  package func deliveryCounts() throws(StoreError) -> (pending: Int, dead: Int) {
    try read { db in
      let row = try SQLStatement(
        db, "SELECT count(*) FILTER (WHERE state = 'pending'), count(*) FROM outbox")
      defer { row.reset() }
      guard try row.step() else { return (0, 0) }
      let pending = Int(row.integer(0))
      return (pending, Int(row.integer(1)) - pending)
    }
  }

  private func deliveries(
    _ condition: String, _ argument: (any SQLArgument)? = nil, withPayload: Bool
  ) throws(StoreError) -> [Delivery] {
    try read { db in
      let columns = DeliveryRow.columns(withPayload: withPayload)
      let row = try SQLStatement(
        db, "SELECT \(columns) FROM outbox WHERE \(condition) ORDER BY id")
      argument?.bind(to: row, 1)
      var all: [Delivery] = []
      while try row.step() {
        if let delivery = DeliveryRow.delivery(row) { all.append(delivery) }
      }
      return all
    }
  }
}

extension StoreReader {
  package func sums() throws(StoreError) -> StoreSums {
    try read { db in
      var sums = StoreSums()
      let deliveries = try SQLStatement(
        db,
        """
        SELECT hook, state, count(*), min(created_at) FROM outbox GROUP BY hook, state ORDER BY hook
        """)
      while try deliveries.step() {
        guard let state = deliveries.text(1).flatMap(DeliveryState.init) else { continue }
        sums.add(
          deliveries.name(0), state, Int(deliveries.integer(2)), oldestAt: deliveries.time(3))
      }
      let transfers = try SQLStatement(db, "SELECT state, count(*) FROM transfers GROUP BY state")
      while try transfers.step() {
        guard let state = transfers.text(0).flatMap(TransferState.init) else { continue }
        sums.transfers[state] = Int(transfers.integer(1))
      }
      return sums
    }
  }
}

package import FetchModel
package import FetchStore
package import FetchValues

/// The conversion of rows of the table `outbox` into deliveries.
enum DeliveryRow {
  /// Returns the columns in the order in which `delivery` reads them. The payload is optional,
  /// since it may be long.
  static func columns(withPayload: Bool) -> String {
    """
    id, hook, job, run, event, key, \(withPayload ? "payload" : "''"), state, digest, attempts,
    failing_since, next_attempt_at, failure, created_at
    """
  }

  /// Returns the delivery in a row; nil if fetchrun did not write the row.
  static func delivery(_ row: SQLStatement) -> Delivery? {
    guard let event = row.text(4).flatMap(DeliveryEvent.init),
      let state = row.text(7).flatMap(DeliveryState.init)
    else { return nil }
    var delivery = Delivery(
      id: row.integer(0), hook: row.name(1), job: row.name(2), event: event,
      payload: row.text(6) ?? "", key: row.text(5) ?? "", createdAt: row.time(13))
    delivery.run = row.bytes(3).flatMap { RunID(bytes: $0) }
    delivery.state = state
    delivery.digest = row.optionalInteger(8)
    delivery.attemptCount = Int(clamping: row.integer(9))
    delivery.failingSince = row.optionalTime(10)
    delivery.nextAttemptAt = row.optionalTime(11)
    delivery.failure = row.text(12)
    return delivery
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

  /// Returns the numbers of pending and dead deliveries.
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

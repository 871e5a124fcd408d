internal import FetchModel

/// Rows of `outbox` as deliveries.
enum DeliveryRow {
  /// In the order of `delivery`, with the payload or, since it may be long, without.
  static func columns(withPayload: Bool) -> String {
    """
    id, hook, job, run, event, key, \(withPayload ? "payload" : "''"), state, digest, attempts,
    failing_since, next_attempt_at, failure, created_at
    """
  }

  /// nil for a row that no fetchrun wrote.
  static func delivery(_ row: SQLStatement) -> Delivery? {
    guard let event = row.text(4).flatMap(DeliveryEvent.init),
      let state = row.text(7).flatMap(DeliveryState.init)
    else { return nil }
    var delivery = Delivery(
      id: row.integer(0), hook: row.text(1) ?? "", job: row.text(2) ?? "", event: event,
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

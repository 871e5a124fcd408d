package import FetchModel
import FetchValues

/// The conversion of rows of the table `outbox` into deliveries.
package enum DeliveryRow {
  /// Returns the columns in the order in which `delivery` reads them. The payload is optional,
  /// since it may be long.
  package static func columns(withPayload: Bool) -> String {
    """
    id, hook, job, run, event, key, \(withPayload ? "payload" : "''"), state, digest, attempts,
    failing_since, next_attempt_at, failure, created_at
    """
  }

  /// Returns the delivery in a row; nil if its event or state is unknown.
  package static func delivery(_ row: some StoreRow) -> Delivery? {
    guard let event = row.text(4).flatMap(DeliveryEvent.init),
      let state = row.text(7).flatMap(DeliveryState.init)
    else { return nil }
    var delivery = Delivery(
      id: row.integer(0), hook: row.name(1), job: row.name(2), event: event,
      payload: row.text(6) ?? "", key: row.text(5) ?? "", createdAt: row.time(13))
    delivery.run = row.bytes(3).flatMap { RunID(bytes: $0) }
    delivery.state = state
    delivery.digest = row.optionalInteger(8)
    delivery.attemptCount = row.count(9)
    delivery.failingSince = row.optionalTime(10)
    delivery.nextAttemptAt = row.optionalTime(11)
    delivery.failure = row.text(12)
    return delivery
  }
}

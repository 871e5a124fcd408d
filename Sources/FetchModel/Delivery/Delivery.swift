package import FetchValues

/// One row of the outbox: something that a hook is to be told, until it was.
package struct Delivery: Equatable, Sendable {
  /// Grows; never given twice.
  package var id: Int64
  package var hook: String
  package var job: String
  /// The run it tells of; nil where there was none.
  package var run: RunID?
  package var event: DeliveryEvent
  /// Compact JSON: see `DeliveryRule`.
  package var payload: String
  /// The same for every attempt to deliver it, and of nothing else.
  package var key: String
  package var state = DeliveryState.pending
  /// The first of the deliveries that go with it in one digest; nil while none was made of it.
  package var digest: Int64?
  package var attemptCount = 0
  package var failingSince: Timestamp?
  /// Nil: at once.
  package var nextAttemptAt: Timestamp?
  /// Of the last attempt.
  package var failure: String?
  package var createdAt: Timestamp

  package init(
    id: Int64, hook: String, job: String, event: DeliveryEvent, payload: String, key: String,
    createdAt: Timestamp
  ) {
    self.id = id
    self.hook = hook
    self.job = job
    self.event = event
    self.payload = payload
    self.key = key
    self.createdAt = createdAt
  }
}

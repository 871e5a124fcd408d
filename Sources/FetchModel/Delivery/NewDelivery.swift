package import FetchValues

/// A delivery that is to be stored with a run.
package struct NewDelivery: Equatable, Sendable {
  package var hook: String
  package var job: String
  package var run: RunID?
  package var event: DeliveryEvent
  package var payload: DeliveryPayload
  package var key: String
  /// The earliest time of sending; nil for immediately.
  package var notBefore: Timestamp?
  package var createdAt: Timestamp

  package init(
    hook: String, job: String, run: RunID?, event: DeliveryEvent, payload: DeliveryPayload,
    key: String,
    notBefore: Timestamp? = nil, createdAt: Timestamp
  ) {
    self.hook = hook
    self.job = job
    self.run = run
    self.event = event
    self.payload = payload
    self.key = key
    self.notBefore = notBefore
    self.createdAt = createdAt
  }
}

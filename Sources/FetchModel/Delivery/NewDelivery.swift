package import FetchValues

/// A delivery that will be stored together with its run.
package struct NewDelivery: Equatable, Sendable {
  package var hook: HookName
  package var job: JobName
  package var run: RunID?
  package var event: DeliveryEvent
  package var payload: DeliveryPayload
  package var key: String
  /// The earliest time at which the delivery may be sent; nil for immediately.
  package var notBefore: Timestamp?
  package var createdAt: Timestamp

  package init(
    hook: HookName, job: JobName, run: RunID?, event: DeliveryEvent, payload: DeliveryPayload,
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

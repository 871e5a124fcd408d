package import FetchValues

/// The contents of one attempt to deliver: one delivery, or the deliveries of a digest.
package struct DeliveryBatch: Equatable, Sendable {
  package let hook: HookName
  /// The deliveries, at least one, in the order of their ids.
  package let deliveries: [Delivery]
  package let isDigest: Bool
  /// Whether a person has asked to send a delivery of the batch now. The batch is then sent even
  /// during a cooldown of the receiver's hostname, and even if fetchrun's budget is spent.
  package var isForced = false

  /// Creates a batch; nil if there are no deliveries.
  package init?(_ deliveries: [Delivery], isDigest: Bool = false) {
    guard let first = deliveries.first else { return nil }
    hook = first.hook
    self.deliveries = deliveries
    self.isDigest = isDigest
  }

  /// The idempotency key: the key of the batch's first delivery.
  package var key: String { deliveries[0].key }
  /// The event in the payload: `digest`, or the event of the delivery.
  package var event: String { isDigest ? "digest" : deliveries[0].event.rawValue }
  /// The job that the delivery reports; nil for a digest, which may report several jobs.
  package var job: JobName? { isDigest ? nil : deliveries[0].job }
  package var run: RunID? { isDigest ? nil : deliveries[0].run }

  /// The batch as one compact JSON object: the payload of the delivery, or for a digest
  /// `{"id","hook","event":"digest","at","deliveries":[…]}`.
  package var json: String {
    guard isDigest else { return deliveries[0].payload }
    var line = JSONLine()
    line.member("id", key)
    line.member("hook", hook)
    line.member("event", event)
    line.member("at", deliveries[deliveries.count - 1].createdAt.description)
    line.member(
      "deliveries", literal: "[" + deliveries.map(\.payload).joined(separator: ",") + "]")
    return line.closed()
  }

  /// The payloads of the deliveries, parsed from JSON.
  package var payloads: [ValueObject] {
    deliveries.map { (try? JSONReader.decode($0.payload))?.objectValue ?? ValueObject() }
  }

  /// The items of all deliveries in the batch, in order.
  package var items: [ValueObject] {
    payloads.flatMap { ($0["items"]?.arrayValue ?? []).compactMap(\.objectValue) }
  }
}

extension DeliveryBatch {
  /// Returns the log line of a successful delivery, such as `hook 'chat': delivered newData of
  /// news, 3 items, to hooks.example.org`.
  package func sentence(deliveredTo receiver: String) -> String {
    let what = isDigest ? digestPhrase : "\(event) of \(deliveries[0].job)"
    let itemCount = items.count
    let content = itemCount == 0 ? "" : ", \(counted(itemCount, "item"))"
    return "hook '\(hook)': delivered \(what)\(content), to \(receiver)"
  }

  /// The digest as a phrase, such as `a digest of 3 deliveries`.
  package var digestPhrase: String {
    "a digest of \(deliveries.count) deliver\(deliveries.count == 1 ? "y" : "ies")"
  }
}

/// The result of one attempt to deliver a batch.
package enum DeliveryEnd: Equatable, Sendable {
  case delivered
  case failed(DeliveryFailure)
  /// The deliveries wait until the given time, and the attempt does not count as a failure. The
  /// text is the reason.
  case postponed(String, until: Timestamp)
  /// The hook cannot be used now, for the given reason. The deliveries wait, and this process tries
  /// again at `lookAgainAt`.
  case held(String, lookAgainAt: Timestamp)
  /// The first `toldCount` deliveries of the batch succeeded. The second value is the result of the
  /// remaining deliveries.
  indirect case partly(toldCount: Int, DeliveryEnd)

  /// Returns the result of a batch whose first `toldCount` deliveries succeeded, and whose
  /// remaining deliveries have the result `self`.
  package func after(toldCount: Int) -> DeliveryEnd {
    toldCount > 0 ? .partly(toldCount: toldCount, self) : self
  }
}

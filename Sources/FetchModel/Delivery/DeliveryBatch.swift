package import FetchValues

/// The contents of one attempt: one delivery, or those of a digest.
package struct DeliveryBatch: Equatable, Sendable {
  package let hook: String
  /// The deliveries in order; at least one.
  package let deliveries: [Delivery]
  package let isDigest: Bool
  /// Whether a person wants it sent now, regardless of hostnames that are left alone and of spent
  /// budgets.
  package var isForced = false

  /// Creates a batch; nil if it would be empty.
  package init?(_ deliveries: [Delivery], isDigest: Bool = false) {
    guard let first = deliveries.first else { return nil }
    hook = first.hook
    self.deliveries = deliveries
    self.isDigest = isDigest
  }

  /// The idempotency key: the same for every attempt.
  package var key: String { deliveries[0].key }
  /// `digest`, or the delivery's event.
  package var event: String { isDigest ? "digest" : deliveries[0].event.rawValue }
  /// The job; nil for a digest, which may contain several.
  package var job: String? { isDigest ? nil : deliveries[0].job }
  package var run: RunID? { isDigest ? nil : deliveries[0].run }

  /// One compact JSON object: the delivery's own, or for a digest
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

  /// The parsed payloads.
  package var payloads: [ValueObject] {
    deliveries.map { (try? JSONReader.decode($0.payload))?.objectValue ?? ValueObject() }
  }

  /// The item lines of all its deliveries, in order.
  package var items: [ValueObject] {
    payloads.flatMap { ($0["items"]?.arrayValue ?? []).compactMap(\.objectValue) }
  }
}

extension DeliveryBatch {
  /// Returns the log line about a successful delivery: `hook 'chat': delivered newData of news, 3
  /// items, to hooks.example.org`.
  package func sentence(deliveredTo receiver: String) -> String {
    let what =
      isDigest
      ? "a digest of \(deliveries.count) deliver\(deliveries.count == 1 ? "y" : "ies")"
      : "\(event) of \(deliveries[0].job)"
    let itemCount = items.count
    let content = itemCount == 0 ? "" : ", \(counted(itemCount, "item"))"
    return "hook '\(hook)': delivered \(what)\(content), to \(receiver)"
  }
}

package import FetchValues

extension [Delivery] {
  /// As people are shown them, in the order of their ids: those that are tried when the one before them
  /// in their order has gone, and have nothing else to wait for, say so. A time that has come is shown
  /// only with a reason.
  package func showingOrder(now: Timestamp) -> [Delivery] {
    var firsts: [DeliveryOrder: Delivery] = [:]
    return map { delivery in
      guard delivery.state == .pending else { return delivery }
      let lane = delivery.order
      let first = firsts[lane] ?? delivery
      firsts[lane] = first
      guard delivery.digest == nil, delivery.failure == nil, !delivery.waits(now) else {
        return delivery
      }
      var shown = delivery
      shown.nextAttemptAt = nil
      if first.id != delivery.id, !first.goes(with: delivery, now) {
        shown.failure = "delivery \(first.id) goes first"
      }
      return shown
    }
  }
}

extension Delivery {
  /// Those of a digest wait for each other whatever their jobs are.
  fileprivate var order: DeliveryOrder {
    let isOfDigest = digest != nil || waitsForWindow
    return DeliveryOrder(hook: hook, job: isOfDigest ? nil : ExactText(job))
  }

  fileprivate func waits(_ now: Timestamp) -> Bool { nextAttemptAt.map { $0 > now } ?? false }

  /// Whether one digest takes both.
  fileprivate func goes(with other: Delivery, _ now: Timestamp) -> Bool {
    waitsForWindow && other.waitsForWindow && !waits(now)
  }
}

private struct DeliveryOrder: Hashable {
  var hook: String
  var job: ExactText?
}

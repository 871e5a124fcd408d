import FetchValues

extension [Delivery] {
  /// As people are shown them, in the order of their ids: those that are tried when the one before them
  /// in their order has gone, and have nothing else to wait for, say so.
  package func showingOrder() -> [Delivery] {
    var firsts: [DeliveryOrder: Int64] = [:]
    return map { delivery in
      guard delivery.state == .pending, delivery.digest == nil else { return delivery }
      let lane = DeliveryOrder(hook: delivery.hook, job: ExactText(delivery.job))
      guard let first = firsts[lane] else {
        firsts[lane] = delivery.id
        return delivery
      }
      guard delivery.nextAttemptAt == nil, delivery.failure == nil else { return delivery }
      var shown = delivery
      shown.failure = "delivery \(first) goes first"
      return shown
    }
  }
}

private struct DeliveryOrder: Hashable {
  var hook: String
  var job: ExactText
}

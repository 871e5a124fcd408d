package import FetchValues

extension [Delivery] {
  /// As people are shown them, in the order of their ids: those that only the rate of their hook holds
  /// say so, and the next of each hook has the time when it may go out.
  ///
  /// - Parameter opensAt: when the rate of a hook lets the next one out; none: at once.
  package func showingRates(_ opensAt: [String: Timestamp], now: Timestamp) -> [Delivery] {
    var timed: Set<String> = []
    var blocked: [String: Set<ExactText>] = [:]
    return map { delivery in
      guard delivery.state == .pending, let time = opensAt[delivery.hook], time > now,
        blocked[delivery.hook]?.contains(ExactText(delivery.job)) != true
      else { return delivery }
      if let next = delivery.nextAttemptAt, next > time {
        blocked[delivery.hook, default: []].insert(ExactText(delivery.job))
        return delivery
      }
      var shown = delivery
      // A time that has come is none.
      shown.nextAttemptAt = timed.insert(delivery.hook).inserted ? time : nil
      if shown.failure == nil { shown.failure = Delivery.rateReason }
      return shown
    }
  }
}

extension Delivery {
  fileprivate static let rateReason = "the rate of its hook"

  /// As it is told of one that nothing else holds.
  package mutating func hold(byRateUntil opensAt: Timestamp) {
    nextAttemptAt = opensAt
    failure = Self.rateReason
  }
}

import FetchModel
import FetchStore
import FetchValues
import Synchronization

extension SubscriptionService {
  /// Asks the hubs of due subscriptions, for at most `requestsMax` subscriptions at once. If the
  /// hub has not verified a due subscription in time, records a failure instead.
  func askHubs() async {
    let now = setup.time.now()
    guard let server = state.withLock({ $0.server }) else { return }
    let due = state.withLock { state in
      state.subscriptions.values.filter { $0.isDue(at: now) }.sorted { $0.id < $1.id }
    }
    var asked: [Subscription] = []
    for subscription in due {
      if subscription.awaitsVerification {
        note(failure: Subscription.unverified, of: subscription.id)
      } else {
        asked.append(subscription)
      }
    }
    while !asked.isEmpty {
      let part = asked.prefix(Self.requestsMax)
      asked.removeFirst(part.count)
      for subscription in part { _ = change(subscription.id) { $0.noteAsking(at: now) } }
      // The hub may send its verification request before it answers. The web process then looks up
      // the subscription in the store. If the store cannot save the subscription, the hub is
      // therefore asked later.
      guard await save(all: true) else {
        for subscription in part {
          _ = change(subscription.id) { $0.notePostponed(until: now + Self.savingPeriod) }
        }
        continue
      }
      await withTaskGroup(of: Void.self) { group in
        for subscription in part { group.addTask { await self.ask(subscription, server) } }
      }
    }
  }

  private func ask(_ subscription: Subscription, _ server: String) async {
    let askedAt = setup.time.now()
    switch await setup.ask(subscription, subscription.callback(at: server)) {
    case .accepted: break
    case .postponed(let until):
      _ = change(subscription.id) { $0.notePostponed(until: max(until, askedAt + .seconds(1))) }
    case .failed(let message): note(failure: message, of: subscription.id)
    }
  }

  private func note(failure message: String, of id: Int64) {
    let chance = chance()
    let now = setup.time.now()
    let isTimeout = message == Subscription.unverified
    let noted = change(id) { subscription -> (Subscription.Notice?, Subscription) in
      // A hub may verify a subscription and then answer the request with an error. This error is
      // ignored.
      if !isTimeout, subscription.wasVerifiedSinceAsked { return (nil, subscription) }
      if !isTimeout { subscription.askedAt = nil }
      return (subscription.noteFailure(message, at: now, chance: chance), subscription)
    }
    if case (let notice?, let subscription)? = noted { report(notice, subscription) }
  }
}

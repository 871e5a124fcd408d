import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Synchronization

extension SubscriptionService {
  /// Begins requests to the hubs of due subscriptions. At most `requestsMax` requests are under way
  /// at once, at most `requestsPerHubMax` to each hub, and at most one for each subscription. If
  /// the hub has not verified a due subscription in time, records a failure instead. Returns
  /// whether a request was begun.
  func askHubs() async -> Bool {
    let now = setup.time.now()
    let (server, due, freeCount, known) = state.withLock { state in
      let due = state.subscriptions.values.filter {
        $0.isDue(at: now) && state.requests[$0.id] == nil
      }
      let freeCount = Self.requestsMax - state.requests.count
      return (state.server, due, freeCount, state.requestCounts)
    }
    guard let server else { return false }
    var counts = known
    var asked: [Subscription] = []
    for subscription in due.sorted(by: { $0.id < $1.id }) {
      if subscription.awaitsVerification {
        note(failure: Subscription.unverified, of: subscription.id)
      } else if asked.count < freeCount,
        counts[subscription.hub, default: 0] < Self.requestsPerHubMax
      {
        counts[subscription.hub, default: 0] += 1
        asked.append(subscription)
      }
    }
    if asked.isEmpty { return false }
    for subscription in asked { _ = change(subscription.id) { $0.noteAsking(at: now) } }
    // The hub may send its verification request before it answers. The web process then looks up
    // the subscription in the store. If the store cannot save the subscription, the hub is
    // therefore asked later.
    guard await save(all: true) else {
      for subscription in asked {
        _ = change(subscription.id) { $0.notePostponed(until: now + Self.savingPeriod) }
      }
      return false
    }
    for subscription in asked { begin(subscription, server) }
    return true
  }

  private func begin(_ subscription: Subscription, _ server: String) {
    let id = subscription.id
    // The request starts under the lock, so that its end cannot arrive before it is registered.
    state.withLock { state in
      state.requests[id] = Task(executorPreference: HostExecutor.shared) { [self] in
        await ask(subscription, server)
        self.state.withLock { $0.requests[id] = nil }
        loop.poke()
      }
    }
  }

  /// Waits until no request to a hub is under way.
  func untilAnswered() async {
    while let request = state.withLock({ $0.requests.values.first }) { await request.value }
  }

  func cancelRequests() {
    for request in state.withLock({ Array($0.requests.values) }) { request.cancel() }
  }

  private func ask(_ subscription: Subscription, _ server: String) async {
    let askedAt = setup.time.now()
    switch await setup.ask(subscription, subscription.callback(at: server)) {
    case .accepted: break
    case .postponed(let until):
      _ = change(subscription.id) { subscription in
        // The subscription may have ended since the request began.
        guard subscription.state != .ended else { return }
        subscription.notePostponed(until: max(until, askedAt + .seconds(1)))
      }
    case .failed(let message): note(failure: message, of: subscription.id)
    }
  }

  private func note(failure message: String, of id: Int64) {
    let chance = chance()
    let now = setup.time.now()
    let isTimeout = message == Subscription.unverified
    let noted = change(id) { subscription -> (Subscription.Notice?, Subscription) in
      if subscription.state == .ended { return (nil, subscription) }
      // A hub may verify a subscription and then answer the request with an error. This error is
      // ignored.
      if !isTimeout, subscription.wasVerifiedSinceAsked { return (nil, subscription) }
      if !isTimeout { subscription.askedAt = nil }
      return (subscription.noteFailure(message, at: now, chance: chance), subscription)
    }
    if case (let notice?, let subscription)? = noted { report(notice, subscription) }
  }
}

import Synchronization

/// The loop of the runs, for parts that are made before it.
final class LateLoop: Sendable {
  private struct Weak {
    weak var loop: RunLoop?
  }

  private let state = Mutex(Weak())

  func set(_ loop: RunLoop) { state.withLock { $0.loop = loop } }
  func poke() { state.withLock { $0.loop }?.poke() }
}

/// The subscriptions, for parts that are made before them.
final class LateSubscriptions: Sendable {
  private struct Weak {
    weak var service: SubscriptionService?
  }

  private let state = Mutex(Weak())

  func set(_ service: SubscriptionService) { state.withLock { $0.service = service } }
  var value: SubscriptionService? { state.withLock { $0.service } }
}

import Synchronization

/// A weak reference to the run loop, for objects that are created before the loop.
final class LateLoop: Sendable {
  private struct Weak {
    weak var loop: RunLoop?
  }

  private let state = Mutex(Weak())

  func set(_ loop: RunLoop) { state.withLock { $0.loop = loop } }
  func poke() { state.withLock { $0.loop }?.poke() }
}

/// A weak reference to the subscription service, for objects that are created before the service.
final class LateSubscriptions: Sendable {
  private struct Weak {
    weak var service: SubscriptionService?
  }

  private let state = Mutex(Weak())

  func set(_ service: SubscriptionService) { state.withLock { $0.service = service } }
  var value: SubscriptionService? { state.withLock { $0.service } }
}

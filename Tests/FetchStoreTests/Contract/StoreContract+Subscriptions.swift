import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

/// The contract of stores about subscriptions.
extension StoreContract {
  private static func subscription(_ number: UInt8, job: JobName = "news") -> Subscription {
    Subscription(
      job: job, topic: "https://feed.test/\(number)", hub: "https://hub.test/",
      capability: [UInt8](repeating: number, count: 16), secret: [UInt8](repeating: 7, count: 32))
  }

  @Test(arguments: StoreKind.allCases)
  func `a subscription is read back as it was stored, also after a restart`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    try await Runs.run(1, bench.store, items: [])
    var subscription = Self.subscription(1)
    subscription.id = try await bench.store.add(subscription)
    #expect(try await bench.store.subscriptions() == [subscription])
    subscription.state = .active
    subscription.askedAt = Runs.start
    subscription.verifiedAt = Runs.start + .seconds(1)
    subscription.leaseEndsAt = Runs.start + .seconds(2)
    subscription.nextAt = Runs.start + .seconds(3)
    subscription.pushCount = 4
    subscription.lastPushAt = Runs.start + .seconds(5)
    subscription.missedCount = 6
    subscription.failureCount = 7
    subscription.failingSince = Runs.start + .seconds(8)
    subscription.failure = "réfusé"
    subscription.trust.notePushed(at: Runs.start)
    subscription.trust.noteMissed(at: Runs.start + .seconds(86_400))
    try await bench.store.update([subscription])
    #expect(try await bench.store.subscriptions() == [subscription])
    let again = try await bench.restarted()
    #expect(try await again.store.subscriptions() == [subscription])
    #expect(
      try await again.store.subscription(capability: subscription.capability) == subscription)
    #expect(try await again.store.subscription(capability: [1]) == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `ids of subscriptions are never assigned twice, and removed ones are not updated`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    try await Runs.run(1, bench.store, items: [])
    var first = Self.subscription(1)
    first.id = try await bench.store.add(first)
    try await bench.store.removeSubscriptions([first.id])
    try await bench.store.update([first])
    #expect(try await bench.store.subscriptions() == [])
    let second = try await bench.store.add(Self.subscription(1))
    #expect(second > first.id)
  }

  @Test(arguments: StoreKind.allCases)
  func `a capability belongs to one subscription, and a job must have run`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    try await Runs.run(1, bench.store, items: [])
    _ = try await bench.store.add(Self.subscription(1))
    await #expect(throws: StoreError.self) { _ = try await bench.store.add(Self.subscription(1)) }
    let error = await #expect(throws: StoreError.self) {
      _ = try await bench.store.add(Self.subscription(2, job: "never"))
    }
    #expect(error?.code == .unknownJob)
    #expect(try await bench.store.subscriptions().count == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `a reset of the job keeps its subscription, since its source is the same`(
    kind: StoreKind
  ) async throws {
    let bench = try await StoreBench(kind)
    try await Runs.run(1, bench.store, items: [])
    let id = try await bench.store.add(Self.subscription(1))
    #expect(try await bench.store.reset(job: "news"))
    #expect(try await bench.store.subscriptions().map(\.id) == [id])
  }
}

import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of deliveries that wait for a digest when the config changes the digest's length.
@Suite(.timeLimit(.minutes(5))) struct DigestChangeTests {
  private static let start = Timestamp(seconds: 1_800_000_000)
  private static let day: Duration = .seconds(86_400)

  private final class Receiver: DeliverySink {
    let digests = Mutex<[[String]]>([])

    func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
      digests.withLock { $0.append(batch.deliveries.map(\.key)) }
      return .delivered
    }
  }

  private let receiver = Receiver()
  private let book = HookRegistry()
  private let store: any Store

  init() async throws {
    store = MemoryStore()
  }

  private func hook(_ batching: HookBatching) -> HookConfig {
    var hook = HookConfig(name: "x", sink: .command(CommandSettings(words: ["true"])))
    hook.batching = batching
    return hook
  }

  /// Queues deliveries with the registered hooks, as a run does.
  private func write(_ key: String, job: JobName, now: Timestamp = start) async throws {
    for hook in book.all {
      let new = NewDelivery(
        hook: "x", job: job, run: nil, event: .newData, payload: #"{"items":[]}"#, key: key,
        notBefore: hook.notBefore(now), createdAt: now)
      try await store.add(new)
    }
  }

  private func deliver(_ service: DeliveryService?, now: Timestamp) async {
    let service = service ?? self.service(now)
    await service.run(until: .idle(patience: .zero))
  }

  private func service(_ now: Timestamp) -> DeliveryService {
    let receiver = receiver
    return DeliveryService(
      DeliveryService.Setup(
        store: store, hooks: book, time: RunTime(now: { now }, random: { 0 })
      ) { _ in receiver })
  }

  private var times: [Timestamp?] {
    get async throws { try await store.pendingDeliveries(after: 0).map(\.nextAttemptAt) }
  }

  private var digests: [[String]] { receiver.digests.withLock { $0 } }

  @Test(arguments: [true, false])
  func `a shorter digest applies at a reload and at a start, and delays no later deliveries`(
    isRestarted: Bool
  ) async throws {
    book.set([hook(.digest(Self.day))])
    try await write("1", job: "a")
    try await write("2", job: "b")
    var service = service(Self.start)
    await deliver(service, now: Self.start)
    let old = try #require(book.all[0].notBefore(Self.start))
    #expect(try await times == [old, old])

    book.set([hook(.digest(.seconds(60)))])
    service.hooksChanged()
    if isRestarted { service = self.service(Self.start) }
    await deliver(service, now: Self.start)
    let soon = Self.start + .seconds(60)
    #expect(try await times == [soon, soon], "listings show the new time")

    try await write("3", job: "a", now: Self.start + .seconds(30))
    await deliver(nil, now: soon)
    #expect(digests == [["1", "2", "3"]])
  }

  @Test func `a hook without its digest sends its waiting deliveries immediately`() async throws {
    book.set([hook(.digest(Self.day))])
    try await write("1", job: "a")
    try await write("2", job: "b")
    book.set([hook(.run)])
    await deliver(nil, now: Self.start)
    #expect(digests.sorted { $0[0] < $1[0] } == [["1"], ["2"]])
  }

  @Test func `a longer digest delays no waiting delivery`() async throws {
    book.set([hook(.digest(.seconds(60)))])
    try await write("1", job: "a")
    book.set([hook(.digest(Self.day))])
    try await write("2", job: "a")
    await deliver(nil, now: Self.start + .seconds(60))
    #expect(digests == [["1"]])
    #expect(try await times.count == 1)
  }

  @Test func `no time is set for a delivery that was already tried`() async throws {
    book.set([hook(.run)])
    try await write("1", job: "a")
    var tried = try #require(try await store.pendingDeliveries(after: 0).first)
    tried.attemptCount = 1
    tried.failure = "down"
    tried.nextAttemptAt = Self.start + .seconds(600)
    try await store.update([tried])
    try await store.setDeliveryTimes([1: nil])
    #expect(try await times == [Self.start + .seconds(600)])
  }
}

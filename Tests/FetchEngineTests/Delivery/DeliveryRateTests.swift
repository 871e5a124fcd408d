import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of the reported waits after the config has changed a rate. The waits are reported by the
/// process that delivers and by other processes.
@Suite(.timeLimit(.minutes(5))) struct DeliveryRateTests {
  private static let start = Timestamp(seconds: 1_800_000_000)

  private final class Receiver: DeliverySink {
    let keys = Mutex<[String]>([])

    func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
      keys.withLock { $0.append(batch.key) }
      return .delivered
    }
  }

  private let receiver = Receiver()
  private let book = HookRegistry()
  private let store: any Store

  init() async throws {
    store = MemoryStore()
  }

  private func write(_ key: String) async throws {
    let new = NewDelivery(
      hook: "x", job: "a", run: nil, event: .newData, payload: #"{"items":[]}"#, key: key,
      createdAt: Self.start)
    try await store.add(new)
  }

  private var keys: [String] { receiver.keys.withLock { $0 } }

  private func service() -> DeliveryService {
    let (start, receiver) = (Self.start, receiver)
    let time = RunTime(now: { start }, random: { 0 })
    return DeliveryService(
      DeliveryService.Setup(store: store, hooks: book, time: time) { _ in receiver })
  }

  /// Returns a hook with a limit of `amount` deliveries per hour, or without a limit if `amount` is
  /// nil.
  private func hook(_ amount: Int64?) -> HookConfig {
    var hook = HookConfig(name: "x", sink: .command(CommandSettings(words: ["true"])))
    hook.rate = amount.map { Rate(amount: $0, period: .hour) }
    return hook
  }

  private func setRate(_ amount: Int64?, of service: DeliveryService) {
    book.set([hook(amount)])
    service.hooksChanged()
  }

  /// The delivery commands of a process without a config.
  private var stored: DeliveryCommands {
    DeliveryCommands(store: store, now: { Self.start })
  }

  /// Returns the delivery commands of a process whose config has the given rate.
  private func stored(_ amount: Int64?) -> DeliveryCommands {
    DeliveryCommands(store: store, rates: HookRates(of: [hook(amount)]), now: { Self.start })
  }

  /// Returns the reported wait of the second delivery.
  private func wait(_ commands: DeliveryCommands) async throws -> Duration? {
    let lines = Mutex<[Value]>([])
    let end = await commands.answer(.retry, [2]) { line in lines.withLock { $0.append(line) } }
    #expect(end == .done)
    let line = try #require(lines.withLock { $0.first })
    let time = line["nextAttemptAt"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
    #expect((line["failure"] == "the hook's rate limit") == (time != nil))
    return time.map { $0 - Self.start }
  }

  private static let hour: Duration = .seconds(3600)

  @Test(arguments: [true, false])
  func `a hook without its rate no longer waits, and nothing is stored for its rate`(
    isRestarted: Bool
  ) async throws {
    book.set([hook(1)])
    for key in ["1", "2"] { try await write(key) }
    var service = service()
    await service.run(until: .idle(patience: .zero))
    #expect(keys == ["1"])
    #expect(try await wait(DeliveryCommands(service)) == Self.hour)
    #expect(try await wait(stored) == Self.hour)
    #expect(try await wait(stored(nil)) == nil)
    setRate(nil, of: service)
    #expect(try await wait(DeliveryCommands(service)) == nil)
    if isRestarted { service = self.service() }
    await service.run(until: .idle(patience: .zero))
    #expect(keys == ["1", "2"])
    #expect(try await store.paces(of: ["x"]).isEmpty)
  }

  @Test(arguments: [true, false])
  func `a rate that is changed and changed back is reported correctly`(isRestarted: Bool)
    async throws
  {
    book.set([hook(600)])
    try await write("1")
    var service = service()
    await service.run(until: .idle(patience: .zero))
    #expect(keys == ["1"])
    try await write("2")
    #expect(try await wait(stored) == nil)
    #expect(try await wait(stored(1)) == Self.hour)

    setRate(1, of: service)
    #expect(try await wait(DeliveryCommands(service)) == Self.hour)
    if isRestarted { service = self.service() }
    service.storeChanged()
    await service.run(until: .idle(patience: .zero))
    #expect(keys == ["1"])
    #expect(try await wait(stored) == Self.hour, "a process without a config also reports the wait")
    #expect(try await wait(stored(600)) == nil)

    setRate(600, of: service)
    #expect(try await wait(DeliveryCommands(service)) == nil)
    setRate(1, of: service)
    #expect(try await wait(DeliveryCommands(service)) == Self.hour)
    setRate(600, of: service)
    if isRestarted { service = self.service() }
    await service.run(until: .idle(patience: .zero))
    #expect(keys == ["1", "2"])
    #expect(try await store.paces(of: ["x"]).keys.sorted() == ["x"])
  }
}

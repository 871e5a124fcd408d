import FetchEngine
import FetchHost
import FetchModel
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Synchronization
import Testing

/// Tests of deliveries in a store that several configs use.
@Suite(.timeLimit(.minutes(5))) struct OtherConfigTests {
  private static let start = Timestamp(seconds: 1_800_000_000)

  private final class Receiver: DeliverySink {
    let keys = Mutex<[String]>([])

    func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
      keys.withLock { $0 += batch.deliveries.map(\.key) }
      return .delivered
    }
  }

  private let folder: String
  private let receiver = Receiver()

  init() throws {
    folder = try TemporaryFolder.make("configs")
    for name in ["a", "b"] { try Data().write(to: URL(filePath: folder + "/" + name)) }
  }

  private func open() async throws -> SQLiteStore {
    try await SQLiteStore.open(at: folder + "/store.sqlite")
  }

  private func write(_ store: SQLiteStore, _ key: String) async throws {
    let new = NewDelivery(
      hook: "x", job: "a", run: nil, event: .newData, payload: "{}", key: key, notBefore: nil,
      createdAt: Self.start)
    try await store.add(new)
  }

  private func deliver(
    _ store: SQLiteStore, log: (@Sendable (String) -> Void)? = nil
  ) async -> [String] {
    let hook = HookConfig(name: "x", sink: .command(CommandSettings(words: ["/bin/true"])))
    var setup = DeliveryService.Setup(
      store: store, hooks: HookRegistry([hook]),
      time: RunTime(now: { Self.start }, random: { .max })
    ) { [receiver] _ in receiver }
    if let log { setup.events = .lines(log) }
    await DeliveryService(setup).run(until: .idle(patience: .zero))
    return receiver.keys.withLock { $0 }
  }

  @Test func `a delivery waits for the config that queued it`() async throws {
    let store = try await open()
    let (a, b) = (folder + "/a", folder + "/b")
    #expect(try await store.use(config: a) == nil)
    try await write(store, "1")
    #expect(try await store.earlierConfig(than: a) == nil)
    let earlier = try #require(try await store.use(config: b))
    #expect(earlier.path.hasSuffix("/a") && earlier.waitingCount == 1)
    #expect(try await store.use(config: b) == nil)
    try await write(store, "2")
    #expect(await deliver(store) == ["2"])
    let shown = try await store.showingConfigs(store.listedDeliveries(onlyDead: false, hook: nil))
    #expect(shown.map(\.failure) == ["queued by \(earlier.path), which no longer uses the store"])

    #expect(try await store.use(config: a)?.waitingCount == 0)
    #expect(await deliver(store) == ["2", "1"])
  }

  @Test func `a delivery of a config that was removed is sent`() async throws {
    let store = try await open()
    _ = try await store.use(config: folder + "/a")
    try await write(store, "1")
    try FileManager.default.removeItem(atPath: folder + "/a")
    #expect(try await store.earlierConfig(than: folder + "/b") == nil)
    #expect(try await store.use(config: folder + "/b") == nil)
    #expect(await deliver(store) == ["1"])
  }

  @Test func `a store that knows no config sends all deliveries`() async throws {
    let store = try await open()
    try await write(store, "1")
    #expect(await deliver(store) == ["1"])
  }

  @Test func `each delivery is logged once`() async throws {
    let store = try await open()
    try await write(store, "1")
    try await write(store, "2")
    let lines = Mutex<[String]>([])
    _ = await deliver(store) { line in lines.withLock { $0.append(line) } }
    let line = "hook 'x': delivered newData of a, to true"
    #expect(lines.withLock { $0 } == [line, line])
    _ = await deliver(store) { line in lines.withLock { $0.append(line) } }
    #expect(lines.withLock { $0.count } == 2)
  }
}

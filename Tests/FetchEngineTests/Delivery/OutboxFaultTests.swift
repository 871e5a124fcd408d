import FetchEngine
import FetchHost
import FetchModel
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of deliveries in a store that temporarily cannot be read.
@Suite(.timeLimit(.minutes(5))) struct OutboxFaultTests {
  private static let start = Timestamp(seconds: 1_800_000_000)

  private final class Receiver: DeliverySink {
    private let taken = Mutex<[String]>([])
    var keys: [String] { taken.withLock { $0 } }

    func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
      taken.withLock { $0.append(batch.key) }
      return .delivered
    }
  }

  private final class Log: Sendable {
    private let all = Mutex<[String]>([])
    var lines: [String] { all.withLock { $0 } }
    func note(_ line: String) { all.withLock { $0.append(line) } }
  }

  private let clock = ManualClock()
  private let receiver = Receiver()
  private let log = Log()
  private let store: SQLiteStore

  init() async throws {
    let path = try TemporaryFolder.make("deliveries") + "/store.sqlite"
    store = try await SQLiteStore.open(at: path)
  }

  private func write(_ key: String) async throws {
    let new = NewDelivery(
      hook: "x", job: "a", run: nil, event: .newData, payload: #"{"items":[]}"#, key: key,
      createdAt: Self.start)
    try await store.add(new)
  }

  private func service(_ rate: Rate? = nil) -> DeliveryService {
    var hook = HookConfig(name: "x", sink: .command(CommandSettings(words: ["true"])))
    hook.rate = rate
    let (clock, receiver, log) = (clock, receiver, log)
    let time = RunTime(now: { Self.start + clock.now.offset }, random: { 0 })
    var setup = DeliveryService.Setup(store: store, hooks: HookRegistry([hook]), time: time) { _ in
      receiver
    }
    setup.clock = clock
    setup.events = .lines { log.note($0) }
    return DeliveryService(setup)
  }

  /// Renames a table, so that reads of the table fail until `show` is called.
  private func hide(_ table: String) async throws {
    try SQLConnection(at: store.path, .readWrite).execute("ALTER TABLE \(table) RENAME TO hidden")
  }

  private func show(_ table: String) async throws {
    try SQLConnection(at: store.path, .readWrite).execute("ALTER TABLE hidden RENAME TO \(table)")
  }

  /// Moves time to the next read of the store, which is expected `seconds` seconds after the start.
  private func look(at seconds: Int) async throws {
    let offset = try await clock.waitForSleeper(notAfter: .seconds(seconds))
    #expect(offset == .seconds(seconds))
    clock.advance(by: offset - clock.now.offset)
  }

  private func until(_ isSo: () throws -> Bool) async rethrows {
    while try !isSo() { await Task.yield() }
  }

  @Test func `the store is read again at growing intervals, and no timer is left after a success`()
    async throws
  {
    try await write("1")
    try await hide("outbox")
    let service = service()
    let running = Task { await service.run(until: .stopped) }
    for seconds in [1, 3, 7, 15, 31, 63, 123] { try await look(at: seconds) }
    _ = try await clock.waitForSleeper(notAfter: .seconds(183))
    #expect(log.lines.count == 1)
    #expect(log.lines[0].hasPrefix("cannot read deliveries: "))
    #expect(log.lines[0].hasSuffix("; retrying"))
    try await show("outbox")
    try await look(at: 183)
    try await until { try store.reader.deliveryCounts().pending == 0 }
    #expect(receiver.keys == ["1"])
    #expect(clock.sleeperCount == 0)

    // The back-off restarts after a success, and a change of the store is read immediately.
    try await hide("outbox")
    service.storeChanged()
    try await look(at: 184)
    _ = try await clock.waitForSleeper(notAfter: .seconds(186))
    #expect(log.lines.count { $0.hasPrefix("cannot read deliveries") } == 2)
    try await show("outbox")
    try await write("2")
    service.storeChanged()
    try await until { try store.reader.deliveryCounts().pending == 0 }
    #expect(receiver.keys == ["1", "2"])
    service.drain()
    await running.value
  }

  @Test
  func `a process that ends when no deliveries are left does not wait for an unreadable store`()
    async throws
  {
    try await hide("outbox")
    await service().run(until: .idle(patience: .zero))
    #expect(log.lines.count == 1)
    let patient = service()
    let running = Task { await patient.run(until: .idle(patience: .seconds(3))) }
    try await look(at: 1)
    try await look(at: 3)
    await running.value
    #expect(log.lines.count { $0.hasPrefix("cannot read deliveries") } == 2)
  }

  @Test func `setting the clock causes another read`() async throws {
    try await write("1")
    try await hide("outbox")
    let service = service()
    let running = Task { await service.run(until: .stopped) }
    _ = try await clock.waitForSleeper(notAfter: .seconds(1))
    try await show("outbox")
    service.clockWasSet()
    await until { receiver.keys == ["1"] }
    service.drain()
    await running.value
  }

  @Test func `no delivery is sent while the usage of a rate cannot be read`() async throws {
    let rate = Rate(amount: 1, period: .hour)
    for key in ["1", "2"] { try await write(key) }
    await service(rate).run(until: .idle(patience: .zero))
    #expect(receiver.keys == ["1"])
    try await hide("ledger")
    let next = service(rate)
    let running = Task { await next.run(until: .stopped) }
    for seconds in [1, 3, 7] { try await look(at: seconds) }
    _ = try await clock.waitForSleeper(notAfter: .seconds(15))
    try await show("ledger")
    try await look(at: 15)
    try await look(at: 3600)
    try await until { try store.reader.deliveryCounts().pending == 0 }
    #expect(receiver.keys == ["1", "2"])
    next.drain()
    await running.value
  }
}

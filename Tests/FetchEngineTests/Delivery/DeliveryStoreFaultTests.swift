import FetchEngine
import FetchHost
import FetchModel
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of deliveries whose results the store temporarily refuses.
@Suite struct DeliveryStoreFaultTests {
  private static let start = Timestamp(seconds: 1_800_000_000)

  private final class Receiver: DeliverySink {
    let taken = Mutex<[String]>([])

    func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
      taken.withLock { taken in
        taken.append(batch.key)
        return taken.count <= 2 ? .failed(DeliveryFailure("down")) : .delivered
      }
    }
  }

  /// Returns the keys of the sent deliveries. The store refuses the operation `deed` on the outbox
  /// until the service has reported two refusals.
  private func keys(refused deed: String) async throws -> [String] {
    let path = try TemporaryFolder.make("deliveries") + "/store.sqlite"
    let store = try await SQLiteStore.open(at: path)
    for key in ["1", "2"] {
      let new = NewDelivery(
        hook: "x", job: "a", run: nil, event: .newData, payload: #"{"items":[]}"#, key: key,
        notBefore: nil, createdAt: Self.start)
      try await store.add(new)
    }
    try SQLConnection(at: path, .readWrite).execute(
      "CREATE TRIGGER refusal BEFORE \(deed) ON outbox BEGIN SELECT RAISE(ABORT, 'no'); END")
    let (clock, receiver) = (ManualClock(), Receiver())
    var setup = DeliveryService.Setup(
      store: store,
      hooks: HookRegistry([
        HookConfig(name: "x", sink: .command(CommandSettings(words: ["true"])))
      ]), time: RunTime(now: { Self.start + clock.now.offset }, random: { 0 })
    ) { _ in receiver }
    setup.clock = clock
    let refusals = Refusals()
    setup.events = .lines { refusals.note($0) }
    let service = DeliveryService(setup)
    let running = Task { await service.run(until: .stopped) }
    while refusals.count < 2 {
      clock.advanceToSleeper()
      await Task.yield()
    }
    try SQLConnection(at: path, .readWrite).execute("DROP TRIGGER refusal")
    while try store.reader.deliveryCounts().pending > 0 {
      clock.advanceToSleeper()
      await Task.yield()
    }
    service.drain()
    await running.value
    return receiver.taken.withLock { $0 }
  }

  private final class Refusals: Sendable {
    private let lines = Mutex(0)
    var count: Int { lines.withLock { $0 } }

    func note(_ line: String) {
      if line.hasSuffix("; retrying in 30 s") { lines.withLock { $0 += 1 } }
    }
  }

  @Test func `a sent delivery is not sent again, and later deliveries wait for it`()
    async throws
  {
    #expect(try await keys(refused: "DELETE") == ["1", "1", "1", "2"])
  }

  @Test func `a failure that could not be stored is retried in its place`() async throws {
    #expect(try await keys(refused: "UPDATE") == ["1", "1", "1", "2"])
  }
}

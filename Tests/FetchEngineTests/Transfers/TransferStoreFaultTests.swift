import FetchModel
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

@testable import FetchEngine
@testable import FetchStoreSQLite

@Suite(.timeLimit(.minutes(5))) struct TransferStoreFaultTests {
  private final class Log: Sendable {
    private let all = Mutex<[String]>([])
    var lines: [String] { all.withLock { $0 } }
    func note(_ line: String) { all.withLock { $0.append(line) } }
  }

  private let stage: TransferStage
  private let half: HalfServer
  private let log = Log()

  init() throws {
    stage = try TransferStage()
    half = try HalfServer()
    stage.asks("a", #"{"transfers": [{"url": "\#(half.url)", "to": "f"}]}"#)
  }

  private func execute(_ sql: String) throws {
    try SQLConnection(at: stage.bench.storePath, .readWrite).execute(sql)
  }

  /// Opens a service, and waits until the service has forgotten transfer 1, which the store refused
  /// to update. The store then accepts the transfer again.
  private func openWithRefusedTransfer() async throws -> OpenTransfers {
    let open = try await stage.open { [log] in log.note($0) }
    try execute(
      """
      CREATE TRIGGER refusal BEFORE UPDATE ON transfers WHEN NEW.etag IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    try await open.run()
    await open.until { half.ranges.count == 1 }
    await open.until {
      open.transfers.withState { $0.queue.runningCount == 0 && $0.attempts.isEmpty }
    }
    try execute("DROP TRIGGER refusal")
    half.finish()
    return open
  }

  @Test func `a transfer that the store refuses stops, and is fetched once the store accepts it`()
    async throws
  {
    let open = try await openWithRefusedTransfer()
    open.transfers.storeChanged()
    try await open.until(1, .done)
    #expect(half.pattern.isFile(stage.path("f")))
    #expect(half.ranges.count == 2)
    #expect(
      log.lines == [
        "transfer 1: the store \(stage.bench.storePath) rejected the data (no)"
      ])
    try await open.stop()
  }

  @Test func `a refused transfer begins again by itself`() async throws {
    let open = try await openWithRefusedTransfer()
    await open.pass(to: ServiceBench.startAt + .seconds(1))
    try await open.until(1, .done)
    #expect(half.pattern.isFile(stage.path("f")))
    let counts = open.transfers.withState { [$0.refusedChangeCount, $0.failedReadCount] }
    #expect(counts == [0, 0])
    try await open.stop()
  }

  @Test func `a plugin is notified once the store accepts that it was`() async throws {
    let open = try await stage.open { [log] in log.note($0) }
    try execute(
      """
      CREATE TRIGGER refusal BEFORE UPDATE ON transfers WHEN NEW.told = 1
        BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    half.finish()
    try await open.run()
    try await open.until(1, .done)
    await open.until { open.transfers.withState { $0.readAgainAt } != nil }
    #expect(try !open.record(1).isTold)
    try execute("DROP TRIGGER refusal")
    await open.pass(to: ServiceBench.startAt + .seconds(1))
    try await open.until { try open.record(1).isTold }
    try await open.stop()
  }

  @Test func `no transfer begins while the store refuses changes`() async throws {
    let open = try await stage.open { [log] in log.note($0) }
    let list = (1...300).map { #"{"url": "{h1}/\#($0)", "to": "\#($0)"}"# }
    stage.asks("a", #"{"transfers": [\#(list.joined(separator: ", "))]}"#)
    for number in 1...300 { stage.site.at("h1/\(number)") { _ in Site.Answer(body: "x") } }
    try execute(
      """
      CREATE TRIGGER refusal BEFORE UPDATE ON transfers
        BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    try await open.run()
    await open.until { open.transfers.withState { $0.readAgainAt } != nil }
    await open.until { open.transfers.withState { $0.attempts.isEmpty } }
    // Some files have arrived before the first one is refused.
    #expect(log.lines.count < 150)
    try execute("DROP TRIGGER refusal")
    await open.pass(to: ServiceBench.startAt + .seconds(1))
    for number in 1...300 { try await open.until(Int64(number), .done) }
    try await open.stop()
  }

  @Test func `the transfers are read again after the store could not be read`() async throws {
    let open = try await openWithRefusedTransfer()
    try execute("ALTER TABLE transfers RENAME TO hidden")
    open.transfers.storeChanged()
    // The refusal has planned a read too, for which the clock must not be moved yet.
    await open.until { open.transfers.withState { $0.failedReadCount } == 1 }
    for seconds in [1, 3] { await open.pass(to: ServiceBench.startAt + .seconds(seconds)) }
    await open.until { open.transfers.withState { $0.failedReadCount } == 3 }
    // Only the first error of a series is reported.
    #expect(log.lines.count == 2)
    try execute("ALTER TABLE hidden RENAME TO transfers")
    await open.pass(to: ServiceBench.startAt + .seconds(7))
    try await open.until(1, .done)
    let readAgainAt = open.transfers.withState { $0.readAgainAt }
    #expect(readAgainAt == nil)
    try await open.stop()
  }
}

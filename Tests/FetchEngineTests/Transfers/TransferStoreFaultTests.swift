import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

@testable import FetchStoreSQLite

@Suite(.timeLimit(.minutes(1))) struct TransferStoreFaultTests {
  @Test func `a transfer that the store refuses stops, and is fetched once the store accepts it`()
    async throws
  {
    let stage = try TransferStage()
    let half = try HalfServer()
    stage.asks("a", #"{"transfers": [{"url": "\#(half.url)", "to": "f"}]}"#)
    let lines = Mutex<[String]>([])
    let open = try await stage.open { line in lines.withLock { $0.append(line) } }
    try SQLConnection(at: stage.bench.storePath, .readWrite).execute(
      """
      CREATE TRIGGER refusal BEFORE UPDATE ON transfers WHEN NEW.etag IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    try await open.run()
    await open.until { half.ranges.count == 1 }
    await open.until { open.transfers.progress.runningCount == 0 }
    try SQLConnection(at: stage.bench.storePath, .readWrite).execute("DROP TRIGGER refusal")
    half.finish()
    open.transfers.storeChanged()
    try await open.until(1, .done)
    #expect(half.pattern.isFile(stage.path("f")))
    #expect(half.ranges.count == 2)
    #expect(
      lines.withLock(\.self) == [
        "transfer 1: the store \(stage.bench.storePath) rejected a run's data (no)"
      ])
    try await open.stop()
  }
}

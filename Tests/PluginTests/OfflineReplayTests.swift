import FetchAuthoring
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of replays of stored runs that never received an answer.
@Suite struct OfflineReplayTests {
  /// A transport that ends each request with the same result.
  private struct FailingTransport: HTTPTransport {
    let fault: HTTPFault
    @concurrent func perform(_ hop: HTTPHop) async -> HTTPHopEnd { HTTPHopEnd(.failure(fault)) }
  }

  private static let plugin = """
    local http = require "http"
    return {
      api = 1, name = "ask", version = "1", permissions = { http = { "a.example" } },
      fetch = function(ctx)
        local answer, problem = http.get("https://a.example/" .. math.random(1000))
        if not answer then return nil, problem end
      end,
    }
    """

  private func failed(
    by fault: HTTPFault
  ) async throws -> (bench: PluginBench, plugin: Plugin, record: RunRecord, content: [UInt8]?) {
    let bench = try await PluginBench()
    let path = bench.folder.path + "/ask.lua"
    try Data(Self.plugin.utf8).write(to: URL(filePath: path))
    let storePath = bench.folder.path + "/kept.sqlite"
    let store = try await SQLiteStore.open(at: storePath)
    var policy = HTTPPolicy(version: "1.0")
    policy.retryDelay = .milliseconds(1)
    let now = Timestamp(seconds: 1_795_000_000)
    let pipeline = RunPipeline(
      RunServices(
        store: store, workers: bench.workers, http: FailingTransport(fault: fault), policy: policy,
        time: RunTime(now: { now }, random: { UInt64.random(in: .min ... .max) })),
      keeping: FailureKeeping(count: 3))
    let report = await pipeline.run(try await bench.job(path), trigger: .manual)
    try await store.close()
    let reader = try StoreReader(at: storePath)
    let row = try reader.keptRuns().first
    #expect(row?.run == report.record.run)
    return (
      bench, try await bench.shelf.plugin(named: path), report.record,
      try row.flatMap { try reader.keptAnswers(of: $0.run) }
    )
  }

  @Test(arguments: [
    (HTTPFault.offline, FailureCode.offline), (.nameResolution, .nameResolution),
    (.connectTimeout(.seconds(10)), .httpTimeout), (.tls("no"), .tls),
    (.totalTimeout, .httpTimeout), (.connect("connection refused"), .connection),
  ])
  func `a run without any answer fails in the same way when it is replayed`(
    fault: HTTPFault, code: FailureCode
  )
    async throws
  {
    let (bench, plugin, record, content) = try await failed(by: fault)
    let failure = try #require(record.outcome.failure)
    #expect(failure.code == code)
    let kept = try KeptRun(encoded: try #require(content))
    let replay = try await KeptReplay(kept, plugin, PluginTest(workers: bench.workers))
    #expect(replay.isSame, "\(failure.code) \(replay.problems) \(replay.diff)")
    #expect(replay.outcome.failure?.message == failure.message)
    #expect(replay.outcome.failure?.code == failure.code)
    try await bench.close()
  }

  @Test func `a run that read local files is not kept, and that is reported`() async throws {
    let (bench, _, record, content) = try await failed(by: .engine("out of memory"))
    #expect(record.outcome.failure != nil)
    #expect(
      KeptRun.reasonUnkept(try #require(content))
        == "a request failed with an error that a recording cannot contain")
    try await bench.close()
  }

  private static func record(_ outcome: Outcome) -> RunRecord {
    let at = Timestamp(seconds: 1_795_000_000)
    return RunRecord(
      run: RunID(startedAt: at, random: (1, 2)), job: "ask", plugin: "ask", trigger: .manual,
      outcome: outcome, startedAt: at)
  }

  @Test(arguments: [
    (
      Outcome.noData(.empty), 0,
      "it did not fail (noData), and answers are kept only for failed runs"
    ),
    (.failed(Failure(.cancelled, "stop")), 0, "it was cancelled: stop"),
    (
      .failed(Failure(.secretUnavailable, "no key")), 2,
      "one of its secrets was unavailable: no key"
    ),
    (
      .failed(Failure(.pluginError, "x")), 1,
      "its answers were not kept: its plugin was not run, keep_failed was 0, or 1 newer failed run"
        + " took its place"
    ),
    (
      .failed(Failure(.pluginError, "x")), 3,
      "its answers were not kept: its plugin was not run, keep_failed was 0, or 3 newer failed"
        + " runs took its place"
    ),
    (
      .failed(Failure(.permission, "not agreed")), 0,
      "its plugin was not run or sent no request: not agreed"
    ),
    (
      .failed(Failure(.pluginError, "x")), 0,
      "its answers were not kept: its plugin was not run, keep_failed was 0, or newer failed"
        + " runs needed the space"
    ),
  ])
  func `the reason why a run is not kept is reported`(
    outcome: Outcome, newerCount: Int, reason: String
  ) {
    #expect(KeptRun.reasonUnkept(Self.record(outcome), newerCount: newerCount) == reason)
  }
}

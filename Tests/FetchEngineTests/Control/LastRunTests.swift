import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchEngine

/// Tests of the status of a job without a schedule, whose runs only the store knows.
@Suite struct LastRunTests {
  private static let start = Timestamp(seconds: 1_800_000_000)
  private static let news = Outcome.newData(ChangeCounts(added: 1))

  private static func failure(_ code: FailureCode) -> Outcome {
    .failed(Failure(code, "it failed"))
  }

  /// Returns the line after the given runs, oldest first. Each began a minute after the one before
  /// it, and took 2.5 seconds.
  private func line(_ runs: [(Outcome, RunTrigger)]) async throws -> StatusLine {
    let store = MemoryStore()
    for (number, (outcome, trigger)) in zip(1..., runs) {
      var record = RunRecord(
        run: RunID(startedAt: Self.start, random: (0, UInt64(number))), job: "a", plugin: "a",
        trigger: trigger, outcome: outcome, startedAt: Self.start + .seconds(60 * number))
      record.duration = .milliseconds(2_500)
      _ = try store.commit(RunCommit(record: record))
    }
    let line = try #require(StatusLine(["job": "a", "state": "idle"]))
    return await store.adding(.unscheduled, to: line)
  }

  private func end(ofRun number: Int) -> Timestamp { Self.start + .seconds(60 * number + 2) }

  @Test func `the latest outcome, success and news count, and the failures in a row`() async throws
  {
    #expect(try await line([]).lastOutcome == nil)
    let one = try await line([(Self.news, .manual)])
    #expect(one.lastOutcome == "newData" && one.failures == 0)
    #expect(one.lastSuccessAt == end(ofRun: 1) && one.lastNewDataAt == end(ofRun: 1))
    let failed = try await line([
      (Self.news, .manual), (Self.failure(.connection), .manual), (.noData(.sameItems), .manual),
      (Self.failure(.abandoned), .manual), (Self.failure(.connection), .manual),
    ])
    #expect(failed.lastOutcome == "failed" && failed.failures == 2)
    #expect(failed.lastSuccessAt == end(ofRun: 3) && failed.lastNewDataAt == end(ofRun: 1))
  }

  /// One run may queue hundreds of transfers.
  @Test func `calls for transfers, cancelled runs and failures for lack of a network do not count`()
    async throws
  {
    let line = try await line(
      [(.noData(.sameItems), .manual), (Self.failure(.connection), .manual)]
        + Array(repeating: (Self.news, .transfer), count: 250)
        + [(Self.failure(.offline), .manual), (Self.failure(.cancelled), .manual)])
    #expect(line.lastOutcome == "failed" && line.failures == 1)
    #expect(line.lastSuccessAt == end(ofRun: 1) && line.lastNewDataAt == nil)
  }
}

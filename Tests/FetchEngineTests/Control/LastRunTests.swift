import FetchModel
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

  /// Returns the line after the given runs, newest first. Each began a minute after the one before
  /// it, and took 2.5 seconds.
  private func line(_ runs: [(Outcome, RunTrigger)]) throws -> StatusLine {
    var line = try #require(StatusLine(["job": "a", "state": "idle"]))
    let count = runs.count
    line.count(
      runs.enumerated().map { place, run in
        var record = RunRecord(
          run: RunID(startedAt: Self.start, random: (0, UInt64(place))), job: "a", plugin: "a",
          trigger: run.1,
          outcome: run.0, startedAt: Self.start + .seconds(60 * (count - place)))
        record.duration = .milliseconds(2_500)
        return record
      })
    return line
  }

  private func end(ofRun number: Int) -> Timestamp { Self.start + .seconds(60 * number + 2) }

  @Test func `the latest outcome, success and news count, and the failures in a row`() throws {
    #expect(try line([]).lastOutcome == nil)
    let one = try line([(Self.news, .manual)])
    #expect(one.lastOutcome == "newData" && one.failures == 0)
    #expect(one.lastSuccessAt == end(ofRun: 1) && one.lastNewDataAt == end(ofRun: 1))
    let failed = try line([
      (Self.failure(.connection), .manual), (Self.failure(.abandoned), .manual),
      (.noData(.sameItems), .manual), (Self.failure(.connection), .manual), (Self.news, .manual),
    ])
    #expect(failed.lastOutcome == "failed" && failed.failures == 2)
    #expect(failed.lastSuccessAt == end(ofRun: 3) && failed.lastNewDataAt == end(ofRun: 1))
  }

  @Test func `calls for transfers, cancelled runs and failures for lack of a network do not count`()
    throws
  {
    let line = try line([
      (Self.failure(.cancelled), .manual), (Self.failure(.offline), .manual),
      (Self.news, .transfer), (Self.failure(.connection), .manual), (.noData(.sameItems), .manual),
    ])
    #expect(line.lastOutcome == "failed" && line.failures == 1)
    #expect(line.lastSuccessAt == end(ofRun: 1) && line.lastNewDataAt == nil)
  }
}

import FetchEngine
import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests that the page about the published JSON matches the names in the code.
@Suite struct DocumentedJSONTests {
  static let page =
    (try? String(
      contentsOf: PluginBench.top.appending(
        path: "Sources/Documentation.docc/Reference/JSON.md"), encoding: .utf8)) ?? ""

  static let words =
    FailureCode.allCases.map(\.rawValue) + NoDataReason.allCases.map(\.rawValue)
    + RunTrigger.allCases.map(\.rawValue) + ChangeKind.allCases.map(\.word)
    + TransferState.allCases.map(\.rawValue) + DeliveryState.allCases.map(\.rawValue)
    + DeliveryEvent.allCases.map(\.rawValue) + JobState.allCases.map(\.rawValue)
    + TriggerLine.Answer.allCases.map(\.rawValue) + LogLine.Level.allCases.map(\.rawValue)
    + PinnedGrant.Source.allCases.map(\.rawValue) + Gate.Kind.allCases.map(\.rawValue)
    + [GateLine.grant]

  @Test(arguments: Set(words).sorted()) func `the page has every word that a value may be`(
    word: String
  ) {
    #expect(Self.page.contains("`\(word)`"))
  }

  @Test func `the page has every key of a run and of a failure`() {
    let failure = Failure(.pluginError, "wrong", file: "a.lua", line: 1)
    let start = Timestamp(seconds: 0)
    let record = RunRecord(
      run: RunID(startedAt: start, random: (1, 2)), job: "news", plugin: "rss", trigger: .manual,
      outcome: .failed(failure),
      startedAt: start)
    let keys = record.json.matches(of: /"([A-Za-z]+)":/).map { String($0.output.1) }
    #expect(keys.count > 18)
    let missing = keys.filter { !Self.page.contains("`\($0)`") }
    #expect(missing.isEmpty)
  }

  @Test func `the page has every key of the daemon's answers to programs`() {
    let lines = [
      OverviewLine(isServed: true).value, WatchLine(items: 1, ended: 1, states: 1).value,
      GateLine("due", why: nil).value,
      PlanLine(job: "a", ExpectedRun(at: Timestamp(seconds: 0), isExact: true)).value,
      LaneLine(
        LaneState(
          hostname: "a.test", connectionsMax: 1, runningCount: 0, waitingCount: 0, gap: .zero)
      ).value,
      MetricsLine(OverviewLine(isServed: true)).value, JobMetricsLine(job: "a").value,
    ]
    let keys = lines.flatMap { $0.objectValue?.members.map(\.key) ?? [] }
    #expect(keys.count > 50)
    #expect(keys.filter { !Self.page.contains("`\($0)`") }.isEmpty)
  }
}

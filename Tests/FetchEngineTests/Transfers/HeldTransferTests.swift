import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of transfers whose job has a changed plugin that waits for approval.
@Suite(.timeLimit(.minutes(5))) struct HeldTransferTests {
  let stage: TransferStage

  init() throws {
    stage = try TransferStage()
    stage.site.at("h1/f") { _ in Site.Answer(headers: ["ETag: \"v1\""], body: "the file") }
    stage.asks("a", #"{"transfers": {"url": "{h1}/f", "to": "f"}}"#)
  }

  /// Replaces the plugin file with a version that requests more permissions.
  private func change() throws {
    let text = try String(contentsOfFile: stage.bench.path("asker.lua"), encoding: .utf8)
    try stage.bench.write(
      "asker.lua", text.replacing("\"127.0.0.1:*\" }", with: "\"127.0.0.1:*\", \"more.example\" }"))
  }

  private func agreement() throws -> ControlRequest {
    let plugin = try stage.bench.config(TransferStage.jobs).jobs[0].plugin
    return .grant(
      of: .job("a"),
      PinnedGrant(
        plugin: GrantName.of(path: plugin), hash: [1],
        granted: AskedPermissions([.reach("*:*"), .keepFiles]),
        at: ServiceBench.startAt, source: .agreement), manifestName: "asker")
  }

  @Test func `a queued transfer waits, continues after the approval, and is reported`()
    async throws
  {
    stage.site.hold("h1/f")
    let first = try await stage.open()
    try await first.run()
    await stage.site.wait(for: "h1/f", count: 1)
    try await first.cancel()
    stage.site.free("h1/f")
    try change()
    let second = try await stage.open()
    let refused = try await second.run()
    #expect(refused.outcome.failure?.code == .permission)
    #expect(refused.requestCount == 0 && refused.outcome.failure?.retryable == false)
    #expect(try second.record(1).state.isPending)
    #expect(stage.site.asked.filter { $0 == "h1/f" }.count == 1)
    let (end, lines) = await second.ask(try agreement())
    #expect(end == .done)
    #expect(lines == [["job": "a", "grantedHash": "01", "isDue": false]])
    try await second.until(1, .done)
    await second.until { !second.reports.isEmpty }
    #expect(second.reports.map(\.record.outcome.failure) == [nil])
    try await second.stop()
    #expect(try stage.bench.records().filter { $0.trigger == .transfer }.count == 1)
  }

  @Test func `a transfer of a disabled job waits until the job is enabled`() async throws {
    stage.site.at("h1/g") { _ in Site.Answer(body: "the other file") }
    stage.asks("b", #"{"transfers": {"url": "{h1}/g", "to": "g"}}"#)
    let open = try await stage.open()
    func reload(_ yaml: String) async throws {
      let config = try stage.bench.config(yaml)
      let prepared = try await stage.bench.prepare(config, named: ["a", "b"])
      try await open.service.reload(config, prepared, local: .utc)
    }
    try await reload(
      TransferStage.jobs.replacing("{name: a, ", with: "{name: a, enabled: false, "))
    try await open.run("a")
    try await open.run("b")
    try await open.until(2, .done)
    #expect(try open.record(1).state == .queued)
    #expect(!stage.site.asked.contains("h1/f"))
    try await reload(TransferStage.jobs)
    try await open.until(1, .done)
    try await open.stop()
  }

  @Test func `an ended transfer is reported after the approval`() async throws {
    stage.site.hold("h1/f")
    let first = try await stage.open()
    try await first.run()
    await stage.site.wait(for: "h1/f", count: 1)
    try change()
    let config = try stage.bench.config(TransferStage.jobs)
    try await first.service.reload(config, stage.bench.prepare(config), local: .utc)
    stage.site.free("h1/f")
    try await first.until(1, .done)
    await first.until { !first.reports.isEmpty }
    #expect(first.reports.map(\.record.outcome.failure?.code) == [.permission])
    #expect(try !first.record(1).isTold)
    _ = await first.ask(try agreement())
    await first.until { first.reports.count == 2 }
    #expect(first.reports.last?.record.outcome.failure == nil)
    #expect(try first.record(1).isTold)
    try await first.stop()
  }
}

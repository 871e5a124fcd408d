import FetchEngine
import FetchModel
import FetchSchedule
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the notifications of plugins about ended transfers. A notification is repeated only if
/// its run was interrupted.
@Suite(.timeLimit(.minutes(5))) struct TransferTellingTests {
  let stage: TransferStage

  init() throws {
    stage = try TransferStage()
    stage.site.at("h1/f") { _ in Site.Answer(headers: ["ETag: \"v1\""], body: "the file") }
    stage.asks("a", #"{"transfers": {"url": "{h1}/f", "to": "f"}}"#)
  }

  private let told = TransferStage.jobs.replacing(
    "options: {url: \"{h0}/a\"}", with: "options: {url: \"{h0}/a\", told: \"{h0}/told\"}")

  /// Returns the notification runs, oldest first.
  private func runs() throws -> [RunRecord] {
    try stage.bench.records().filter { $0.trigger == .transfer }
  }

  private func item() throws -> StoredItem? {
    try StoreReader(at: stage.bench.storePath).items(ItemQuery()).first { $0.key.text == "f" }
  }

  @Test func `a plugin is notified once, in a run for the notification`() async throws {
    let first = try await stage.open()
    try await first.run()
    await first.until { !first.reports.isEmpty }
    try await first.stop()
    #expect(first.ended.map(\.state) == [.done])
    #expect(first.reports.map(\.record.trigger) == [.transfer])
    let item = try #require(try item())
    #expect(item.title == "done")
    let second = try await stage.open()
    try await second.run("a")
    try await second.until(2, .done)
    await second.until { !second.reports.isEmpty }
    try await second.stop()
    // The second transfer is reported, and the first one was not reported again.
    #expect(try runs().count == 2)
    #expect(try second.records().allSatisfy(\.isTold))
  }

  @Test func `the notification has the received file or the failure`() async throws {
    stage.site.at("h1/none") { _ in Site.Answer(status: 404) }
    stage.asks(
      "a",
      #"{"transfers": [{"url": "{h1}/f", "to": "f"}, {"url": "{h1}/none", "to": "none"}]}"#)
    let open = try await stage.open()
    try await open.run()
    await open.until { open.reports.count == 2 }
    try await open.stop()
    let items = try StoreReader(at: stage.bench.storePath).items(ItemQuery())
    let url = "http://h1.localhost:\(stage.site.port)"
    let wanted: [String: Value] = [
      "f": [
        "etag": "\"v1\"", "id": 1, "size": 8, "state": "done", "to": "f",
        "url": .string(url + "/f"),
      ],
      "none": [
        "failure": ["code": "httpStatus", "message": .string(url + "/none answered 404")],
        "id": 2, "state": "failed", "to": "none", "url": .string(url + "/none"),
      ],
    ]
    for (key, ended) in wanted {
      let item = try #require(items.first { $0.key.text == key })
      let fields = try JSONReader.decode(item.fieldsJSON)
      #expect(fields["ended"]?.sorted == ended.sorted)
    }
  }

  @Test func `an interrupted notification is repeated, and the item is news once`()
    async throws
  {
    stage.site.hold("h0/told")
    let first = try await stage.open(told)
    try await first.run()
    await stage.site.wait(for: "h0/told", count: 1)
    try await first.cancel()
    stage.site.free("h0/told")
    #expect(try runs().map { $0.outcome.failure?.code } == [.cancelled])
    let second = try await stage.open(told)
    await second.until { !second.reports.isEmpty }
    try await second.stop()
    #expect(try runs().map { $0.outcome.failure?.code } == [.cancelled, nil])
    #expect(try item()?.change == .added)
    let third = try await stage.open(told)
    try await third.stop()
    #expect(try runs().count == 2)
    #expect(stage.site.asked.filter { $0 == "h1/f" }.count == 1)
  }

  @Test func `a notification counts as delivered even if the plugin fails`() async throws {
    stage.site.at("h0/told") { _ in Site.Answer(status: 500) }
    let open = try await stage.open(told)
    try await open.run()
    await open.until { !open.reports.isEmpty }
    #expect(open.reports.first?.record.outcome.failure?.message == "not told")
    #expect(try open.record(1).isTold)
    try await open.stop()
    let second = try await stage.open(told)
    try await second.stop()
    #expect(try runs().count == 1)
  }

  @Test func `a plugin without on_transfer is not run`() async throws {
    stage.asks("b", #"{"transfers": {"url": "{h1}/f", "to": "f"}}"#)
    let yaml = """
      jobs:
        - {name: b, plugin: ./deaf.lua, options: {url: "{h0}/b"}, interval: never}
      """
    let open = try await stage.open(yaml)
    try await open.run("b")
    #expect(try await open.until(1, .done).isTold)
    try await open.stop()
    #expect(try runs().isEmpty)
    #expect(open.reports.isEmpty)
  }

  @Test func `a notification waits until the job's active run has ended`() async throws {
    let open = try await stage.open()
    stage.site.hold("h1/f")
    try await open.run()
    await stage.site.wait(for: "h1/f", count: 1)
    stage.site.hold("h0/a")
    _ = open.service.jobs.trigger("a", .manual, now: stage.bench.now)
    open.service.loop.poke()
    await stage.site.wait(for: "h0/a", count: 2)
    stage.site.free("h1/f")
    try await open.until(1, .done)
    await open.until { !open.ended.isEmpty }
    #expect(try runs().isEmpty)
    stage.site.free("h0/a")
    await open.until { open.reports.count == 2 }
    try await open.stop()
    // The active run requested the file again, because the first transfer had ended.
    #expect(try stage.bench.records().map(\.trigger).prefix(3) == [.manual, .manual, .transfer])
  }
}

extension Value {
  /// The value with the members of all objects sorted by name.
  fileprivate var sorted: Value {
    guard case .object(let object) = self else { return self }
    let members = object.members.sorted { $0.key < $1.key }
    return .object(ValueObject(members.map { ($0.key, $0.value.sorted) }))
  }
}

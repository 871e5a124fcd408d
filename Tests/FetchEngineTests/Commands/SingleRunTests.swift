import FetchEngine
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of a command's single run of a plugin, without starting the program.
@Suite struct SingleRunTests {
  private let bench: ServiceBench
  private let recorder = EventRecorder()

  init() throws { bench = try ServiceBench(inMemory: true) }

  private func job() async throws -> Job {
    let config = try bench.config(
      """
      jobs:
        - { name: a, plugin: rss, options: { url: "{h1}/a" } }
      """)
    return try #require(try await bench.prepare(config).first)
  }

  @Test func `the run is reported with its news, and the store is closed at the end`() async throws
  {
    bench.site.at("h1/a") { _ in Site.Answer(body: Site.feed(items: 3)) }
    let store = try await bench.openStore()
    let run = SingleRun(
      bench.pipeline(store), events: recorder.sink { Issue.record("\($0)") })
    let result = try await run.run(try await job(), waitsForTransfers: true)
    #expect(result.records.map(\.outcome) == [.newData(ChangeCounts(added: 3))])
    #expect(result.failedTransferCount == 0)
    #expect(recorder.reports.map(\.lines.count) == [3])
    let error = await #expect(throws: StoreError.self) { _ = try await store.jobs() }
    #expect(error?.code == .closed)
    let records = try await bench.openStore().runs(job: nil, limit: nil)
    #expect(records.map(\.run) == result.records.map(\.run))
  }

  @Test func `undelivered events are counted at the end, and stay in the outbox`()
    async throws
  {
    let settings = CommandSettings(words: ["false"])
    var hook = HookConfig(name: "on-new", sink: .command(settings))
    hook.scope = .jobs(["a"])
    hook.events = [.added]
    hook.batching = .digest(.seconds(3600))
    var hooks = SingleRun.Hooks()
    hooks.configs = [hook]
    hooks.next = "the next run"
    let lines = Mutex<[String]>([])
    let events = EventSink { event in
      let line = if case .runEnded = event { "run" } else { event.entry?.line ?? "" }
      lines.withLock { $0.append(line) }
    }
    let store = try await bench.openStore()
    let run = SingleRun(bench.pipeline(store), hooks: hooks, events: events)
    _ = try await run.run(try await job(), waitsForTransfers: true)
    let all = lines.withLock { $0 }
    #expect(
      all == [
        "run", "1 delivery waits in the outbox for the next run: see fetchrun deliveries",
      ])
    #expect(try await bench.openStore().deliveryCounts() == (1, 0))
  }
}

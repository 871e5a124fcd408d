import FetchModel
import FetchSchedule
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Testing

@testable import FetchEngine

/// Tests of jobs whose store is full or lost, and of jobs that exceed their share of the store.
@Suite struct StoreTroubleRunTests {
  let bench: ServiceBench

  init() throws { bench = try ServiceBench() }

  private static let minute: Duration = .seconds(60)

  /// Makes the server answer with a feed that has one item of 1.5 MB.
  private func large() {
    let text = String(repeating: "all the news ", count: 120_000)
    bench.site.at("h1/a") { _ in
      Site.Answer(
        body: """
          <rss version="2.0"><channel><title>t</title>
          <item><guid>1</guid><description>\(text)</description></item></channel></rss>
          """)
    }
  }

  private func jobs(_ more: String = "") -> String {
    """
    \(more)
    jobs:
      - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1d}
    """
  }

  private func retention(bytesMax: Int64) -> Retention {
    var retention = Retention()
    retention.bytesMax = bytesMax
    // The job's share is larger than the store, so only the store is full.
    retention.jobBytesMax = 100_000_000
    return retention
  }

  @Test
  func `a full store is no failure of the source, and the run is repeated when space is free`()
    async throws
  {
    large()
    let open = try await bench.open(jobs()) { _ in }
    try await open.store.setLimits(retention(bytesMax: 1_000_000))
    open.begin(until: .stopped)
    await open.pass(Self.minute * 30)
    #expect(open.starts("a") == [0, 1, 3, 7, 15, 25].map { Self.minute * $0 })
    #expect(open.schedule("a")?.failureCount == 0)
    #expect(open.schedule("a")?.lastSuccessAt == nil)
    #expect(open.records.allSatisfy { $0.outcome.failure?.code == .storeUnavailable })
    #expect(open.notices.isEmpty)
    guard case .store(let trouble, _, let probeAt) = open.waitReason("a") else {
      Issue.record("\(String(describing: open.waitReason("a")))")
      return
    }
    #expect(trouble.mayPass && trouble.message.contains("has reached its maximum size of 976 KiB"))
    #expect(probeAt == ServiceBench.startAt + Self.minute * 35)
    try await open.store.setLimits(retention(bytesMax: 10_000_000))
    await open.pass(Self.minute * 10)
    #expect(open.records.last?.outcome == .newData(ChangeCounts(added: 1)))
    #expect(open.service.jobs.storeTrouble == nil)
    await open.pass(Self.minute * 60 * 24)
    #expect(open.records.last?.outcome == .noData(.sameBody))
    try await open.stop()
    #expect(try bench.records().filter { $0.outcome.failure == nil }.count == 2)
  }

  @Test(
    arguments: [
      (StoreError.Code.locked, true), (.inDoubt, true), (.fenced, false), (.replaced, false),
    ])
  func `only trouble that may pass is tested again`(code: StoreError.Code, mayPass: Bool) {
    #expect(StoreError(code, "why").trouble == StoreTrouble("why", mayPass: mayPass))
  }

  @Test func `a store that is deleted while a daemon runs is noticed, and no more runs start`()
    async throws
  {
    let open = try await bench.open(
      """
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1h}
        - {name: b, plugin: rss, options: {url: "{h2}/a"}, interval: 3h}
      """
    ) { _ in }
    open.begin(until: .stopped)
    await open.pass(Self.minute * 30)
    #expect(open.starts("a").count == 1)
    let visits = bench.site.asked.count
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: bench.storePath + suffix)
    }
    await open.pass(Self.minute * 60 * 24)
    #expect(open.starts("a").count == 2)
    #expect(open.starts("b").count == 1)
    #expect(bench.site.asked.count == visits, "no run may make a request")
    for job in ["a", "b"] {
      let reason = try #require(open.waitReason(JobName(job))).sentence(now: bench.now)
      #expect(reason.contains("the store \(bench.storePath) was deleted: restore a copy of it"))
      #expect(reason.hasSuffix("no job runs until fetchrun is restarted"))
    }
    await #expect(throws: StoreError.self) { try await open.stop() }
    #expect(!FileManager.default.fileExists(atPath: bench.storePath))
  }

  @Test func `a job that would exceed its share fails, and the failure names the limit`()
    async throws
  {
    large()
    let open = try await bench.open(
      jobs() + "\n  - {name: small, plugin: rss, options: {url: \"{h2}/a\"}, interval: 1d}")
    var retention = Retention()
    retention.jobBytesMax = 1_000_000
    try await open.store.setLimits(retention)
    open.begin(until: .stopped)
    await open.pass(Self.minute)
    let failure = open.records.first { $0.job == "a" }?.outcome.failure
    #expect(failure?.code == .storeQuota)
    #expect(
      failure?.message == "the job's items would take 1.5 MB in the store, which keeps at most"
        + " 1.0 MB for one job: raise `job_size` under `keep` in the config, or keep fewer"
        + " versions")
    #expect(open.schedule("a")?.failureCount == 1)
    #expect(
      open.records.first { $0.job == "small" }?.outcome == .newData(ChangeCounts(added: 1)))
    try await open.stop()
    #expect(try bench.records().count == 2)
  }

  @Test func `retention is applied with the configured limits while jobs are served`() async throws
  {
    let open = try await bench.serve(
      """
      keep: { runs: 2d }
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1h}
      """)
    for _ in 0..<10 {
      await open.pass(Self.minute * 60 * 24)
      while await open.service.upkeep.step() < Self.minute {}
    }
    try await open.stop()
    let count = try bench.records().count
    #expect((48...50).contains(count), "\(count)")
  }
}

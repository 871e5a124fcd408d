import FetchEngine
import FetchModel
import FetchSchedule
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of hooks' requests to servers. These requests are charged to budgets, take turns at a
/// hostname, and respect cooldowns.
@Suite(.timeLimit(.minutes(5))) struct HookUsageTests {
  let bench: ServiceBench
  private let told = Told()

  private final class Told: Sendable {
    let lines = Mutex<[String]>([])
  }

  /// A flag for the end of the test's deliveries.
  private final class Over: Sendable {
    let isReached = Mutex(false)
  }

  init() throws { bench = try ServiceBench() }

  /// Returns a service whose first runs have ended.
  private func service(_ yaml: String) async throws -> OpenService {
    let open = try await bench.open(yaml) { [told] line in told.lines.withLock { $0.append(line) } }
    open.begin(until: .stopped)
    await open.untilQuiet()
    return open
  }

  private func deliver(_ open: OpenService) async {
    await open.service.deliveries.run(until: .idle(patience: .zero))
  }

  private func write(_ functions: String) throws {
    try bench.write(
      "room.lua",
      bench.addressed(
        """
        local http = require "http"
        return { permissions = { http = { "*.localhost:*" } }, \(functions) }
        """))
  }

  private static let post = """
    on_new_data = function()
      local response, problem = http.post("{h2}/room", { json = {} })
      if not response then return nil, problem end
      if not response.ok then return nil, "answered " .. response.status end
    end
    """

  private static let room = """
    hooks:
      - {name: room, lua: {file: ./room.lua}}
    jobs:
      - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1d}
    """

  private var waiting: [Delivery] {
    get throws { try StoreReader(at: bench.storePath).pendingDeliveries() }
  }

  private func spentRequests(_ open: OpenService) -> Double {
    open.service.jobs.look { $0.budget.spent.requests }
  }

  @Test func `requests of before_run and on_item are charged to the run`() async throws {
    bench.site.at("h2/item") { _ in
      Site.Answer(status: 429, headers: ["Retry-After: 600"], body: "later")
    }
    try write(
      """
      before_run = function() assert(http.get("{h3}/before")) end,
      on_item = function(item)
        item.summary = tostring(http.get("{h2}/item").status)
        local again, problem = http.get("{h2}/item")
        item.author = problem
        return item
      end
      """)
    let open = try await service(Self.room)
    #expect(bench.site.asked == ["h3/before", "h1/a", "h2/item"])
    let record = try #require(open.records.first)
    #expect(record.outcome.counts.added == 1)
    #expect(record.requestCount == 3)
    #expect(record.receivedBytes > 2 * Site.feed(items: 1).utf8.count)
    #expect(spentRequests(open) == 3)
    // During the server's cooldown no request is sent, not even after a restart.
    let until = ServiceBench.startAt + .seconds(600)
    #expect(open.service.jobs.look { $0.closedUntil("h2.localhost", now: bench.now) } == until)
    let reader = try StoreReader(at: bench.storePath)
    #expect(Array(try reader.coolDowns(after: bench.now).values) == [until])
    let fields = try reader.items(ItemQuery()).first?.fields
    #expect(fields?["summary"] == "429")
    #expect(
      fields?["author"]?.stringValue
        == "no requests are sent to h2.localhost until 2026-11-20T00:10:00.000Z, because of an"
        + " earlier answer")
    try await open.stop()
  }

  @Test func `a spent budget delays a delivery, and its requests are charged`() async throws {
    try write(Self.post)
    let open = try await service("budget: {requests: 2/h}\n" + Self.room)
    await deliver(open)
    #expect(bench.site.asked == ["h1/a"])
    let held = try #require(try waiting.first)
    #expect(held.failure == "the budget is spent")
    #expect(held.attemptCount == 0 && held.failingSince == nil)
    #expect(held.nextAttemptAt == ServiceBench.startAt + .seconds(1800))
    #expect(
      told.lines.withLock { $0 } == ["hook 'room': deliveries wait: the budget is spent"])
    bench.clock.advance(by: .seconds(1800))
    await deliver(open)
    #expect(bench.site.asked == ["h1/a", "h2/room"])
    #expect(try waiting.isEmpty)
    #expect(spentRequests(open) == 2)
    // The costs are stored without another run.
    await open.service.keepSpending()
    try await open.stop()
    let next = try await bench.open("budget: {requests: 2/h}\njobs: []")
    #expect(spentRequests(next) == 2)
    try await next.stop()
  }

  private static let busyRoom = """
    hooks:
      - {name: room, dead_after: 1s, lua: {file: ./room.lua, limits: {cpu: 50ms}}}
    jobs:
      - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1d, budget: {cpu: 10m/d}}
    """

  private func spentCPU(_ open: OpenService) -> (all: Double, own: Double) {
    open.service.jobs.look { scheduler in
      let own = scheduler.number(of: "a").flatMap { scheduler.quota(of: $0) }
      return (scheduler.budget.spent.cpuMilliseconds, own?.spent.cpuMilliseconds ?? 0)
    }
  }

  @Test(arguments: ["before_run", "on_item"])
  func `the CPU time of before_run and on_item is charged to the run`(function: String) async throws
  {
    try write("\(function) = function() while true do end end")
    let open = try await service(Self.busyRoom)
    let record = try #require(open.records.first)
    #expect(record.outcome.counts.added == 1)
    #expect(record.cpu >= .milliseconds(50))
    let stored = try #require(try bench.records().first)
    #expect(stored.cpu.wholeMicroseconds == record.cpu.wholeMicroseconds)
    let spent = spentCPU(open)
    #expect(spent.all == Double(record.cpu.wholeMicroseconds) / 1000)
    #expect(spent.own == spent.all)
    try await open.stop()
  }

  @Test func `the CPU time of a delivery is charged to the budget of all jobs and to its job`()
    async throws
  {
    try bench.write("room.lua", "return { on_new_data = function() while true do end end }")
    let open = try await service(Self.busyRoom)
    let before = spentCPU(open)
    await deliver(open)
    let after = spentCPU(open)
    #expect(after.all >= before.all + 50)
    #expect(after.own - before.own == after.all - before.all)
    #expect(spentRequests(open) == 1)
    try await open.stop()
  }

  @Test func `a digest whose calls have begun is completed, whatever it costs`() async throws {
    bench.site.at("h3/b") { _ in Site.Answer(body: Site.feed(items: 0)) }
    try write(Self.post + ", on_no_data = function() assert(http.get(\"{h4}/quiet\")) end")
    let open = try await service(
      """
      budget: {requests: 20/h}
      hooks:
        - {name: room, on: [added, noData], digest: 1h, lua: {file: ./room.lua}}
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1d}
        - {name: b, plugin: rss, options: {url: "{h3}/b"}, interval: 1d}
      """)
    await open.pass(.seconds(3600))
    #expect(open.records.count == 2)
    await deliver(open)
    #expect(Set(bench.site.asked.suffix(2)) == ["h2/room", "h4/quiet"])
    #expect(try waiting.isEmpty)
    #expect(spentRequests(open) == 4)
    try await open.stop()
  }

  @Test func `a hook that makes no requests does not wait for the budget`() async throws {
    try bench.write("room.lua", "return { on_new_data = function() end }")
    let open = try await service("budget: {requests: 1/d}\n" + Self.room)
    await deliver(open)
    #expect(try waiting.isEmpty)
    try await open.stop()
  }

  @Test func `deliveries respect a cooldown that a run has received`() async throws {
    bench.site.at("h2/b") { _ in
      Site.Answer(status: 503, headers: ["Retry-After: 900"], body: "")
    }
    try write(Self.post)
    let open = try await service(
      """
      hooks:
        - {name: room, lua: {file: ./room.lua}}
        - {name: posted, webhook: {url: "{h2}/posted", allow_private: true}}
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1d}
        - {name: b, plugin: rss, options: {url: "{h2}/b"}, interval: 1d}
      """)
    await deliver(open)
    #expect(bench.site.asked.filter { $0.hasPrefix("h2") } == ["h2/b"])
    #expect(try waiting.count == 2)
    for delivery in try waiting {
      #expect(
        delivery.failure == "no requests are sent to h2.localhost until 2026-11-20T00:15:00.000Z,"
          + " because of an earlier answer"
      )
      #expect(delivery.attemptCount == 0)
      #expect(delivery.nextAttemptAt == ServiceBench.startAt + .seconds(900))
    }
    // The loop is drained, because the failed job would be due at the same time as the deliveries.
    open.service.loop.drain()
    await open.untilOver()
    bench.clock.advance(by: .seconds(900))
    let delivering = Task { await deliver(open) }
    // Requests take turns at a hostname, with a gap of one second between two of them.
    _ = try await bench.clock.waitForSleeper(notAfter: .seconds(901))
    #expect(bench.site.asked.count { $0.hasPrefix("h2") } == 2)
    bench.clock.advance(by: .seconds(1))
    await delivering.value
    #expect(Set(bench.site.asked.suffix(2)) == ["h2/room", "h2/posted"])
    #expect(try waiting.isEmpty)
    try await open.stop()
  }

  @Test func `all hooks respect a receiver's cooldown, even after a restart`()
    async throws
  {
    bench.site.at("h2/posted") { count in
      count > 1 ? Site.Answer() : Site.Answer(status: 429, headers: ["Retry-After: 600"], body: "")
    }
    let yaml = """
      hooks:
        - {name: posted, webhook: {url: "{h2}/posted", allow_private: true}}
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1d}
        - {name: b, plugin: rss, options: {url: "{h3}/b"}, interval: 1d}
      """
    let open = try await service(yaml)
    let over = Over()
    let delivering = Task {
      await deliver(open)
      over.isReached.withLock { $0 = true }
    }
    // The answer must come before the other request's turn.
    while try waiting.allSatisfy({ $0.attemptCount == 0 }) { await Task.yield() }
    // The other request sleeps until its turn, unless it arrives after the answer.
    while !over.isReached.withLock({ $0 }) {
      if let first = bench.clock.firstSleeper, first <= .seconds(1) {
        bench.clock.advanceToSleeper()
      }
      await Task.yield()
    }
    await delivering.value
    #expect(bench.site.asked.count { $0.hasPrefix("h2") } == 1)
    let until = ServiceBench.startAt + .seconds(600)
    #expect(try waiting.map(\.attemptCount).sorted() == [0, 1])
    #expect(try waiting.map(\.nextAttemptAt) == [until, until])
    // A user can still force a delivery.
    let other = try #require(try waiting.first { $0.attemptCount == 0 })
    _ = try await DeliveryCommands(open.service.deliveries).retry(other.id)
    bench.clock.advance(by: .seconds(1))
    await deliver(open)
    #expect(bench.site.asked.count { $0.hasPrefix("h2") } == 2)
    #expect(try waiting.map(\.attemptCount) == [1])
    try await open.stop()
    #expect(
      Array(try StoreReader(at: bench.storePath).coolDowns(after: bench.now).values) == [until])
  }
}

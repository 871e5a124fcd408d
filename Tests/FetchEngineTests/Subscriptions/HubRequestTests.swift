import FetchHost
import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

@testable import FetchEngine

/// Tests of the requests to hubs, against scripted hubs on loopback: websub.rocks' subscriber tests
/// 203 and 204, and hubs that misbehave.
@Suite struct HubRequestTests {
  private static let http = HTTPEngine()
  private static let now = Timestamp(seconds: 1_800_000_000)

  private func ask(
    _ server: ScriptedServer, hub: String = "/hub", topic: String? = nil,
    privateAddresses: PrivateAddresses = .all, cooldowns: (any Cooldowns)? = nil,
    gate: any TransferGate = OpenGate()
  ) async -> HubRequests.Answer {
    var policy = HTTPPolicy(version: "1.0")
    policy.cooldowns = cooldowns
    let requests = HubRequests(
      transport: Self.http, policy: policy, gate: gate,
      privateAddresses: { _ in privateAddresses }, now: { Self.now })
    let subscription = Subscription(
      job: "news", topic: topic ?? server.url + "/feed?a=1&b=ü", hub: server.url + hub,
      capability: [1], secret: [0, 255])
    return await requests.ask(subscription, callback: "https://me.test/websub/AQ")
  }

  @Test func `the request is a form with topic, callback, secret and lease`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(202) }
    defer { server.stop() }
    #expect(await ask(server) == .accepted)
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.path == "/hub")
    #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
    let body = String(decoding: request.body, as: UTF8.self)
    #expect(body.hasPrefix("hub.mode=subscribe&hub.topic=http%3A%2F%2F127.0.0.1"))
    #expect(body.contains("%3Fa%3D1%26b%3D%C3%BC&"))
    #expect(body.contains("&hub.callback=https%3A%2F%2Fme.test%2Fwebsub%2FAQ&hub.secret=00ff&"))
    #expect(body.hasSuffix("&hub.lease_seconds=864000"))
  }

  @Test(arguments: [307, 308])
  func `a hub that has moved is asked at its new address, with the same form`(
    status: Int
  ) async throws {
    let server = try ScriptedServer { request, connection in
      if request.path == "/hub" {
        connection.answer(status, ["Location: /new?x=1"])
      } else {
        connection.answer(202)
      }
    }
    defer { server.stop() }
    #expect(await ask(server) == .accepted)
    #expect(server.requests.map(\.path) == ["/hub", "/new?x=1"])
    #expect(server.requests.map(\.method) == ["POST", "POST"])
    #expect(server.requests.first?.body == server.requests.last?.body)
  }

  @Test func `a hub may redirect three times, and to safe addresses alone`() async throws {
    let endless = try ScriptedServer { _, connection in
      connection.answer(307, ["Location: /hub"])
    }
    defer { endless.stop() }
    #expect(await ask(endless) == .failed("the hub's address leads to more than 3 redirects"))
    #expect(endless.requests.count == 4)
    let away = try ScriptedServer { _, connection in
      connection.answer(308, ["Location: http://other.localhost/"])
    }
    defer { away.stop() }
    #expect(
      await ask(away)
        == .failed(
          "the hub's address, also after a redirect, must begin with https:// or have the same"
            + " origin as the feed"))
    let odd = try ScriptedServer { _, connection in
      connection.answer(307, ["Location: file:///etc/passwd"])
    }
    defer { odd.stop() }
    guard case .failed = await ask(odd) else {
      Issue.record("followed")
      return
    }
    // 301 and 302 would turn the POST into a GET.
    let found = try ScriptedServer { _, connection in
      connection.answer(302, ["Location: /new"])
    }
    defer { found.stop() }
    #expect(await ask(found) == .failed("127.0.0.1:\(found.port) answered 302"))
    #expect(found.requests.count == 1)
  }

  @Test func `each sent request is charged, redirects too`() async throws {
    let server = try ScriptedServer { request, connection in
      if request.path == "/hub" {
        connection.answer(307, ["Location: /new"])
      } else {
        connection.answer(202)
      }
    }
    defer { server.stop() }
    let gate = CountingGate()
    #expect(await ask(server, gate: gate) == .accepted)
    #expect(gate.requests == 2)
    // A hub without encryption on another server is not asked.
    _ = await ask(server, topic: "https://feed.test/", gate: gate)
    #expect(gate.requests == 2)
  }

  @Test func `a hub on another server must use https`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(202) }
    defer { server.stop() }
    guard case .failed = await ask(server, topic: "https://feed.test/") else {
      Issue.record("sent a secret without encryption")
      return
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `a hub at a private address needs the job's permission`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(202) }
    defer { server.stop() }
    guard case .failed(let message) = await ask(server, privateAddresses: .none) else {
      Issue.record("reached a private address")
      return
    }
    #expect(message.contains("127.0.0.1"))
    #expect(server.requests.isEmpty)
  }

  @Test func `errors and a Retry-After are answers`() async throws {
    let broken = try ScriptedServer { _, connection in connection.answer(500) }
    defer { broken.stop() }
    #expect(await ask(broken) == .failed("127.0.0.1:\(broken.port) answered 500"))
    let busy = try ScriptedServer { _, connection in
      connection.answer(429, ["Retry-After: 120"])
    }
    defer { busy.stop() }
    #expect(await ask(busy) == .postponed(until: Timestamp(seconds: 1_800_000_120)))
  }

  @Test func `a hub's Retry-After is a cooldown of its hostname, also for later requests`()
    async throws
  {
    let server = try ScriptedServer { _, connection in
      connection.answer(429, ["Retry-After: 120"])
    }
    defer { server.stop() }
    let jobs = ScheduledJobs(
      scheduler: Scheduler(budget: Budget(BudgetLimits(), now: Self.now), now: Self.now))
    let until = Self.now + .seconds(120)
    #expect(await ask(server, cooldowns: jobs) == .postponed(until: until))
    #expect(jobs.closedUntil("127.0.0.1", now: Self.now) == until)
    #expect(await ask(server, cooldowns: jobs) == .postponed(until: until))
    #expect(server.requests.count == 1)
  }
}

/// A gate without limits that counts the charged requests.
private final class CountingGate: TransferGate {
  private let charged = Mutex(RunCost())

  var requests: Double { charged.withLock(\.requests) }

  func places(at hostname: String) -> Int { .max }
  func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp? { nil }
  func close(_ hostname: String, until: Timestamp, now: Timestamp) {}
  func opening(for cost: RunCost, of job: JobName, now: Timestamp) -> Timestamp? { nil }

  func charge(_ cost: RunCost, to job: JobName, now: Timestamp) -> Bool {
    charged.withLock { $0.requests += cost.requests }
    return true
  }
}

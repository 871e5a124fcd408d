import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of requests to hostnames that have requested a pause.
@Suite struct CooldownTests {
  /// The scripted ends of pauses by hostname. Each query takes one end. When no end is left, a
  /// query returns nil.
  private final class Closures: Cooldowns {
    private let answers: Mutex<[String: [Timestamp]]>
    private let reported = Mutex<[RetryAfterNote]>([])

    init(_ answers: [String: [Timestamp]]) { self.answers = Mutex(answers) }

    var notes: [RetryAfterNote] { reported.withLock { $0 } }

    func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp? {
      answers.withLock { answers in
        guard let first = answers[hostname]?.first else { return nil }
        answers[hostname]?.removeFirst()
        return first
      }
    }

    func close(_ note: RetryAfterNote, now: Timestamp) { reported.withLock { $0.append(note) } }
  }

  private func fixture(_ closures: Closures) -> SessionFixture {
    var fixture = SessionFixture()
    fixture.policy.cooldowns = closures
    return fixture
  }

  private func server() throws -> ScriptedServer {
    try ScriptedServer { _, connection in connection.answer(200, [], "ok") }
  }

  @Test func `a request waits for the end of the pause if that is within its time`() async throws {
    let server = try server()
    let start = SessionFixture.startAt
    var fixture = fixture(Closures(["127.0.0.1": [start + .seconds(5), start + .seconds(7)]]))
    let clock = WaitedClock()
    fixture.clock = clock
    #expect(try await fixture.get(server.url).get().text == "ok")
    // Another request has received a longer pause meanwhile.
    #expect(clock.waits == [.seconds(5), .seconds(7)])
  }

  @Test func `a request that would wait too long is not sent`() async throws {
    let server = try server()
    let until = SessionFixture.startAt + .seconds(120)
    let session = fixture(Closures(["127.0.0.1": [until]])).session()
    let failure = await session.send(HTTPRequest(url: server.url)).failure
    #expect(failure?.code == .httpStatus && failure?.retryable == true)
    #expect(
      failure?.message
        == "no requests are sent to 127.0.0.1 until \(until), because of an earlier answer")
    #expect(session.postponedUntil == until)
    #expect(server.requests.isEmpty)
  }

  @Test func `a redirect to a hostname in a pause is not followed`() async throws {
    let server = try ScriptedServer { request, connection in
      let port = request.header("host")?.split(separator: ":").last ?? ""
      connection.answer(302, ["Location: http://localhost:\(port)/there"])
    }
    let until = SessionFixture.startAt + .seconds(120)
    let session = fixture(Closures(["localhost": [until]])).session()
    let failure = await session.send(HTTPRequest(url: server.url + "/here")).failure
    #expect(
      failure?.message
        == "no requests are sent to localhost until \(until), because of an earlier answer")
    #expect(server.requests.map(\.path) == ["/here"])
  }

  @Test(arguments: [false, true])
  func `a request to a hostname that is not granted does not wait for its pause`(
    afterRedirect: Bool
  ) async throws {
    let server = try ScriptedServer { request, connection in
      let port = request.header("host")?.split(separator: ":").last ?? ""
      connection.answer(302, ["Location: http://localhost:\(port)/there"])
    }
    let until = SessionFixture.startAt + .seconds(120)
    var fixture = SessionFixture(hosts: ["127.0.0.1"])
    fixture.policy.cooldowns = Closures(["localhost": [until]])
    let session = fixture.session()
    let url = afterRedirect ? server.url : server.url.replacing("127.0.0.1", with: "localhost")
    let failure = await session.send(HTTPRequest(url: url)).failure
    #expect(failure?.code == .permission && failure?.retryable == false)
    #expect(session.postponedUntil == nil)
  }

  /// One pause of five seconds, which only the first query about the hostname returns. Each query
  /// about the hostname records the number of turns in use.
  private final class ClosedOnce: Cooldowns {
    private let lanes: RequestLanes
    private let hostname: String
    private let taken = Mutex<[Int]>([])

    init(_ hostname: String, _ lanes: RequestLanes) {
      (self.hostname, self.lanes) = (hostname, lanes)
    }

    var turns: [Int] { taken.withLock { $0 } }

    func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp? {
      guard hostname == self.hostname else { return nil }
      let count = lanes.usageCount
      return taken.withLock { taken in
        taken.append(count)
        return taken.count == 1 ? now + .seconds(5) : nil
      }
    }

    func close(_ note: RetryAfterNote, now: Timestamp) {}
  }

  @Test func `a redirect to a closed hostname waits without using a turn at the first hostname`()
    async throws
  {
    let server = try ScriptedServer { request, connection in
      let port = request.header("host")?.split(separator: ":").last ?? ""
      if request.path == "/there" { return connection.answer(200, [], "ok") }
      connection.answer(302, ["Location: http://localhost:\(port)/there"])
    }
    var rule = LaneRule()
    rule.gap = .zero
    var rules = LaneRules()
    rules.set(rule, for: try #require(HostPattern("*")))
    let lanes = RequestLanes(rules: rules)
    let closed = ClosedOnce("localhost", lanes)
    var fixture = SessionFixture()
    fixture.policy.lanes = lanes
    fixture.policy.cooldowns = closed
    let clock = WaitedClock()
    fixture.clock = clock
    #expect(try await fixture.get(server.url + "/here").get().text == "ok")
    #expect(clock.waits == [.seconds(5)])
    #expect(closed.turns == [1, 0])
    #expect(lanes.usageCount == 0)
  }

  @Test(arguments: [403, 429, 503]) func `a server's pause is reported immediately`(
    status: Int
  ) async throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(status, ["Retry-After: 600"])
    }
    let closures = Closures([:])
    #expect(try await fixture(closures).get(server.url).get().status == status)
    let until = SessionFixture.startAt + .seconds(600)
    #expect(
      closures.notes == [
        RetryAfterNote(origin: server.url, hostname: "127.0.0.1", status: status, until: until)
      ])
  }
}

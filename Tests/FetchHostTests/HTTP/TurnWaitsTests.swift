import FetchHost
import FetchModel
import FetchTestSupport
import Testing

/// Tests of waits for turns. The test moves the clock of the gaps, but the window and the requests'
/// timeouts use the machine's clock.
@Suite(.timeLimit(.minutes(5))) struct TurnWaitsTests {
  let clock = ManualClock()

  private func lanes(gap: Duration) throws -> RequestLanes {
    var rule = LaneRule()
    rule.gap = gap
    var rules = LaneRules()
    rules.set(rule, for: try #require(HostPattern("*")))
    return RequestLanes(rules: rules, clock: clock)
  }

  private func fixture(gap: Duration, waiting: Duration) throws -> SessionFixture {
    var fixture = SessionFixture()
    let lanes = try lanes(gap: gap)
    fixture.policy.lanes = lanes
    fixture.waits = TurnWaits(max: waiting, lanes: lanes)
    return fixture
  }

  private func server() throws -> ScriptedServer {
    try ScriptedServer { _, connection in connection.answer(200, [], "ok") }
  }

  private static func request(_ url: String, _ timeout: Duration?) -> HTTPRequest {
    var request = HTTPRequest(url: url)
    request.timeout = timeout
    return request
  }

  /// Sends requests one after the other. Each request except the first one waits for the gap, which
  /// this function ends.
  private func send(
    _ count: Int, to url: String, over session: HTTPSession, timeout: Duration? = nil
  ) async -> [Failure?] {
    var failures: [Failure?] = []
    for number in 0..<count {
      async let result = session.send(Self.request(url, timeout))
      if number > 0 {
        await clock.waitForSleeper()
        #expect(session.waits.current?.wait == .lane("127.0.0.1"))
        clock.advanceToSleeper()
      }
      failures.append(await result.failure)
    }
    return failures
  }

  @Test func `a window shorter than the sum of all gaps is sufficient`() async throws {
    let server = try server()
    let session = try fixture(gap: .seconds(30), waiting: .seconds(600)).session()
    let failures = await send(5, to: server.url, over: session)
    #expect(failures == [nil, nil, nil, nil, nil])
    #expect(session.waits.total == .seconds(120))
    #expect(session.waits.current == nil)
    #expect(server.requests.count == 5)
  }

  @Test func `a request's timeout begins with its turn`() async throws {
    let server = try server()
    let session = try fixture(gap: .seconds(30), waiting: .seconds(600)).session()
    let failures = await send(3, to: server.url, over: session, timeout: .seconds(15))
    #expect(failures == [nil, nil, nil])
  }

  @Test func `a request does not wait if the wait exceeds the bound and the window`()
    async throws
  {
    let server = try server()
    let session = try fixture(gap: .seconds(70), waiting: .seconds(45)).session()
    #expect(await send(1, to: server.url, over: session) == [nil])
    let failure = await session.send(HTTPRequest(url: server.url)).failure
    #expect(failure?.code == .httpTimeout && failure?.retryable == true)
    #expect(session.postponedUntil != nil)
    #expect(session.waits.total == .zero)
    #expect(server.requests.count == 1)
  }

  @Test func `if the window is not suspended, a wait uses it up`() async throws {
    let server = try server()
    let session = try fixture(gap: .seconds(30), waiting: .zero).session()
    #expect(await send(1, to: server.url, over: session) == [nil])
    #expect(await session.send(HTTPRequest(url: server.url)).failure?.code == .httpTimeout)
  }

  @Test func `a request that is cancelled while it waits stops waiting`() async throws {
    let server = try server()
    let session = try fixture(gap: .seconds(30), waiting: .seconds(600)).session()
    #expect(await send(1, to: server.url, over: session) == [nil])
    let url = server.url
    let task = Task { await session.send(HTTPRequest(url: url)) }
    await clock.waitForSleeper()
    clock.advance(by: .seconds(10))
    task.cancel()
    #expect(await task.value.failure?.code == .cancelled)
    #expect(session.waits.current == nil)
    #expect(session.waits.total == .seconds(10))
  }
}

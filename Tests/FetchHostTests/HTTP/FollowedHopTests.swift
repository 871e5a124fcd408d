import FetchHost
import FetchModel
import FetchTestSupport
import Synchronization
import Testing

/// The requests after which another one is likely soon, so that their connection is kept.
@Suite struct FollowedHopTests {
  private final class Seen: HTTPTransport {
    let hops = Mutex<[HTTPHop]>([])

    func perform(_ hop: HTTPHop) async -> HTTPHopEnd {
      hops.withLock { $0.append(hop) }
      let moved = HTTPHopAnswer(status: 302, headers: [HTTPField("location", "/there")])
      return HTTPHopEnd(.success(hop.target.path == "/moved" ? moved : HTTPHopAnswer(status: 200)))
    }

    var followed: [Bool] { hops.withLock { $0.map(\.isFollowed) } }
  }

  @Test func `requests after a run's first, redirects too`() async {
    let seen = Seen()
    let session = SessionFixture().session(over: seen)
    _ = await session.send(HTTPRequest(url: "https://a.example/moved"))
    _ = await session.send(HTTPRequest(url: "https://a.example/page"))
    #expect(seen.followed == [false, true, true])
  }

  @Test func `the first one too, if others wait for the hostname`() async throws {
    let seen = Seen()
    var rule = LaneRule()
    rule.gap = .zero
    var rules = LaneRules()
    rules.set(rule, for: try #require(HostPattern("*")))
    let lanes = RequestLanes(rules: rules)
    var fixture = SessionFixture()
    fixture.policy.lanes = lanes
    #expect(await lanes.enter("a.example", within: .seconds(60)))
    #expect(!lanes.isAwaited("a.example"))
    let session = fixture.session(over: seen)
    async let first = session.send(HTTPRequest(url: "https://a.example/1"))
    while !lanes.isAwaited("a.example") { await Task.yield() }
    let other = Task { await lanes.enter("a.example", within: .seconds(60)) }
    while lanes.usageCount < 3 { await Task.yield() }
    lanes.leave("a.example")
    _ = await first
    #expect(seen.followed == [true])
    #expect(await other.value)
  }
}

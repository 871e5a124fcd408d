import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of the requests after which the connection is kept, because another request is likely to
/// follow soon.
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

  @Test func `the connection is kept for a run's second request and for redirects`() async {
    let seen = Seen()
    let session = SessionFixture().session(over: seen)
    _ = await session.send(HTTPRequest(url: "https://a.example/moved"))
    _ = await session.send(HTTPRequest(url: "https://a.example/page"))
    #expect(seen.followed == [false, true, true])
  }

  private struct Taking: BodySink {
    func begin(_ head: HTTPHopAnswer, from target: TargetURL) -> BodyWish { .take }
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
  }

  @Test func `the connection of a download is kept, since the server may have more files`() async {
    let seen = Seen()
    let session = SessionFixture().session(over: seen)
    _ = await session.send(HTTPRequest(url: "https://a.example/1.iso"), into: Taking())
    #expect(seen.followed == [true])
  }

  @Test func `the connection of a first request is kept if other runs wait for the hostname`()
    async throws
  {
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

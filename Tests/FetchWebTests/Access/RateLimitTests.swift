import FetchModel
import FetchValues
import FetchWeb
import Testing

@Suite struct RateLimitTests {
  private static let start = Timestamp(seconds: 1_000)
  private static let peer = TestSite.loopback

  @Test func `the eleventh failure in a minute waits`() {
    var limit = AttemptLimit()
    for second in 0..<10 {
      #expect(limit.fail(Self.peer, now: Self.start + .seconds(second)) == nil)
    }
    #expect(limit.fail(Self.peer, now: Self.start + .seconds(20)) == .seconds(40))
    #expect(limit.fail(.local(user: 1), now: Self.start + .seconds(20)) == nil)
    #expect(limit.fail(Self.peer, now: Self.start + .seconds(60)) == nil)
    #expect(limit.fail(Self.peer, now: Self.start + .seconds(60)) != nil)
  }

  @Test func `sixty requests at once, then twenty a second`() {
    var rate = RequestRate()
    let kind = Caller.Kind.token("a")
    let taken = (0..<100).count { _ in rate.take(kind, now: Self.start) == nil }
    #expect(taken == 60)
    #expect(rate.take(kind, now: Self.start) == .milliseconds(51))
    let later = (0..<100).count { _ in rate.take(kind, now: Self.start + .seconds(1)) == nil }
    #expect(later == 20)
    #expect(rate.take(.token("b"), now: Self.start) == nil)
  }

  @Test func `many other callers do not reset the limit of a caller`() {
    var rate = RequestRate()
    for _ in 0..<60 { #expect(rate.take(.token("a"), now: Self.start) == nil) }
    for number in 0..<2_000 { #expect(rate.take(.token("\(number)"), now: Self.start) == nil) }
    #expect(rate.take(.token("a"), now: Self.start) != nil)
  }

  @Test func `a clock that is set back lets nobody wait for ever`() {
    var rate = RequestRate()
    for _ in 0..<60 { _ = rate.take(.token("a"), now: Self.start) }
    let earlier = Timestamp(seconds: 0)
    #expect(rate.take(.token("a"), now: earlier) != nil)
    #expect(rate.take(.token("a"), now: earlier + .seconds(1)) == nil)
  }

  @Test func `many addresses need bounded memory`() {
    var limit = AttemptLimit()
    for number in 0..<5_000 {
      let bytes: [UInt8] = [10, 0, UInt8(number >> 8), UInt8(number & 255)]
      if let address = IPAddress(bytes: bytes) {
        #expect(limit.fail(.address(address), now: Self.start) == nil)
      }
    }
  }
}

import FetchModel
import Testing

@Suite struct ConditionalRuleTests {
  static let now = Timestamp(seconds: 1_795_000_000)

  @Test func `both validators go back exactly as they came`() {
    let validators = Validators(
      etag: "W/\"a b-gzip\"", lastModified: "yesterday, more or less", lastFullAnswerAt: Self.now)
    #expect(
      ConditionalRule.headers(validators, now: Self.now) == [
        HTTPField("If-None-Match", "W/\"a b-gzip\""),
        HTTPField("If-Modified-Since", "yesterday, more or less"),
      ])
  }

  @Test func `after eight days without a body a plain request is made`() {
    let validators = Validators(etag: "\"a\"", lastFullAnswerAt: Self.now)
    let eightDays = Validators.trustedFor
    #expect(!ConditionalRule.headers(validators, now: Self.now + eightDays).isEmpty)
    #expect(ConditionalRule.headers(validators, now: Self.now + eightDays + .seconds(1)).isEmpty)
  }

  @Test func `a body from the future is not believed`() {
    let validators = Validators(etag: "\"a\"", lastFullAnswerAt: Self.now + .seconds(60))
    #expect(ConditionalRule.headers(validators, now: Self.now).isEmpty)
  }

  @Test func `a 304 renews what it names and keeps the rest`() {
    let old = Validators(
      etag: "\"a\"", lastModified: "then", bodyHash: [1], lastFullAnswerAt: Self.now)
    let new = ConditionalRule.afterNotModified([HTTPField("etag", "\"b\"")], old: old)
    #expect(
      new
        == Validators(
          etag: "\"b\"", lastModified: "then", bodyHash: [1], lastFullAnswerAt: Self.now))
  }

  @Test(arguments: ["", "a\u{7F}", String(repeating: "x", count: 1_025)])
  func `what cannot be sent back is not kept`(etag: String) {
    let kept = ConditionalRule.afterFullAnswer(
      [HTTPField("etag", etag)], bodyHash: [1], now: Self.now)
    #expect(kept.etag == nil)
  }

  @Test func `what chooses the representation is part of the key`() throws {
    var request = HTTPRequest(url: "https://a.example/f?x=1")
    #expect(ConditionalRule.key(try RequestPlan(request)) == "https://a.example/f?x=1")
    request.headers = [HTTPField("ACCEPT", "application/json")]
    #expect(
      ConditionalRule.key(try RequestPlan(request))
        == "https://a.example/f?x=1#accept=application/json")
  }
}

import FetchModel
import FetchValues
import Testing

@Suite struct ConditionalRuleTests {
  static let now = Timestamp(seconds: 1_795_000_000)

  @Test func `an entity tag and a date are sent back exactly as received`() {
    let validators = Validators(
      etag: "W/\"a b-gzip\"", lastModified: "yesterday, more or less", lastFullAnswerAt: Self.now)
    #expect(
      ConditionalRule.headers(validators, now: Self.now) == [
        HTTPField("If-None-Match", "W/\"a b-gzip\""),
        HTTPField("If-Modified-Since", "yesterday, more or less"),
      ])
  }

  @Test func `after eight days without a complete body, an unconditional request is made`() {
    let validators = Validators(etag: "\"a\"", lastFullAnswerAt: Self.now)
    let eightDays = Validators.trustedFor
    #expect(!ConditionalRule.headers(validators, now: Self.now + eightDays).isEmpty)
    #expect(ConditionalRule.headers(validators, now: Self.now + eightDays + .seconds(1)).isEmpty)
  }

  @Test func `a body from the future does not count as recent`() {
    let validators = Validators(etag: "\"a\"", lastFullAnswerAt: Self.now + .seconds(60))
    #expect(ConditionalRule.headers(validators, now: Self.now).isEmpty)
  }

  @Test func `a 304 updates its validators and keeps the others`() {
    let old = Validators(
      etag: "\"a\"", lastModified: "then", bodyHash: [1], lastFullAnswerAt: Self.now)
    let new = ConditionalRule.afterNotModified([HTTPField("etag", "\"b\"")], old: old)
    #expect(
      new
        == Validators(
          etag: "\"b\"", lastModified: "then", bodyHash: [1], lastFullAnswerAt: Self.now))
  }

  @Test(arguments: ["", "a\u{7F}", String(repeating: "x", count: 1_025)])
  func `a validator that cannot be sent is not stored`(etag: String) throws {
    let plan = try RequestPlan(HTTPRequest(url: "https://a.example/"))
    let kept = ConditionalRule.afterFullAnswer(
      [HTTPField("etag", etag)], to: plan, bodyHash: [1], now: Self.now)
    #expect(kept.etag == nil)
  }

  @Test func `headers that select a representation are part of the key`() throws {
    var request = HTTPRequest(url: "https://a.example/f?x=1")
    #expect(ConditionalRule.key(try RequestPlan(request)) == "https://a.example/f?x=1")
    request.headers = [HTTPField("ACCEPT", "application/json")]
    #expect(
      ConditionalRule.key(try RequestPlan(request))
        == "https://a.example/f?x=1#accept=application/json")
  }

  private func question(
    _ method: String, _ depth: String? = "1", _ body: String? = "<propfind/>",
    _ headers: [HTTPField] = []
  ) throws -> RequestPlan {
    var request = HTTPRequest(url: "https://a.example/dav/")
    request.method = method
    request.headers = (depth.map { [HTTPField("Depth", $0)] } ?? []) + headers
    request.body = body.map { Array($0.utf8) }
    return try RequestPlan(request)
  }

  @Test func `the key of a query has its method, depth and body`() throws {
    let plans = try [
      question("PROPFIND"), question("REPORT"), question("SEARCH"), question("PROPFIND", "0"),
      question("PROPFIND", nil), question("PROPFIND", "1", "<other/>"),
      question("PROPFIND", "1", nil), question("PROPFIND", "1", "", [HTTPField("Accept", "a")]),
      RequestPlan(HTTPRequest(url: "https://a.example/dav/")),
      question("GET", "1", nil, [HTTPField("Accept", "method=PROPFIND&depth=1")]),
    ]
    #expect(Set(plans.map(ConditionalRule.key)).count == plans.count)
    #expect(
      ConditionalRule.key(plans[0])
        == "https://a.example/dav/#method=PROPFIND&depth=1&body="
        + "9ad05a7ec4d741b1c8bcda00cfd6093d9bb87a555097f8a191d628ec41cdf34b")
    #expect(try ConditionalRule.key(question("PROPFIND", "1", "")) == ConditionalRule.key(plans[6]))
  }

  @Test func `bodies of safe methods are compared unless the plugin sets a condition`() throws {
    let condition = [HTTPField("If-None-Match", "\"a\"")]
    for method in ["PROPFIND", "REPORT", "SEARCH", "GET"] {
      let body = method == "GET" ? nil : "<x/>"
      #expect(try question(method, "1", body).comparesBody)
      #expect(try !question(method, "1", body, condition).comparesBody)
      #expect(try question(method, "1", body).takesValidators == (method == "GET"))
    }
    for method in ["HEAD", "OPTIONS", "POST", "PUT", "PROPPATCH", "LOCK"] {
      #expect(try !question(method, nil, nil).comparesBody)
    }
  }

  @Test func `a query is answered completely by 200 and 207, a GET only by 200`() throws {
    let get = try RequestPlan(HTTPRequest(url: "https://a.example/"))
    for (status, question, plain) in [
      (200, true, true), (207, true, false), (204, false, false), (404, false, false),
    ] {
      #expect(try ConditionalRule.isFullAnswer(status, to: self.question("REPORT")) == question)
      #expect(ConditionalRule.isFullAnswer(status, to: get) == plain)
    }
  }

  @Test func `only the body of a query's answer is remembered`() throws {
    let kept = ConditionalRule.afterFullAnswer(
      [HTTPField("etag", "\"a\""), HTTPField("last-modified", "then")],
      to: try question("PROPFIND"), bodyHash: [1], now: Self.now)
    #expect(kept == Validators(bodyHash: [1], lastFullAnswerAt: Self.now))
  }
}

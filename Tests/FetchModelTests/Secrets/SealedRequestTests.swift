import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct SealedRequestTests {
  private static let token = SecretText([.secret(name: "token", spelling: .plain)])

  private static func value(_ name: String) throws(Failure) -> SecretValue {
    SecretValue("<\(name)&>")
  }

  private static func address(_ start: String) -> SecretText {
    SecretText([.text(start), .secret(name: "token", spelling: .plain), .text("/x")])
  }

  @Test func `values replace the secrets' names in a request`() throws {
    var sealed = SealedRequest()
    sealed.url = Self.address("https://a.example/bot")
    sealed.headers = [.init(name: "X-Key", value: SecretText([.text("k ")] + Self.token.parts))]
    sealed.bearer = Self.token
    sealed.body = .json(["list": [Self.token.wire, "plain"]])
    var request = HTTPRequest(url: "")
    request.headers = [HTTPField("Accept", "a/b")]
    request.sealed = sealed
    let opened = try sealed.opened(in: request, Self.value)
    #expect(opened.request.url == "https://a.example/bot%3Ctoken%26%3E/x")
    #expect(
      opened.request.headers == [HTTPField("Accept", "a/b"), HTTPField("X-Key", "k <token&>")])
    #expect(opened.request.bearerToken == "<token&>")
    #expect(opened.request.body == Array(#"{"list":["<token&>","plain"]}"#.utf8))
    #expect(opened.request.sealed == nil)
    #expect(opened.carried.headers == ["x-key"])
    #expect(opened.carried.body == ["token"])
    #expect(sealed.names == ["token"])
  }

  @Test func `a user or a password alone can be a secret`() throws {
    var sealed = SealedRequest()
    sealed.user = SecretText([.text("ann")])
    sealed.password = Self.token
    let request = HTTPRequest(url: "https://a.example/")
    let opened = try sealed.opened(in: request, Self.value)
    #expect(opened.request.basicAuth?.user == "ann")
    #expect(opened.request.basicAuth?.password == "<token&>")
  }

  static let refused = [
    ("https://", "the address \"https://\" has no hostname"),
    (
      "https://a.example",
      "a secret is only allowed in the path and the query of an address, after the / or ? that "
        + "follows the hostname"
    ),
    ("https://a.example:80", SealedRequestTests.behind),
    ("https://a.example#", SealedRequestTests.behind),
    (
      "file:///",
      "a secret cannot be used in a 'file:' address, because only servers may receive secrets"
    ),
    (
      "//a.example/",
      "the address \"//a.example/\" has no scheme; write one, as in https://example.org/"
    ),
  ]
  static let behind =
    "a secret is only allowed in the path and the query of an address, after the / or ? that "
    + "follows the hostname"

  @Test(arguments: refused.indices)
  func `a secret cannot determine the server of a request`(index: Int) throws {
    let (start, message) = Self.refused[index]
    let failure = #expect(throws: Failure.self) {
      try SealedAddress.place(Self.address(start))
    }
    #expect(failure?.message == message)
  }

  @Test func `a secret at the start of an address is refused`() {
    let failure = #expect(throws: Failure.self) { try SealedAddress.place(Self.token) }
    #expect(failure?.message == Self.behind)
  }

  @Test(arguments: ["https://a.example/", "https://a.example?k=", "https://a.example:81/a/b?c="])
  func `a secret is allowed after the hostname`(start: String) throws {
    #expect(try SealedAddress.place(Self.address(start)).hostname == "a.example")
  }

  static let hostileAWS = [
    ("region", "r\r\nX-More: 1"), ("region", ""), ("region", "r/s"),
    ("region", String(repeating: "r", count: 65)), ("service", "s3\n\nGET / HTTP/1.1"),
    ("service", "\u{0}"), ("key", "AKID\r\nX-More: 1"), ("token", "t\u{0}"), ("token", "t\n"),
  ]

  @Test(arguments: hostileAWS)
  func `AWS credentials that would begin a second header are refused`(
    field: String, text: String
  ) throws {
    var aws = SealedRequest.AWS(
      keyID: SecretText([.text("AKIDEXAMPLE")]), secretKey: Self.token, region: "us-east-1",
      service: "s3")
    switch field {
    case "region": aws.region = text
    case "service": aws.service = text
    case "key": aws.keyID = Self.token
    default: aws.sessionToken = Self.token
    }
    var sealed = SealedRequest()
    sealed.aws = aws
    // A transfer opens the form in which it is stored.
    let stored = try #require(SealedRequest(stored: sealed.stored))
    #expect(stored == sealed)
    let failure = #expect(throws: Failure.self) {
      try stored.opened(in: HTTPRequest(url: "https://a.example/")) { _ throws(Failure) in
        SecretValue(text)
      }
    }
    let isScope = field == "region" || field == "service"
    let advice =
      isScope
      ? "use 1 to 64 ASCII letters, digits and -_." : "use only printable ASCII characters"
    #expect(failure == Failure(.invalidValue, "invalid auth.aws.\(field): \(advice)"))
  }

  // MARK: Redirects

  private static func plan(_ url: String = "https://a.example/") throws -> RequestPlan {
    var sealed = SealedRequest()
    sealed.headers = [.init(name: "User-Agent", value: token)]
    sealed.bearer = token
    sealed.body = .text(token)
    sealed.aws = .init(keyID: token, secretKey: token, region: "r", service: "s3")
    var request = HTTPRequest(url: url)
    request.method = "POST"
    return try RequestPlan(try sealed.opened(in: request, value))
  }

  @Test func `a redirect keeps all secrets within the origin, and none at another origin`() throws {
    let plan = try Self.plan()
    let within = try #require(
      try RedirectRule.next(after: plan, status: 307, location: "/other"))
    #expect(within.carried == plan.carried)
    #expect(within.authorization == "Bearer <token&>")
    #expect(within.headers.map(\.name) == ["User-Agent"])
    #expect(throws: Failure.self) {
      try RedirectRule.next(after: plan, status: 307, location: "https://b.example/")
    }
    let beyond = try #require(
      try RedirectRule.next(after: plan, status: 303, location: "https://b.example/"))
    #expect(beyond.authorization == nil)
    #expect(beyond.headers.isEmpty)
    #expect(beyond.carried?.aws == nil)
    #expect(beyond.carried?.body == [])
  }

  @Test func `a grant determines the hostnames to which a secret may be sent`() throws {
    let grant = SecretGrant(
      name: "token", hosts: ["a.example", "*.b.example"].compactMap { HostPattern($0) })
    #expect(grant.check(try TargetURL("http://a.example/")) == nil)
    #expect(grant.check(try TargetURL("https://x.b.example/")) == nil)
    #expect(
      grant.check(try TargetURL("https://a.example:8443/"))?.message
        == "the secret 'token' may not be sent to a.example:8443 (granted: a.example, *.b.example); "
        + "add the server to `hosts` of the secret in the config or the case file if you trust it")
    #expect(
      grant.check(try TargetURL("https://b.example/"))?.message
        == "the secret 'token' may not be sent to b.example (granted: a.example, *.b.example); "
        + "add the server to `hosts` of the secret in the config or the case file if you trust it")
  }
}

import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct RedirectRuleTests {
  private func plan(
    _ url: String = "https://a.example/x", method: String = "GET", body: String? = nil,
    headers: [HTTPField] = [], bearer: String? = nil
  ) throws -> RequestPlan {
    var request = HTTPRequest(url: url)
    request.method = method
    request.body = body.map { Array($0.utf8) }
    request.headers = headers
    request.bearerToken = bearer
    return try RequestPlan(request)
  }

  @Test(arguments: [
    (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"),
    (308, "POST", "POST"), (301, "PUT", "PUT"), (302, "DELETE", "DELETE"), (303, "PUT", "GET"),
    (303, "HEAD", "HEAD"), (301, "HEAD", "HEAD"), (307, "GET", "GET"),
  ]) func `the method changes as in RFC 9110 and in browsers`(
    status: Int, method: String, wanted: String
  ) throws {
    let plan = try plan(
      method: method, body: "b", headers: [HTTPField("Content-Type", "text/plain")])
    let next = try #require(try RedirectRule.next(after: plan, status: status, location: "/y"))
    #expect(next.method == wanted)
    #expect(next.body == (wanted == method ? plan.body : nil))
    #expect(next.headers.isEmpty == (wanted != method))
    #expect(next.target.text == "https://a.example/y")
  }

  @Test(arguments: [200, 300, 304, 305, 306, 401, 503]) func `other statuses are not redirects`(
    status: Int
  ) throws {
    #expect(try RedirectRule.next(after: try plan(), status: status, location: "/y") == nil)
  }

  @Test func `a redirect status without an address is not a redirect`() throws {
    #expect(try RedirectRule.next(after: try plan(), status: 302, location: nil) == nil)
    #expect(try RedirectRule.next(after: try plan(), status: 302, location: "") == nil)
  }

  @Test(arguments: ["https://b.example/", "https://a.example:8443/", "https://x.a.example/"])
  func `credentials and unknown headers stay with their origin`(location: String) throws {
    let headers = ["X-Api-Key", "Cookie", "Authorization", "Accept", "User-Agent", "X-Custom"]
    let plan = try plan(headers: headers.map { HTTPField($0, "v") }, bearer: "secret")
    let next = try #require(
      try RedirectRule.next(after: plan, status: 302, location: location))
    #expect(next.authorization == nil)
    #expect(next.headers.map(\.name) == ["Accept", "User-Agent"])
  }

  @Test(arguments: [
    ("/a b?q=c d", "https://a.example/a%20b?q=c%20d"), (" /y ", "https://a.example/y"),
    ("https://b.example/ c", "https://b.example/%20c"),
  ]) func `spaces in an address are encoded as by browsers`(
    location: String, target: String
  ) throws {
    let next = try RedirectRule.next(after: try plan(), status: 302, location: location)
    #expect(next?.target.text == target)
  }

  @Test func `a hostname with a space is refused`() throws {
    let plan = try plan()
    #expect(throws: Failure.self) {
      try RedirectRule.next(after: plan, status: 302, location: "https://b.exa mple/")
    }
  }

  @Test func `within an origin, all headers and the body are sent`() throws {
    let plan = try plan(headers: [HTTPField("X-Api-Key", "v")], bearer: "secret")
    let next = try #require(
      try RedirectRule.next(after: plan, status: 301, location: "//a.example:443/z"))
    #expect(next.authorization == "Bearer secret")
    #expect(next.headers == plan.headers)
  }

  @Test func `credentials are never sent from https to http`() throws {
    let plan = try plan(bearer: "secret")
    let failure = #expect(throws: Failure.self) {
      try RedirectRule.next(after: plan, status: 301, location: "http://a.example/x")
    }
    #expect(failure?.code == .redirect)
    #expect(
      failure?.message == "a.example redirects a request with credentials or a body from "
        + "https to http://a.example: fetchrun did not follow the redirect; use the new address if "
        + "you trust it")
    #expect(
      try RedirectRule.next(after: try self.plan(), status: 301, location: "http://a.example/x")
        != nil)
  }

  @Test(arguments: [
    "https://b.example/x", "https://a.example:8443/x", "http://a.example:8080/x",
  ]) func `a body is sent to no other origin`(location: String) throws {
    let plan = try plan("http://a.example/x", method: "POST", body: "b")
    let failure = #expect(throws: Failure.self) {
      try RedirectRule.next(after: plan, status: 307, location: location)
    }
    #expect(failure?.code == .redirect)
    let origin = location.dropLast(2)
    #expect(
      failure?.message == "a.example redirects a request with a body to \(origin), another origin: "
        + "fetchrun did not follow the redirect; use the new address if you trust it")
    // The request becomes a GET and has no body.
    #expect(try RedirectRule.next(after: plan, status: 302, location: location)?.body == nil)
  }

  @Test func `a body is sent from http to https at one hostname`() throws {
    let plan = try plan("http://a.example/x", method: "POST", body: "b")
    let next = try RedirectRule.next(after: plan, status: 308, location: "https://a.example/x")
    #expect(next?.body == plan.body)
  }

  @Test(arguments: [
    ("file:///etc/passwd", "a.example redirects to a file: fetchrun did not follow the redirect"),
    (
      "gopher://b.example/",
      "a.example sent an invalid redirect: the address \"gopher://b.example/\" has the "
        + "unsupported scheme gopher; use http, https or file"
    ),
    (
      "https://u:p@b.example/",
      "a.example sent an invalid redirect: the address \"...@b.example/\" has a user name in it; "
        + "use basic authentication instead"
    ),
  ]) func `a redirect to an invalid address is a failure`(
    location: String, message: String
  ) throws {
    let plan = try plan()
    let failure = #expect(throws: Failure.self) {
      try RedirectRule.next(after: plan, status: 302, location: location)
    }
    #expect(failure?.code == .redirect)
    #expect(failure?.message == message)
  }

  @Test func `a source has moved only if every redirect was permanent`() throws {
    let first = try #require(
      try RedirectRule.next(after: try plan(), status: 308, location: "/b"))
    let second = try #require(try RedirectRule.next(after: first, status: 302, location: "/c"))
    let third = try #require(try RedirectRule.next(after: second, status: 301, location: "/d"))
    #expect([first, second, third].map(\.hasMovedForGood) == [true, false, false])
  }
}

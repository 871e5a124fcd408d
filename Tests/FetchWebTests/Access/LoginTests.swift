import FetchConfig
import FetchEngine
import FetchValues
import Testing

@testable import FetchWeb

/// Tests of logins by browsers, and of requests that other sites make a browser send.
@Suite struct LoginTests {
  private static func cookie(_ answer: WebResponse) -> String? {
    answer.headers.first("Set-Cookie")?.split(separator: ";").first.map(String.init)
  }

  private static func loggedIn(_ site: TestSite) async throws -> (cookie: String, form: String) {
    let answer = await site.answer("GET", "/login?code=\(try site.code())")
    let cookie = try #require(Self.cookie(answer))
    let secret = cookie.split(separator: "=", maxSplits: 1)[1]
    return (cookie, AccessSecret.formToken(of: String(secret)))
  }

  @Test func `a code works once`() async throws {
    let site = try TestSite()
    let code = try site.code()
    let first = await site.answer("GET", "/login?code=\(code)")
    #expect(first.status == 303)
    #expect(first.headers.first("Location") == "/")
    let field = try #require(first.headers.first("Set-Cookie"))
    #expect(field.hasPrefix("fetchrun-7397=frs_"))
    #expect(field.hasSuffix("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict"))
    let second = await site.answer("GET", "/login?code=\(code)")
    #expect(second.status == 403)
    #expect(second.headers.first("Set-Cookie") == nil)
    let items = await site.answer("GET", "/api/v1/items", [("Cookie", Self.cookie(first) ?? "")])
    #expect(items.status == 200)
  }

  @Test func `a code works for five minutes, and not for a look at the head`() async throws {
    let site = try TestSite()
    let code = try site.code()
    #expect(await site.answer("HEAD", "/login?code=\(code)").headers.first("Set-Cookie") == nil)
    site.advance(.seconds(300))
    #expect(await site.answer("GET", "/login?code=\(code)").status == 403)
  }

  @Test func `a login ends after thirty days, or when asked`() async throws {
    let site = try TestSite()
    let (cookie, form) = try await Self.loggedIn(site)
    let fields: [WebHeaders.Field] = [("Cookie", "a=b; \(cookie); c=d")]
    #expect(await site.answer("GET", "/api/v1/items", fields).status == 200)
    let out = await site.answer(
      "POST", "/logout",
      fields + [
        ("Origin", "http://localhost:7397"), ("Content-Type", "application/x-www-form-urlencoded"),
      ], body: "form=\(form)")
    #expect(out.status == 303)
    #expect(out.headers.first("Set-Cookie")?.contains("Max-Age=0") == true)
    #expect(await site.answer("GET", "/api/v1/items", fields).status == 401)
    let (other, _) = try await Self.loggedIn(site)
    site.advance(.seconds(30 * 86_400))
    #expect(await site.answer("GET", "/api/v1/items", [("Cookie", other)]).status == 401)
  }

  @Test func `another site cannot end a login`() async throws {
    let site = try TestSite()
    let (cookie, _) = try await Self.loggedIn(site)
    // A browser sends the cookie only with requests that come from pages of this site.
    for origin in ["http://evil.example", "null"] {
      let answer = await site.answer("POST", "/logout", [("Origin", origin)])
      #expect(answer.status == 403)
      #expect(answer.headers.first("Set-Cookie") == nil)
    }
    let own = await site.answer("POST", "/logout", [("Origin", "http://localhost:7397")])
    #expect(own.status == 303)
    #expect(own.headers.first("Set-Cookie") == nil)
    #expect(await site.answer("GET", "/api/v1/items", [("Cookie", cookie)]).status == 200)
  }

  @Test func `the login form of a browser that is already logged in leads to the overview`()
    async throws
  {
    let site = try TestSite()
    let (cookie, _) = try await Self.loggedIn(site)
    let fields: [WebHeaders.Field] = [
      ("Cookie", cookie), ("Content-Type", "application/x-www-form-urlencoded"),
    ]
    let own = fields + [("Origin", "http://localhost:7397")]
    let other = fields + [("Origin", "http://evil.example")]
    let code = try site.code()
    for code in [code, "frc_wrong"] {
      let answer = await site.answer("POST", "/login", own, body: "code=\(code)")
      #expect(answer.status == 303)
      #expect(answer.headers.first("Location") == "/")
      #expect(answer.headers.first("Set-Cookie") == nil)
      #expect(await site.answer("POST", "/login", other, body: "code=\(code)").status == 403)
    }
    #expect(await site.answer("GET", "/api/v1/items", [("Cookie", cookie)]).status == 200)
    // Other forms still need their token.
    #expect(await site.answer("POST", "/logout", own).status == 403)
  }

  @Test func `with https the cookie is bound to the host`() async throws {
    var settings = WebSettings()
    settings.url = "https://fetch.example.org"
    let site = try TestSite(settings)
    let answer = await site.answer(
      "GET", "/login?code=\(try site.code())", [("Host", "fetch.example.org")])
    let field = try #require(answer.headers.first("Set-Cookie"))
    #expect(field.hasPrefix("__Host-fetchrun=frs_"))
    #expect(field.hasSuffix("; Secure"))
  }

  /// The arguments are the header fields of a browser's request, the token of its form (`form` for
  /// the right one), and the expected part of the message.
  @Test(
    arguments: [
      ([], "form", "Origin"), ([("Origin", "http://evil.example")], "form", "Origin"),
      ([("Origin", "null")], "form", "Origin"),
      ([("Origin", "http://localhost:8000")], "form", "Origin"),
      (
        [("Origin", "http://localhost:7397"), ("Origin", "http://localhost:7397")], "form", "Origin"
      ),
      (
        [("Origin", "http://localhost:7397"), ("Sec-Fetch-Site", "cross-site")], "form", "Sec-Fetch"
      ),
      (
        [("Origin", "http://localhost:7397"), ("Sec-Fetch-Site", "same-site")], "form", "Sec-Fetch"
      ),
      ([("Origin", "http://localhost:7397")], nil, "form's token"),
      ([("Origin", "http://localhost:7397")], "wrong", "form's token"),
    ] as [([WebHeaders.Field], String?, String)])
  func `a request that another site may have caused is refused`(
    fields: [WebHeaders.Field], token: String?, missing: String
  ) async throws {
    let site = try TestSite(daemon: TestSite.pausing)
    let (cookie, form) = try await Self.loggedIn(site)
    var fields = fields + [("Cookie", cookie)]
    if let token { fields.append(("X-Form-Token", token == "form" ? form : token)) }
    let answer = await site.answer("POST", "/api/v1/pause", fields)
    #expect(answer.status == 403)
    #expect(answer.word == "notSameOrigin")
    #expect(answer.text.contains(missing))
  }

  @Test func `a request of a page of ours passes`() async throws {
    let site = try TestSite(daemon: TestSite.pausing)
    let (cookie, form) = try await Self.loggedIn(site)
    let answer = await site.answer(
      "POST", "/api/v1/pause",
      [
        ("Cookie", cookie), ("Origin", "http://localhost:7397"), ("Sec-Fetch-Site", "same-origin"),
        ("X-Form-Token", form),
      ])
    #expect(answer.status == 200)
  }

  @Test func `a token needs no form`() async throws {
    let site = try TestSite(daemon: TestSite.pausing)
    let answer = await site.answer(
      "POST", "/api/v1/pause", [("Authorization", "Bearer \(try site.token())")])
    #expect(answer.status == 200)
  }

  @Test func `the seen sequence belongs to a login and never falls`() async throws {
    let site = try TestSite()
    let (cookie, _) = try await Self.loggedIn(site)
    let caller = try site.access.caller(
      WebHeaders([("Cookie", cookie)]), peer: TestSite.loopback, host: "localhost:7397",
      now: site.now)
    let start = site.now
    try site.access.setSeen(7, of: caller, now: start)
    site.advance(.seconds(60))
    try site.access.setSeen(5, of: caller, now: site.now)
    let seen = site.access.seen(of: caller, now: site.now)
    #expect(seen.sequence == 7)
    #expect(seen.at == start)
    let records = try site.access.file.records()
    #expect(AccessRecords(json: records.json) == records)
  }

  @Test func `items stay seen although the store no longer has the last seen change`()
    async throws
  {
    let site = try TestSite()
    try await StoredRuns.add(1, to: site.store, items: [("a", "A"), ("b", "B")])
    let (cookie, _) = try await Self.loggedIn(site)
    let fields: [WebHeaders.Field] = [("Cookie", cookie)]
    let caller = try site.access.caller(
      WebHeaders(fields), peer: TestSite.loopback, host: "localhost:7397", now: site.now)
    site.advance(.seconds(3_600))
    try site.access.setSeen(1, of: caller, now: site.now)
    let half = await site.answer("GET", "/items", fields).text
    #expect(half.contains("1 new item on this page."))
    #expect(
      half.contains(
        "you marked the items below as seen: <time datetime=\"\(site.now.descriptionInSeconds)\">"))
    try site.access.setSeen(9, of: caller, now: site.now)
    let all = await site.answer("GET", "/items", fields).text
    #expect(all.contains("No item on this page is new."))
  }
}

extension TestSite {
  /// A daemon that accepts the request to pause.
  static let pausing: WebControl.Send = { (_, line) async throws(ControlError) in
    line(["job": nil, "isPaused": true, "isChanged": true])
    return .done
  }
}

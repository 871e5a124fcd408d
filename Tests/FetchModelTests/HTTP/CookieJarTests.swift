import FetchModel
import FetchValues
import Testing

@Suite struct CookieJarTests {
  static let now = Timestamp(seconds: 1_795_000_000)

  private func sent(
    _ cookies: [String], from: String, to: String, after: Duration = .zero
  ) throws -> String? {
    var jar = CookieJar()
    for cookie in cookies { jar.keep(cookie, from: try TargetURL(from), now: Self.now) }
    return jar.header(for: try TargetURL(to), now: Self.now + after)
  }

  struct Case: Sendable {
    var cookies: [String]
    var from: String
    var to: String
    var header: String?

    init(_ cookies: [String], _ from: String, _ to: String, _ header: String?) {
      self.cookies = cookies
      self.from = from
      self.to = to
      self.header = header
    }
  }

  static let cases: [Case] = [
    Case(["a=1"], "http://x.example/p/q", "http://x.example/p/r", "a=1"),
    Case(["a=1"], "http://x.example/p/q", "http://x.example/other", nil),
    Case(["a=1"], "http://x.example/p/q", "http://x.example/pp", nil),
    Case(["a=1; Path=/"], "http://x.example/p/q", "http://x.example/", "a=1"),
    Case(["a=1"], "http://x.example/", "http://y.x.example/", nil),
    Case(["a=1; Domain=x.example"], "http://y.x.example/", "http://z.x.example/", "a=1"),
    Case(["a=1; domain=.X.example"], "http://x.example/", "http://z.x.example/", "a=1"),
    Case(
      ["a=1; Domain=x.example; Domain=y.x.example"], "http://y.x.example/", "http://z.x.example/",
      nil),
    Case(["a=1; Domain=x.example; Domain="], "http://y.x.example/", "http://y.x.example/", "a=1"),
    Case(["a=1; Domain=other.example"], "http://x.example/", "http://other.example/", nil),
    Case(["a=1; Domain=example"], "http://x.example/", "http://x.example/", nil),
    Case(["a=1; Domain=.example"], "http://x.example/", "http://y.example/", nil),
    Case(["a=1; Domain=e.example"], "http://x.example/", "http://x.example/", nil),
    Case(["a=1; Domain=0.0.1"], "http://127.0.0.1/", "http://127.0.0.1/", nil),
    Case(["a=1; Domain=127.0.0.1"], "http://127.0.0.1/", "http://127.0.0.1/", "a=1"),
    Case(["a=1; Secure"], "https://x.example/", "http://x.example/", nil),
    Case(["a=1; Secure"], "https://x.example/", "https://x.example/", "a=1"),
    Case(["a=1; Secure"], "http://x.example/", "https://x.example/", nil),
    Case(["a=1", "a=2"], "http://x.example/", "http://x.example/", "a=2"),
    Case(
      ["a=1; Path=/", "b=2; Path=/p"], "http://x.example/p/", "http://x.example/p/", "b=2; a=1"),
    Case(["a=1; Max-Age=0"], "http://x.example/", "http://x.example/", nil),
    Case(["a=1", "a=1; Max-Age=-1"], "http://x.example/", "http://x.example/", nil),
    Case(
      ["a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60"], "http://x.example/",
      "http://x.example/", "a=1"
    ),
    Case(
      ["a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], "http://x.example/",
      "http://x.example/", "a=1"
    ),
    Case(
      ["a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], "http://x.example/", "http://x.example/", nil),
    Case(["a=b=c; HttpOnly"], "http://x.example/", "http://x.example/", "a=b=c"),
    Case(["novalue"], "http://x.example/", "http://x.example/", nil),
    Case(["=x"], "http://x.example/", "http://x.example/", nil),
    Case(["__Host-a=1; Secure; Path=/"], "https://x.example/", "https://x.example/", "__Host-a=1"),
    Case(["__Host-a=1; Path=/"], "https://x.example/", "https://x.example/", nil),
    Case(["__secure-a=1"], "https://x.example/", "https://x.example/", nil),
  ]

  @Test(arguments: cases) func `a cookie is sent wherever RFC 6265 allows it`(_ test: Case) throws {
    #expect(try sent(test.cookies, from: test.from, to: test.to) == test.header)
  }

  @Test func `a cookie expires`() throws {
    let url = "http://x.example/"
    #expect(try sent(["a=1; Max-Age=60"], from: url, to: url, after: .seconds(59)) == "a=1")
    #expect(try sent(["a=1; Max-Age=60"], from: url, to: url, after: .seconds(60)) == nil)
  }

  @Test func `the number and size of cookies are limited`() throws {
    var jar = CookieJar()
    for host in 0..<10 {
      let target = try TargetURL("http://h\(host).example/")
      for index in 0..<100 { jar.keep("c\(index)=1", from: target, now: Self.now) }
      jar.keep("big=" + String(repeating: "x", count: 5_000), from: target, now: Self.now)
    }
    #expect(jar.cookies.count == CookieJar.countMax)
    #expect(jar.cookies.count { $0.domain == "h0.example" } == CookieJar.perDomainMax)
  }
}

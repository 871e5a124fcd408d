import FetchValues
import FetchWeb
import Testing

/// Tests of the check of the host that a request names. This check prevents DNS rebinding.
@Suite struct HostRuleTests {
  private static let rule = HostRule(url: "https://fetch.example.org", hosts: ["fetch.lan"])

  @Test(arguments: [
    "localhost:7397", "LOCALHOST:7397", "127.0.0.1:7397", "127.8.9.1:7397", "[::1]:7397",
    "app.localhost:7397", "fetch.example.org", "fetch.example.org:443", "fetch.lan:8080",
    "Fetch.LAN.",
  ]) func `our own names pass`(host: String) throws {
    _ = try Self.rule.check(WebHeaders([("Host", host)]), port: 7397)
  }

  @Test(arguments: [
    "evil.example", "localhost.evil.example:7397", "127.0.0.1.evil.example:7397", "localhost:80",
    "localhost", "10.0.0.1:7397", "[::2]:7397", "fetch.lan.evil.example", "example.org",
    "notlocalhost:7397",
  ]) func `other names are refused`(host: String) {
    #expect(throws: HostRule.Problem.unknown(host)) {
      try Self.rule.check(WebHeaders([("Host", host)]), port: 7397)
    }
  }

  @Test(arguments: [
    "", "a b", "localhost:7397:1", "localhost:", "localhost:0", "localhost:99999", "user@localhost",
    "[::1", "[127.0.0.1]:7397", "localhost/", "lo%63alhost", "[::1]x",
  ]) func `a text that is no host is invalid`(host: String) {
    #expect(throws: HostRule.Problem.invalid(host)) {
      try Self.rule.check(WebHeaders([("Host", host)]), port: 7397)
    }
  }

  @Test func `there is exactly one host`() {
    #expect(throws: HostRule.Problem.missing) { try Self.rule.check(WebHeaders(), port: 7397) }
    #expect(throws: HostRule.Problem.repeated) {
      try Self.rule.check(
        WebHeaders([("Host", "localhost:7397"), ("host", "localhost:7397")]), port: 7397)
    }
  }

  @Test func `a unix socket has no port`() throws {
    #expect(try Self.rule.check(WebHeaders([("Host", "localhost")]), port: nil) == "localhost")
  }

  @Test func `the answer names the host and the line for the config`() async throws {
    let site = try TestSite()
    let answer = await site.answer("GET", "/livez", [("Host", "evil.example:7397")])
    #expect(answer.status == 421)
    #expect(
      answer.value["detail"]
        == """
        this server does not serve the host 'evil.example:7397'; if it is yours, add it to the \
        config: `web: { hosts: ['evil.example'] }`
        """)
  }

  @Test func `an IPv6 address is served as soon as the advised line is in the config`()
    async throws
  {
    let host: [WebHeaders.Field] = [("Host", "[2001:DB8::1]:7397")]
    let answer = try await TestSite().answer("GET", "/livez", host)
    #expect(answer.text.contains("`web: { hosts: ['[2001:db8::1]'] }`"))
    let rule = HostRule(url: nil, hosts: ["[2001:db8::1]"])
    _ = try rule.check(WebHeaders(host), port: 7397)
  }
}

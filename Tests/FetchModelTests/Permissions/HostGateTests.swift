import FetchModel
import FetchValues
import Testing

@Suite struct HostGateTests {
  private func grant(_ hosts: [String], allowsPrivate: Bool = false) -> Grant {
    var grant = Grant()
    grant.hosts = hosts.compactMap { HostPattern($0) }
    grant.privateAddresses = PrivateAddresses(allowsPrivate)
    return grant
  }

  @Test(arguments: [
    (["a.example", "https://a.example"], "a.example"),
    (["a.example:8080", "a.example:*", "a.example"], "a.example:*"),
    (["*.a.example", "b.a.example", "a.example"], "*.a.example, a.example"),
    (["*", "a.example", "a.example:8080"], "*, a.example:8080"),
    (["https://a.example", "https://a.example:443"], "https://a.example"),
    // A hostname alone has only the default ports.
    (["127.0.0.1", "127.0.0.1:8080"], "127.0.0.1, 127.0.0.1:8080"),
  ]) func `a permission that another one covers is granted, but not shown`(
    hosts: [String], shown: String
  ) {
    var grant = grant(hosts)
    #expect(grant.hosts.count == hosts.count)
    grant.secrets = [SecretGrant(name: "token", hosts: grant.hosts)]
    #expect(grant.phrases() == ["may reach \(shown)", "may send the secret token to \(shown)"])
  }

  @Test func `the refusal of a hostname lists the granted ones`() throws {
    let failure = HostGate.check(
      try TargetURL("https://evil.example/"), grant(["feeds.example.org"]))
    #expect(failure?.code == .permission)
    #expect(
      failure?.message == "the plugin or hook may not reach evil.example "
        + "(granted: feeds.example.org); "
        + "add \"evil.example\" to its permissions.http, or to `hosts` in the config")
  }

  @Test(arguments: [
    ("http://a.example:8080/", "a.example:8080", "a.example:8080", "a.example"),
    ("https://a.example:8443/", "a.example:8443", "a.example:8443", "https://a.example"),
    ("http://a.example/", "http://a.example", "http://a.example", "https://a.example"),
    ("http://[::1]:8080/", "[::1]:8080", "[::1]:8080", "[::1]:80"),
    ("http://evil.example:8080/", "evil.example", "evil.example:8080", "a.example"),
    ("http://a.example:8080/", "a.example:8080", "a.example:8080", "http://a.example:8081"),
  ]) func `a refusal has the port or the scheme that was not granted`(
    url: String, place: String, needed: String, granted: String
  ) throws {
    let failure = HostGate.check(
      try TargetURL(url), grant([granted], allowsPrivate: true))
    #expect(
      failure?.message == "the plugin or hook may not reach \(place) (granted: \(granted)); "
        + "add \"\(needed)\" to its permissions.http, or to `hosts` in the config")
    let target = try TargetURL(url)
    let mended = grant([granted, needed], allowsPrivate: true)
    #expect(HostGate.check(target, mended) == nil, "the suggested entry is sufficient")
  }

  @Test func `the message lists ports that earlier runs used and that are no longer allowed`()
    throws
  {
    let asked = try [
      "http://a.example/", "http://a.example:8080/x", "http://a.example:8080/y",
      "https://a.example:8080/", "http://b.example:8080/", "http://c.example:9/",
    ].map { try TargetURL($0) }
    let closed = HostGate.closed(asked, in: grant(["a.example", "c.example:9"]).hosts)
    #expect(closed.map(\.text) == ["http://a.example:8080/x", "https://a.example:8080/"])
    #expect(HostGate.closed(asked, in: grant(["*:*"]).hosts) == [])
  }

  @Test func `a long grant is shortened, and an empty one is shown as nothing`() throws {
    let target = try TargetURL("https://evil.example/")
    let many = (1...7).map { "h\($0).example" }
    #expect(
      HostGate.check(target, grant(many))?.message.contains(
        "(granted: h1.example, h2.example, h3.example, h4.example, h5.example and 2 more)") == true)
    #expect(HostGate.check(target, grant([]))?.message.contains("(granted: nothing)") == true)
  }

  @Test(arguments: [
    ("http://10.0.0.7/", "10.0.0.7 is a private address"),
    ("http://[::1]/", "::1 is a loopback address"),
    (
      "http://169.254.169.254/",
      "169.254.169.254 is a cloud metadata address"
    ),
    ("http://localhost/", "localhost is this machine"),
    ("http://LOCALHOST./", "localhost is this machine"),
    ("http://a.localhost/", "a.localhost is this machine"),
    (
      "http://[::ffff:127.0.0.1]/",
      "::ffff:7f00:1 is a loopback address"
    ),
  ]) func `a private address is refused before anything is sent`(
    url: String, message: String
  ) throws {
    let target = try TargetURL(url)
    let failure = HostGate.check(target, grant(["*"]))
    let hint =
      "; allow it with `--allow-private`, or with `allow_private` in the config or the case file"
    #expect(failure?.message == message + hint)
    #expect(failure?.code == .permission)
    #expect(HostGate.check(target, grant(["*"], allowsPrivate: true)) == nil)
  }

  @Test(arguments: [
    ("example.org", "example.org", true), ("Example.ORG.", "example.org", true),
    ("example.org", "a.example.org", false), ("*.example.org", "a.b.example.org", true),
    ("*.example.org", "example.org", false), ("*.example.org", "evilexample.org", false),
    ("*", "anything", true), ("[::1]", "::1", true), ("0:0::1", "::1", true),
    ("127.0.0.1", "127.0.0.1", true), ("example.org", "example.com", false),
  ]) func `a pattern matches whole labels of a hostname`(
    text: String, hostname: String, isMatch: Bool
  ) throws {
    #expect(try #require(HostPattern(text)).matches(hostname: hostname) == isMatch)
  }

  @Test(arguments: [
    "", "*.", ".", "a..b", "*a", "a.*", "http://", "a/b", "a:", "a:0", "a:080", "a:65536", "a:+80",
    "a:8o",
    "ü.de", "*.0.0.1", "127.1",
    "u@a", "a\\b", "a\tb", " a", "a\0b", "a#b", "a?b", "a%2eb", "**", "*.*.a", "①.example",
    "0x7f.1", "0177.0.0.1", "2130706433", "[::1%25lo]", "::1%lo", "127.0.0.1/8",
    "https://a/", "ftp://a", "https://https://a", "a:80:90", "a:**", "[::1]80", "[::1]:", "[a]:80",
    "http:a", "://a", "[127.0.0.1]:80", "::1:*",
  ])
  func `an invalid hostname is not a pattern`(text: String) {
    #expect(HostPattern(text) == nil)
  }
}

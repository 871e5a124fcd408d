import FetchModel
import FetchValues
import Testing

@Suite struct HostPatternTests {
  @Test(arguments: [
    ("example.org", "http://example.org/", true), ("example.org", "https://example.org/", true),
    ("example.org", "http://example.org:8080/", false),
    ("example.org", "https://example.org:8443/", false),
    ("example.org:8080", "http://example.org:8080/", true),
    ("example.org:8080", "https://example.org:8080/", true),
    ("example.org:8080", "http://example.org/", false),
    ("https://example.org", "https://example.org/", true),
    ("https://example.org", "https://example.org:8443/", false),
    ("https://example.org", "http://example.org/", false),
    ("https://example.org:8443", "https://example.org:8443/", true),
    ("https://example.org:8443", "http://example.org:8443/", false),
    ("http://example.org", "http://example.org/", true),
    ("HTTP://Example.ORG.:80", "http://example.org/", true),
    ("*.example.org", "https://a.example.org/", true),
    ("*.example.org", "https://a.example.org:8443/", false),
    ("*.example.org:8443", "https://a.example.org:8443/", true),
    ("*.example.org:8443", "https://example.org:8443/", false),
    ("https://*.example.org", "https://a.b.example.org/", true),
    ("*", "http://anything:81/", false), ("*:81", "http://anything:81/", true),
    ("https://*", "https://anything/", true), ("https://*", "http://anything/", false),
    ("example.org:*", "http://example.org:22/", true),
    ("example.org:*", "http://a.example.org:22/", false),
    ("https://example.org:*", "https://example.org:1/", true),
    ("https://example.org:*", "http://example.org:1/", false),
    ("[::1]:8080", "http://[::1]:8080/", true), ("[::1]:8080", "http://[::1]/", false),
    ("::1", "http://[::1]/", true), ("::1", "http://[::1]:8080/", false),
    ("https://[::1]", "https://[0:0::1]/", true), ("https://::1", "https://[::1]/", true),
    ("[2001:db8::1]:*", "http://[2001:db8::1]:9/", true),
    ("127.0.0.1:8080", "http://127.0.0.1:8080/", true), ("example.org", "file:///x", false),
    ("*", "file:///x", false), ("*:*", "file:///x", false),
  ]) func `a hostname allows the default ports, and another port is written after it`(
    text: String, url: String, isOpen: Bool
  ) throws {
    #expect(try #require(HostPattern(text)).matches(try TargetURL(url)) == isOpen)
  }

  @Test(arguments: [
    ("Example.ORG.", "example.org"), ("example.org:443", "example.org:443"),
    ("https://example.org:443", "https://example.org"),
    ("http://example.org:443", "http://example.org:443"), ("HTTPS://*.A:8443", "https://*.a:8443"),
    ("0:0::1", "::1"), ("[0:0::1]", "::1"), ("[0:0::1]:80", "[::1]:80"),
    ("http://::1", "http://[::1]"), ("*:*", "*:*"), ("example.org:65535", "example.org:65535"),
  ]) func `a pattern has one text, which is read back as the same pattern`(
    text: String, shown: String
  ) throws {
    let pattern = try #require(HostPattern(text))
    #expect(pattern.text == shown)
    #expect(HostPattern(shown) == pattern)
  }

  @Test(arguments: [
    ("example.org", "https://example.org", true), ("https://example.org", "example.org", false),
    ("example.org", "example.org:443", true), ("example.org", "example.org:8080", false),
    ("example.org:8080", "https://example.org:8080", true),
    ("https://example.org:8080", "example.org:8080", false),
    ("example.org:*", "example.org", true), ("example.org:*", "example.org:8080", true),
    ("example.org", "example.org:*", false), ("*", "example.org:8080", false),
    ("*:8080", "*.example.org:8080", true), ("*:*", "https://a.example.org:1", true),
    ("*.example.org:8080", "a.example.org:8080", true), ("*", "*", true), ("*", "*.a", true),
    ("*.a", "*", false), ("http://a", "https://a", false), ("a:443", "https://a", true),
    ("a:443", "a", false),
  ]) func `a grant covers the permissions that it includes`(
    own: String, other: String, isCovered: Bool
  ) throws {
    let (own, other) = (try #require(HostPattern(own)), try #require(HostPattern(other)))
    #expect(own.covers(other) == isCovered)
  }

  @Test func `an option's port is open at its hostname if a pattern allows the hostname`() throws {
    let patterns = [
      "a.example", "*.b.example", "https://c.example", "::1", "d.example:1",
    ].compactMap { HostPattern($0) }
    let addresses = try [
      "http://a.example:8080/x", "https://x.b.example:8443/", "https://c.example:8443/",
      "http://[::1]:9/", "http://d.example:2/", "http://evil.example:22/", "https://a.example/",
      "http://a.example:8080/y",
    ].map { try TargetURL($0) }
    let opened = HostPattern.opened(patterns, at: addresses)
    #expect(Array(opened.prefix(patterns.count)) == patterns)
    #expect(
      opened.dropFirst(patterns.count).map(\.text)
        == ["a.example:8080", "x.b.example:8443", "[::1]:9"])
    #expect(
      HostPattern.opened([try #require(HostPattern("*"))], at: addresses).map(\.text) == [
        "*", "a.example:8080", "x.b.example:8443", "c.example:8443", "[::1]:9", "d.example:2",
        "evil.example:22",
      ])
  }

  @Test func `an address is granted by its hostname and its port`() throws {
    func texts(_ url: String) throws -> [String] {
      HostPattern.all(of: try TargetURL(url)).map(\.text)
    }
    #expect(try texts("https://a.example/x") == ["a.example"])
    #expect(try texts("https://a.example:80/x") == ["a.example", "a.example:80"])
    #expect(try texts("http://[::1]:8080/x") == ["::1", "[::1]:8080"])
    #expect(try texts("file:///srv/x") == [])
  }

  @Test func `all addresses in an option's value are found`() {
    let value: Value = [
      "list": ["http://a.example:1/", "no address", 7, ["http://b.example:2/x"]],
      "one": "https://c.example/", "file": "file:///srv/x",
    ]
    #expect(
      PermissionResolution.addresses(in: value).map(\.text)
        == ["http://a.example:1/", "http://b.example:2/x", "https://c.example/"])
  }
}

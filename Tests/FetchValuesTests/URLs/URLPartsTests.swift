import FetchValues
import Testing

struct URLPartsTests {
  static let texts = [
    "https://user:pass@host.test:8080/p/a/t/h?query=1#frag", "https://host.test", "http://h.test/?",
    "http://h.test/#", "file:///etc/hosts", "mailto:a@b.test", "/relative?x#y", "?q", "", "a/b",
    "http://[::1]:80/", "urn:isbn:123", "//host.test/x", "http://u@h.test/", "http://:p@h.test/",
  ]

  @Test(arguments: texts) func `the combined parts give the original text`(text: String) throws {
    #expect(try URLParts(parsing: text).text == text)
  }

  @Test func `the parts keep their spelling`() throws {
    let parts = try URLParts(parsing: "HTTPS://u%40:p:w@Host.test:8080/a%20b?q=%2F&#f")
    #expect(parts.scheme == "https")
    #expect(parts.user == "u%40")
    #expect(parts.password == "p:w")
    #expect(parts.host == "Host.test")
    #expect(parts.port == 8080)
    #expect(parts.path == "/a%20b")
    #expect(parts.query == "q=%2F&")
    #expect(parts.fragment == "f")
    #expect(parts.origin == "https://host.test:8080")
  }

  static let faults: [(text: String, message: String)] = [
    ("http://a b/", "a URL must not contain a space (write %20)"),
    ("http://a\\b/", "a URL must not contain a backslash"),
    ("http://a/\u{1}", "a URL must not contain the control byte 1"),
    ("http:///x", "the URL has no host"), ("https:x", "the URL has no host"),
    ("http://a:b/", "'b' is not a port (0 to 65535)"),
    ("http://a:65536/", "'65536' is not a port (0 to 65535)"),
    ("http://[::1", "'[::1' is not a valid hostname or address"),
    ("http://[1.2.3.4]/", "'[1.2.3.4]' is not a valid hostname or address"),
    ("http://[::1%25eth0]/", "'[::1%25eth0]' is not a valid hostname or address"),
    ("http://a[::1]/", "'a[::1]' is not a valid hostname or address"),
    ("://a", "the scheme of the URL is not valid"),
  ]

  @Test(arguments: faults) func `an invalid URL is refused with the reason`(
    text: String, message: String
  ) {
    let error = #expect(throws: URLError.self) { try URLParts(parsing: text) }
    #expect(error.map { "\($0)" } == message)
  }

  static let normalForms: [(text: String, normal: String)] = [
    ("HTTP://Example.ORG:80", "http://example.org/"),
    ("https://example.org/%7Euser/%e9/./a/../b", "https://example.org/~user/%E9/b"),
    ("https://example.org:8443/?a=%41#%62", "https://example.org:8443/?a=A#b"),
    ("urn:A:b", "urn:A:b"),
  ]

  @Test(arguments: normalForms) func `spellings of the same address have one normal form`(
    text: String, normal: String
  ) throws {
    #expect(try URLParts(parsing: text).normalized.text == normal)
  }

  @Test func `a path is never parsed as an authority`() throws {
    var parts = URLParts()
    parts.path = "//evil.test/x"
    #expect(parts.text == "/.//evil.test/x")
    #expect(try URLParts(parsing: parts.text).host == nil)
  }

  static let addresses: [(text: String, canonical: String?)] = [
    ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("1:0:0:2:0:0:0:3", "1:0:0:2::3"),
    ("2001:DB8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("::ffff:1.2.3.4", "::ffff:102:304"),
    ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
    ("1:2:3:4:5:6:7", nil), ("1:2:3:4:5:6:7:8:9", nil), (":::", nil), ("1::2::3", nil),
    (":1", nil), ("1:", nil), ("12345::", nil), ("::1.2.3", nil), ("::1.2.3.4:5", nil), ("", nil),
    ("1:2:3:4:5:6:7::8", nil), ("::1.2.3.256", nil), ("g::", nil),
  ]

  @Test(arguments: addresses) func `IPv6 addresses have one canonical text`(
    text: String, canonical: String?
  ) {
    #expect(IPv6Address(text.utf8)?.text == canonical)
  }

  @Test func `queries are split and joined`() {
    let pairs = URLQuery.pairs(of: "?a=1&b=x+y%21&c&&=z&a=%FF".utf8)
    #expect(pairs.map { String(decoding: $0.name, as: UTF8.self) } == ["a", "b", "c", "", "a"])
    #expect(pairs[1].value == Array("x y!".utf8))
    #expect(pairs[4].value == [0xFF])
    #expect(URLQuery.text(of: pairs) == "a=1&b=x%20y%21&c=&=z&a=%FF")
    #expect(URLQuery.appending(pairs.prefix(1), to: "q=1") == "q=1&a=1")
    #expect(URLQuery.appending([], to: nil) == nil)
  }
}

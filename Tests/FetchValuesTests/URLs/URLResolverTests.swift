import FetchValues
import Testing

struct URLResolverTests {
  /// The examples of RFC 3986, section 5.4, normal and abnormal.
  static let examples: [(reference: String, target: String)] = [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
    (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
    ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
    ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
    ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
    ("g#s/../x", "http://a/b/c/g#s/../x"),
  ]

  @Test(arguments: examples) func `the examples of RFC 3986 are resolved`(
    reference: String, target: String
  ) throws {
    let base = "http://a/b/c/d;p?q"
    #expect(URLResolver(base: base).resolve(reference) == target)
    let strict = try URLParts(parsing: base).resolving(URLParts(parsing: reference))
    #expect(strict.text == target)
  }

  @Test func `http:g is relative in documents, and absolute by the strict rule`() throws {
    #expect(URLResolver(base: "http://a/b/c/d").resolve("http:g") == "http://a/b/c/g")
    let strict = try URLParts(parsing: "http://a/b").resolving(try reference(scheme: "http", "g"))
    #expect(strict.text == "http:g")
  }

  private func reference(scheme: String, _ path: String) throws -> URLParts {
    var parts = URLParts()
    parts.scheme = scheme
    parts.path = path
    return parts
  }

  static let links: [(link: String, target: String?)] = [
    ("\n  https://Example.ORG:443/a b?c d#e f \n", "https://example.org/a%20b?c%20d#e%20f"),
    ("//cdn.example.org/x", "https://cdn.example.org/x"),
    ("/caf\u{E9}?q=\u{E9}", "https://feeds.test/caf%C3%A9?q=%C3%A9"),
    ("https://m\u{FC}nchen.example/", "https://xn--mnchen-3ya.example/"),
    ("https://\u{4F8B}\u{3048}.\u{30C6}\u{30B9}\u{30C8}/", "https://xn--r8jz45g.xn--zckzah/"),
    ("/a%20b%2", "https://feeds.test/a%20b%2"), ("https://a.test", "https://a.test/"),
    ("https:/a.test/x", "https://feeds.test/a.test/x"), ("http:/a.test/x", "http://a.test/x"),
    ("https://a.test/%2e%2E/b", "https://a.test/b"), ("a\\b", "https://feeds.test/dir/a/b"),
    ("mailto:a@b.test", "mailto:a@b.test"), ("https://[2001:DB8::0:1]/", "https://[2001:db8::1]/"),
    ("https://127.0.0.1\\@allowed.test/", nil), ("https://0x7f.1/", nil),
    ("https://010.0.0.1/", nil), ("https://0xa/", nil), ("https://a.0xa/", nil),
    ("https://2130706433/", nil), ("https://%31.test/", nil), ("https://a.test:99999/", nil),
    ("https://a b.test/", nil), ("https://[::1/", nil), ("https://", nil), ("https://:80/", nil),
    ("https://fa\u{DF}.test/", "https://xn--fa-hia.test/"),
    ("https://\u{3B2}\u{3CC}\u{3BB}\u{3BF}\u{3C2}.test/", "https://xn--nxasmm1c.test/"),
    // UTS 46 maps each of these letters to others: A, a, s, ij, dž, 丽 and the Arabic letter b.
    ("https://\u{FF21}.test/", nil), ("https://\u{AA}.test/", nil),
    ("https://localho\u{17F}t/", nil), ("https://\u{133}.test/", nil),
    ("https://\u{1C6}.test/", nil), ("https://\u{2F800}.test/", nil),
    ("https://\u{1EE01}.test/", nil),
    ("file:a/../b", "file:///b"), ("file:a/./%2E%2e/c/.", "file:///c/"), ("file:", "file:///"),
  ]

  @Test(arguments: links)
  func `links of real documents are resolved to the target that browsers choose, or refused`(
    link: String, target: String?
  ) {
    #expect(URLResolver(base: "https://feeds.test/dir/feed.xml").resolve(link) == target)
  }

  @Test func `without a base only absolute links resolve`() {
    let resolver = URLResolver(base: nil)
    #expect(resolver.resolve("/a") == nil)
    #expect(resolver.resolve("//a.test/") == nil)
    #expect(resolver.resolve("https://a.test/b/../c") == "https://a.test/c")
    #expect(!URLResolver(base: "not absolute").hasBase)
  }

  @Test func `a resolved link is unchanged by a second resolution`() {
    for example in Self.links {
      guard let target = example.target else { continue }
      #expect(URLResolver(base: nil).resolve(target) == target)
    }
  }
}

import FetchModel
import FetchValues
import Testing

@Suite struct TargetURLTests {
  @Test(arguments: [
    ("http://example.org", "http://example.org/"),
    ("HTTPS://EXAMPLE.org:443/A", "https://example.org/A"),
    ("http://example.org.:8080/a/./b/../c?x=1&y=%20#frag", "http://example.org:8080/a/c?x=1&y=%20"),
    ("http://example.org:/", "http://example.org/"),
    ("http://example.org:00080/", "http://example.org/"),
    ("http://example.org:65535/", "http://example.org:65535/"),
    ("https://example.org:80/?", "https://example.org:80/?"),
    ("http://example.org/ü|x?q={ö}", "http://example.org/%C3%BC%7Cx?q=%7B%C3%B6%7D"),
    ("http://example.org/100%/%zz/%41", "http://example.org/100%25/%25zz/%41"),
    ("http://example.org/../../a//b/..", "http://example.org/a//"),
    ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
    ("http://under_score.example/", "http://under_score.example/"),
    ("http://[2001:DB8:0:0:0:0:0:1]:8080/", "http://[2001:db8::1]:8080/"),
    ("http://[::ffff:192.0.2.1]/", "http://[::ffff:c000:201]/"),
    ("http://192.0.2.1/", "http://192.0.2.1/"),
    ("http://example.org?q", "http://example.org/?q"),
    ("file:///srv/feeds/a%20b.xml", "file:///srv/feeds/a%20b.xml"),
    ("file://localhost/srv/a", "file:///srv/a"),
  ]) func `an address is rebuilt from its parts`(text: String, rebuilt: String) throws {
    #expect(try TargetURL(text).text == rebuilt)
    #expect(try TargetURL(rebuilt).text == rebuilt)
  }

  @Test(arguments: [
    ("http://127.0.0.1\\@allowed.test/", "has a backslash in it; write / or %5C"),
    (
      "http://a b/",
      "has a space in it; remove it, or write %20 if it belongs to the path or the query"
    ),
    (
      " http://a/",
      "has a space in it; remove it, or write %20 if it belongs to the path or the query"
    ),
    ("http://a/\n", "has a control character in it"),
    ("http://a/\u{7F}", "has a control character in it"),
    ("example.org/feed", "has no scheme; write one, as in https://example.org/"),
    ("//example.org/feed", "has no scheme; write one, as in https://example.org/"),
    ("", "has no scheme; write one, as in https://example.org/"),
    ("ftp://example.org/", "has the unsupported scheme ftp; use http, https or file"),
    ("FTP://example.org/", "has the unsupported scheme ftp; use http, https or file"),
    ("javascript:x", "has the unsupported scheme javascript; use http, https or file"),
    ("http:/", "has no // after the scheme; write // after the colon"),
    ("http:example.org", "has no // after the scheme; write // after the colon"),
    ("http:///path", "has no hostname"),
    ("http://:80/", "has no hostname"),
    ("http://%65xample.org/", "has a percent sign in the hostname; write the hostname unencoded"),
    ("http://bücher.example/", "has a hostname that is not ASCII; write the xn-- form"),
    ("http://example。org/", "has a hostname that is not ASCII; write the xn-- form"),
    ("http://a..b/", "has an invalid hostname; write one such as example.org"),
    ("http://./", "has an invalid hostname; write one such as example.org"),
    ("http://a!b/", "has an invalid hostname; write one such as example.org"),
    ("http://[fe80::1%25eth0]/", "has an invalid IPv6 address; write one such as [2001:db8::1]"),
    ("http://[::1/", "has an invalid IPv6 address; write one such as [2001:db8::1]"),
    ("http://[1:2:3:4:5:6:7:8:9]/", "has an invalid IPv6 address; write one such as [2001:db8::1]"),
    ("http://[1::2::3]/", "has an invalid IPv6 address; write one such as [2001:db8::1]"),
    ("http://[127.0.0.1]/", "has an invalid IPv6 address; write one such as [2001:db8::1]"),
    ("http://a:0/", "has a port that is not a number from 1 to 65535"),
    ("http://a:65536/", "has a port that is not a number from 1 to 65535"),
    ("http://a:+80/", "has a port that is not a number from 1 to 65535"),
    ("http://a:80:90/", "has a port that is not a number from 1 to 65535"),
    ("file://server/share", "is a file address with a hostname; write file:///path"),
  ]) func `a text that parsers read differently is refused with a hint`(
    text: String, problem: String
  ) {
    let failure = #expect(throws: Failure.self) { try TargetURL(text) }
    #expect(failure?.code == .invalidURL)
    #expect(failure?.message.hasSuffix("\" " + problem) == true)
  }

  @Test(arguments: [
    "2130706433", "0x7f.1", "0x7f000001", "0X7F000001", "127.1", "017700000001", "0", "127.0.0.01",
    "1.2.3.4.5", "256.1.1.1", "127.0.0.0x1", "1.2.3", "127.0.0.1.",
  ]) func `an IPv4 address has one spelling`(host: String) throws {
    if host == "127.0.0.1." {
      #expect(try TargetURL("http://\(host)/").hostname == "127.0.0.1")
      return
    }
    let failure = #expect(throws: Failure.self) { try TargetURL("http://\(host)/") }
    #expect(
      failure?.message == "the address \"http://\(host)/\" has an invalid IPv4 "
        + "address; write one such as 192.0.2.1")
  }

  @Test func `a message does not repeat the password of an address`() {
    let failure = #expect(throws: Failure.self) { try TargetURL("http://ada:secret@a.example/x") }
    #expect(
      failure?.message == "the address \"...@a.example/x\" has a user name in it; use basic "
        + "authentication instead")
  }

  @Test(arguments: [
    "https://ada:se cret@a.example/", "ftp://ada:secret@a.example/", "ada:secret@a.example",
    "https:ada:secret@a.example/", "https://ada:sec/ret@a.example/",
    "https://ada:sec\\ret@a.example",
    "https://ada:secret\u{7}@a.example/", "//ada:secret@a.example/",
  ]) func `an address that is invalid for another reason hides its password too`(text: String) {
    let failure = #expect(throws: Failure.self) { try TargetURL(text) }
    #expect(failure?.message.contains("\"...@a.example") == true, "\(failure as Any)")
    #expect(failure?.message.contains("ret") == false)
  }

  @Test func `an invalid address without a user name is shown whole`() {
    let failure = #expect(throws: Failure.self) { try TargetURL("https://a.example/x y@z") }
    #expect(failure?.message.contains("\"https://a.example/x y@z\"") == true)
  }

  @Test func `an address has a maximum length, and so has its part in a message`() {
    let long = "http://a/" + String(repeating: "x", count: TargetURL.bytesMax)
    let failure = #expect(throws: Failure.self) { try TargetURL(long) }
    #expect(failure?.message.utf8.count ?? 0 < 200)
  }

  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
    (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
    ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("g.", "http://a/b/c/g."),
    ("..g", "http://a/b/c/..g"), ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"),
    ("https://other/x", "https://other/x"), ("/x?u=http://b/", "http://a/x?u=http://b/"),
  ]) func `a reference is resolved by RFC 3986 section 5.4`(
    reference: String, target: String
  ) throws {
    #expect(try TargetURL("http://a/b/c/d;p?q").resolving(reference).text == target)
  }

  @Test func `origins are equal by scheme, hostname and port`() throws {
    let target = try TargetURL("https://a.example/x")
    #expect(target.isSameOrigin(as: try TargetURL("https://A.example:443/y")))
    #expect(!target.isSameOrigin(as: try TargetURL("http://a.example/x")))
    #expect(!target.isSameOrigin(as: try TargetURL("https://a.example:8443/x")))
    #expect(!target.isSameOrigin(as: try TargetURL("https://b.a.example/x")))
  }
}

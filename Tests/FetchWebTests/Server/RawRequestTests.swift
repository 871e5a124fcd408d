import Testing

@testable import FetchWeb

/// A raw request with the expected status of its answer. The status is 0 if the server closes the
/// connection without an answer.
struct RawCase: Sendable, CustomTestStringConvertible {
  var name: String
  var text: String
  var status: Int
  var testDescription: String { name }

  init(_ name: String, _ status: Int, _ text: String) {
    (self.name, self.status, self.text) = (name, status, text)
  }

  /// Returns a case of a GET request with the given header fields.
  static func get(_ name: String, _ status: Int, _ target: String = "/livez", _ fields: String...)
    -> RawCase
  {
    RawCase(
      name, status,
      "GET \(target) HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\n"
        + fields.map { $0 + "\r\n" }.joined() + "\r\n")
  }

  /// Returns a case of a POST request with the given header fields and body.
  static func post(_ name: String, _ status: Int, _ fields: [String], _ body: String) -> RawCase {
    RawCase(
      name, status,
      "POST /api/v1/pause HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\n"
        + "Authorization: Bearer TOKEN\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n" + body)
  }

  static func host(_ name: String, _ status: Int, _ fields: String) -> RawCase {
    RawCase(name, status, "GET /livez HTTP/1.1\r\nConnection: close\r\n\(fields)\r\n")
  }

  static func line(_ name: String, _ status: Int, _ line: String) -> RawCase {
    RawCase(name, status, "\(line)\r\nHost: localhost:PORT\r\nConnection: close\r\n\r\n")
  }
}

/// Tests with raw requests over a socket: rebinding, smuggling, limits, and requests that other
/// sites cause.
@Suite struct RawRequestTests {
  private static let long = String(repeating: "a", count: 17 << 10)

  static let usual: [RawCase] = [
    .get("a usual request", 200),
    RawCase("HTTP/1.0", 200, "GET /livez HTTP/1.0\r\nHost: localhost:PORT\r\n\r\n"),
    .line("an empty line first", 200, "\r\nGET /livez HTTP/1.1"),
    .get("no such address", 404, "/nothing"), .get("a slash too many", 404, "/livez/"),
    .get("a query that nobody knows", 400, "/livez?x=1"),
    .line("another method", 405, "DELETE /livez HTTP/1.1"),
    .line("OPTIONS", 204, "OPTIONS /livez HTTP/1.1"), .line("HEAD", 200, "HEAD /livez HTTP/1.1"),
    .line("TRACE", 405, "TRACE /livez HTTP/1.1"),
    .line("CONNECT", 400, "CONNECT localhost:80 HTTP/1.1"),
    .line("OPTIONS of all", 400, "OPTIONS * HTTP/1.1"),
    .get("an upgrade that nobody offers", 200, "/livez", "Upgrade: websocket"),
    .get("an upgrade to HTTP/2", 200, "/livez", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"),
    .line("an absolute target of ours", 200, "GET http://localhost:PORT/livez HTTP/1.1"),
    .line("an absolute target of others", 400, "GET http://evil.example/livez HTTP/1.1"),
    .get("a preflight", 401, "/api/v1/items", "Origin: http://evil.example"),
    .get("ranges are ignored", 200, "/livez", "Range: bytes=0-0"),
    .get("an unknown expectation", 200, "/livez", "Expect: nothing"),
  ]

  static let hosts: [RawCase] = [
    .host("no host", 400, ""), .host("an empty host", 400, "Host:\r\n"),
    .host("two hosts", 400, "Host: localhost:PORT\r\nHost: localhost:PORT\r\n"),
    .host("two different hosts", 400, "Host: localhost:PORT\r\nHost: evil.example\r\n"),
    .host("a host of another case twice", 400, "Host: localhost:PORT\r\nhOST: localhost:PORT\r\n"),
    .host("a list of hosts", 400, "Host: localhost:PORT, evil.example\r\n"),
    .host("rebinding", 421, "Host: evil.example\r\n"),
    .host("rebinding with our port", 421, "Host: evil.example:PORT\r\n"),
    .host("rebinding with our name", 421, "Host: localhost.evil.example:PORT\r\n"),
    .host("another address", 421, "Host: 10.0.0.1:PORT\r\n"),
    .host("another port", 421, "Host: localhost:1\r\n"),
    .host("the address", 200, "Host: 127.0.0.1:PORT\r\n"),
    .host("the address as a number", 421, "Host: 2130706433:PORT\r\n"),
    .host("a user in the host", 400, "Host: a@localhost:PORT\r\n"),
    .host("a path in the host", 400, "Host: localhost:PORT/a\r\n"),
    .host("a zero byte in the host", 400, "Host: localhost\0:PORT\r\n"),
    .host(
      "forwarded hosts do not count", 421,
      "Host: evil.example\r\nX-Forwarded-Host: localhost:PORT\r\n"),
  ]

  static let smuggling: [RawCase] = [
    .post("a length", 400, ["Content-Length: 1"], "a"),
    .post("no body", 200, ["Content-Length: 0"], ""), .post("no length", 200, [], ""),
    .post("two equal lengths", 400, ["Content-Length: 0", "Content-Length: 0"], ""),
    .post("two lengths", 400, ["Content-Length: 0", "Content-Length: 5"], "abcde"),
    .post("a list of lengths", 400, ["Content-Length: 0, 5"], "abcde"),
    .post("a negative length", 400, ["Content-Length: -1"], ""),
    .post("a length with a sign", 400, ["Content-Length: +0"], ""),
    .post("a length in hexadecimal", 400, ["Content-Length: 0x0"], ""),
    .post("a huge length", 413, ["Content-Length: 999999999999"], ""),
    .post("a length beyond all numbers", 400, ["Content-Length: 99999999999999999999999"], ""),
    .post("no digits", 400, ["Content-Length: "], ""),
    .post("chunks", 400, ["Transfer-Encoding: chunked"], "1\r\na\r\n0\r\n\r\n"),
    .post("no chunks", 200, ["Transfer-Encoding: chunked"], "0\r\n\r\n"),
    .post(
      "chunks and a length", 400, ["Transfer-Encoding: chunked", "Content-Length: 5"],
      "0\r\n\r\n"),
    .post(
      "a length and chunks", 400, ["Content-Length: 5", "Transfer-Encoding: chunked"],
      "0\r\n\r\n"),
    .post("another encoding", 400, ["Transfer-Encoding: gzip"], ""),
    .post("an unknown encoding", 400, ["Transfer-Encoding: xchunked"], "0\r\n\r\n"),
    .post("chunked is not last", 400, ["Transfer-Encoding: chunked, identity"], "0\r\n\r\n"),
    .post("a blank before the colon", 400, ["Transfer-Encoding : chunked"], "0\r\n\r\n"),
    .post("a bad size of a chunk", 400, ["Transfer-Encoding: chunked"], "zz\r\na\r\n0\r\n\r\n"),
    .post("a chunk without its end", 400, ["Transfer-Encoding: chunked"], "1\r\nab\r\n0\r\n\r\n"),
    .post(
      "a chunk of a huge size", 400, ["Transfer-Encoding: chunked"],
      "ffffffffffffffffff\r\na\r\n"),
    .post("a chunk that ends with LF", 400, ["Transfer-Encoding: chunked"], "1\na\n0\n\n"),
  ]

  static let fields: [RawCase] = [
    RawCase("bare LF", 400, "GET /livez HTTP/1.1\nHost: localhost:PORT\nConnection: close\n\n"),
    .get("bare LF after a field", 400, "/livez", "A: b\nC: d"),
    .get("bare CR", 400, "/livez", "A: b\rC: d"),
    .get("a folded line", 400, "/livez", "A: b\r\n c"),
    .get("a folded line with a tab", 400, "/livez", "A: b\r\n\tc"),
    .host("a blank before the first field", 400, " Host: localhost:PORT\r\n"),
    .get("a blank before the colon", 400, "/livez", "A : b"),
    .get("no colon", 400, "/livez", "Ab"), .get("no name", 400, "/livez", ": b"),
    .get("a zero byte in a value", 400, "/livez", "A: b\0c"),
    .get("a control character in a name", 400, "/livez", "A\u{1}: b"),
    .get("another character in a name", 400, "/livez", "Ä: b"),
    .get("a quote in a name", 400, "/livez", "\"A\": b"),
    .get("a long field", 431, "/livez", "A: \(long)"),
    .get(
      "long fields together", 431, "/livez", "A: \(long.prefix(9_000))", "B: \(long.prefix(9_000))"),
    .get("many fields", 431, "/livez", (0..<65).map { "A\($0): b" }.joined(separator: "\r\n")),
    .get("sixty fields", 200, "/livez", (0..<60).map { "A\($0): b" }.joined(separator: "\r\n")),
    .get("a long target", 431, "/\(long)"), .get("a long query", 431, "/livez?\(long)"),
    RawCase(
      "an endless name", 431, "GET /livez HTTP/1.1\r\n" + String(repeating: "a", count: 64 << 10)),
    RawCase("an endless target", 431, "GET /" + String(repeating: "a", count: 64 << 10)),
  ]

  static let lines: [RawCase] = [
    .line("no version", 400, "GET /livez"), .line("HTTP/0.9", 400, "GET /livez HTTP/0.9"),
    .line("HTTP/2", 400, "GET /livez HTTP/2.0"), .line("HTTP/1.2", 400, "GET /livez HTTP/1.2"),
    .line("another protocol", 400, "GET /livez ICE/1.0"),
    .line("a small method", 400, "get /livez HTTP/1.1"),
    .line("a method that nobody knows", 400, "BREW /livez HTTP/1.1"),
    // A recipient may split the line at any white space (RFC 9112, section 3).
    .line("two blanks", 200, "GET  /livez HTTP/1.1"),
    .line("a blank in the target", 400, "GET /li vez HTTP/1.1"),
    .line("a tab in the target", 400, "GET /livez\t HTTP/1.1"),
    .line("no target", 400, "GET HTTP/1.1"), .line("a relative target", 400, "GET livez HTTP/1.1"),
    .get("a bad escape", 400, "/%zz"), .get("half an escape", 400, "/livez%2"),
    .get("a zero byte", 400, "/livez%00"), .get("bytes that are not UTF-8", 400, "/%FF"),
    .get("a fragment", 400, "/livez#a"), .get("up a folder", 404, "/../livez"),
    .get("an escaped slash", 404, "/api%2Fv1/items"),
    RawCase("no HTTP at all", 400, "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\r\n\r\n"),
    RawCase("a preface of HTTP/2", 400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    RawCase("an answer", 400, "HTTP/1.1 200 OK\r\n\r\n"),
    RawCase("a proxy's line", 400, "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET /livez HTTP/1.1\r\n\r\n"),
  ]

  static let access: [RawCase] = [
    .get("no token", 401, "/api/v1/items"),
    .get("a token", 200, "/api/v1/items", "Authorization: Bearer TOKEN"),
    .get("a wrong token", 401, "/api/v1/items", "Authorization: Bearer frt_x"),
    .get(
      "two tokens", 401, "/api/v1/items", "Authorization: Bearer TOKEN",
      "Authorization: Bearer TOKEN"),
    .get("a token in the address", 401, "/api/v1/items?token=TOKEN"),
    .get("a cookie that nobody knows", 401, "/api/v1/items", "Cookie: fetchrun-PORT=frs_x"),
    .post(
      "a type that nobody asked for", 400,
      ["Content-Type: text/plain", "Content-Length: 2"], "{}"),
    .post("a method in a field", 200, ["X-HTTP-Method-Override: DELETE"], ""),
    RawCase(
      "a form of another site", 401,
      "POST /api/v1/pause HTTP/1.1\r\nHost: localhost:PORT\r\nOrigin: http://evil.example\r\n"
        + "Connection: close\r\nContent-Length: 0\r\n\r\n"),
  ]

  static let all = usual + hosts + smuggling + fields + lines + access

  @Test func `each is answered as specified, with the fields of all answers`() async throws {
    #expect(Set(Self.all.map(\.text)).count >= 80)
    let server = try await RawServer()
    let token = try server.site.token()
    for raw in Self.all {
      server.site.advance(.seconds(120))
      let text = raw.text.replacing("PORT", with: "\(server.port)")
        .replacing("TOKEN", with: token)
      let answer = try server.exchange(text)
      let status = answer.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      #expect(status == raw.status, "\(raw.name): \(answer.prefix(300))")
      let head = answer.components(separatedBy: "\r\n\r\n")
      for (name, value) in WebResponse.alwaysFields where status != 0 {
        #expect(head.contains("\(name): \(value)\r\n"), "\(raw.name): \(name)")
      }
      #expect(!head.lowercased().contains("access-control-"), "\(raw.name)")
      #expect(!answer.contains(token), "\(raw.name)")
      #expect(answer.ranges(of: "HTTP/1.1 ").count == 1, "\(raw.name) has two answers")
    }
    await server.stop()
  }
}

extension String {
  /// Returns the text before the separator with a line end, or the whole text without a separator.
  fileprivate func components(separatedBy separator: String) -> String {
    firstRange(of: separator).map { String(self[..<$0.lowerBound]) + "\r\n" } ?? self
  }
}

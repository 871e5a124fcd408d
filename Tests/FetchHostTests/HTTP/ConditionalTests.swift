import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct ConditionalTests {
  static let startAt = SessionFixture.startAt

  private func feed() throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      request.header("if-none-match") == "\"v1\""
        ? connection.answer(304, ["ETag: \"v1\""])
        : connection.answer(200, ["ETag: \"v1\"", "Last-Modified: then"], "items")
    }
  }

  private func fixture(_ session: HTTPSession) -> SessionFixture {
    var fixture = SessionFixture()
    for update in session.validatorUpdates { fixture.validators[update.url] = update.validators }
    return fixture
  }

  @Test func `the second run requests only what has changed`() async throws {
    let server = try feed()
    let first = SessionFixture().session()
    #expect(try await first.send(HTTPRequest(url: server.url)).get().text == "items")
    let second = fixture(first).session()
    let answer = try await second.send(HTTPRequest(url: server.url)).get()
    #expect(answer.notModified)
    #expect(answer.status == 304)
    #expect(server.requests.last?.header("if-none-match") == "\"v1\"")
    #expect(server.requests.last?.header("if-modified-since") == "then")
    #expect(second.facts.map(\.notModified) == [true])
    #expect(second.validatorUpdates.isEmpty)
  }

  static let rawTags: [[UInt8]] = [
    Array("\"plain\"".utf8), Array("W/\"a b\"".utf8), Array("unquoted".utf8),
    Array("\"a\"b\"".utf8), Array("\"\"".utf8), Array("w/\"x\"".utf8), Array("W/unquoted".utf8),
    Array("\"caf\u{E9}\"".utf8), Array("\"e\u{301} \u{1F600}\"".utf8),
    [0x22, 0x63, 0xE9, 0x22], [0x22, 0x80, 0x9F, 0xA0, 0xFF, 0x22],
    [0x22, 0xC3, 0x28, 0xE2, 0x82, 0x22], [0xFF], [0x22] + Array(0x80...0xFF) + [0x22],
  ]

  @Test(arguments: rawTags) func `a validator's bytes are sent back unchanged`(
    tag: [UInt8]
  ) async throws {
    let server = try ScriptedServer { request, connection in
      request.header("if-none-match") == nil
        ? connection.send(
          Array("HTTP/1.1 200 OK\r\nETag: ".utf8) + tag
            + Array("\r\nLast-Modified:  ".utf8) + tag
            + Array(" \r\nContent-Length: 2\r\n\r\nok".utf8))
        : connection.answer(304)
    }
    let first = SessionFixture().session()
    #expect(try await first.send(HTTPRequest(url: server.url)).get().text == "ok")
    #expect(try await fixture(first).get(server.url).get().notModified)
    let bytes = try #require(server.requests.last?.headBytes)
    for name in ["If-None-Match: ", "If-Modified-Since: "] {
      #expect(bytes.contains(Array(name.utf8) + tag + [0x0D, 0x0A]))
    }
  }

  @Test(arguments: rawTags) func `a plugin may send back a validator that it received`(
    tag: [UInt8]
  ) async throws {
    let server = try ScriptedServer { _, connection in
      connection.send(
        Array("HTTP/1.1 200 OK\r\nETag: ".utf8) + tag
          + Array("\r\nContent-Length: 0\r\n\r\n".utf8))
    }
    let session = SessionFixture().session()
    let shown = try await session.send(HTTPRequest(url: server.url)).get().header("etag")
    var request = HTTPRequest(url: server.url)
    request.headers = [HTTPField("if-match", try #require(shown))]
    _ = try await session.send(request).get()
    let bytes = try #require(server.requests.last?.headBytes)
    #expect(bytes.contains(Array("if-match: ".utf8) + tag + [0x0D, 0x0A]))
  }

  @Test func `a validator that was stored as text is sent as UTF-8`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(304) }
    var fixture = SessionFixture()
    fixture.validators[server.url + "/"] = Validators(
      etag: "\"\u{1F600}\"", lastFullAnswerAt: Self.startAt)
    _ = try await fixture.get(server.url).get()
    #expect(server.requests.first?.header("if-none-match") == "\"\u{1F600}\"")
  }

  @Test func `a request may be unconditional`() async throws {
    let server = try feed()
    let first = SessionFixture().session()
    _ = try await first.send(HTTPRequest(url: server.url)).get()
    var request = HTTPRequest(url: server.url)
    request.conditional = false
    let answer = try await fixture(first).session().send(request).get()
    #expect(answer.text == "items")
    #expect(!answer.sameBody)
  }

  @Test func `without validators an unchanged body is recognised by its hash`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200, [], "items") }
    let first = SessionFixture().session()
    #expect(try await !first.send(HTTPRequest(url: server.url)).get().sameBody)
    let second = fixture(first).session()
    #expect(try await second.send(HTTPRequest(url: server.url)).get().sameBody)
    #expect(second.facts.map(\.sameBody) == [true])
  }

  private func question(_ url: String, _ method: String, depth: Int = 1) -> HTTPRequest {
    var request = HTTPRequest(url: url)
    request.method = method
    request.headers = [HTTPField("Depth", "\(depth)")]
    request.body = Array("<propfind/>".utf8)
    return request
  }

  @Test(arguments: ["PROPFIND", "REPORT", "SEARCH"])
  func `an unchanged answer to the same request is recognised`(method: String) async throws {
    let server = try ScriptedServer { request, connection in
      let status = request.method == "GET" ? 200 : 207
      connection.answer(status, ["ETag: \"dav\""], "<multistatus/>")
    }
    let url = server.url + "/"
    let first = SessionFixture().session()
    #expect(try await !first.send(question(url, method)).get().sameBody)
    let second = fixture(first).session()
    // Neither another request nor a GET of the same address is mistaken for the stored request.
    #expect(try await !second.send(HTTPRequest(url: url)).get().sameBody)
    #expect(try await !second.send(question(url, method, depth: 0)).get().sameBody)
    let answer = try await second.send(question(url, method)).get()
    #expect(answer.sameBody && !answer.notModified)
    #expect(second.facts.map(\.sameBody) == [false, false, true])
    #expect(server.requests.allSatisfy { $0.header("if-none-match") == nil })
    var unconditional = question(url, method)
    unconditional.conditional = false
    #expect(try await !fixture(first).session().send(unconditional).get().sameBody)
  }

  @Test func `a changed answer to the same request is news`() async throws {
    let server = try ScriptedServer { request, connection in
      connection.answer(207, [], "<multistatus>\(request.header("x-text") ?? "")</multistatus>")
    }
    var request = question(server.url + "/", "PROPFIND")
    let first = SessionFixture().session()
    _ = try await first.send(request).get()
    request.headers.append(HTTPField("X-Text", "new"))
    let second = fixture(first).session()
    #expect(try await !second.send(request).get().sameBody)
    #expect(try await fixture(second).session().send(request).get().sameBody)
  }

  @Test func `after eight days of 304 the request is unconditional`() async throws {
    let server = try ScriptedServer { request, connection in
      request.header("if-none-match") == nil
        ? connection.answer(200, ["ETag: \"same\""], "new items") : connection.answer(304)
    }
    var fixture = SessionFixture()
    fixture.validators[server.url + "/"] = Validators(
      etag: "\"same\"", bodyHash: [1], lastFullAnswerAt: Self.startAt)
    fixture.now = Self.startAt + Validators.trustedFor
    #expect(try await fixture.get(server.url).get().notModified)
    fixture.now = fixture.now + .seconds(1)
    let session = fixture.session()
    let answer = try await session.send(HTTPRequest(url: server.url)).get()
    #expect(answer.text == "new items")
    #expect(session.validatorUpdates.first?.validators.lastFullAnswerAt == fixture.now)
  }

  @Test(arguments: [
    (304, "304 (not modified) to an unconditional request"),
    (206, "206 (partial content) to a request without a range"),
  ])
  func `an answer that does not fit the request is a failure`(
    status: Int, words: String
  ) async throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(status, ["Location: /elsewhere"])
    }
    let failure = await SessionFixture().get(server.url).failure
    #expect(failure?.code == .invalidResponse)
    #expect(failure?.message == "127.0.0.1 answered \(words)")
    #expect(failure?.retryable == true)
  }

  @Test(arguments: [("If-None-Match", 304), ("if-modified-since", 304), ("range", 206)])
  func `with a plugin's own condition or range, a 304 or 206 is a valid answer`(
    name: String, status: Int
  ) async throws {
    let server = try ScriptedServer { _, connection in connection.answer(status) }
    var request = HTTPRequest(url: server.url)
    request.headers = [HTTPField(name, "x")]
    #expect(try await SessionFixture().session().send(request).get().status == status)
  }

  @Test(arguments: [404, 500]) func `other answers keep the validators`(
    status: Int
  ) async throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(status, ["ETag: \"error\""], "oops")
    }
    let session = SessionFixture().session()
    _ = try await session.send(HTTPRequest(url: server.url)).get()
    #expect(session.validatorUpdates.isEmpty)
  }

  @Test func `a HEAD stores no validators, because the body was not read`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nETag: \"x\"\r\nContent-Length: 5\r\n\r\n")
    }
    let session = SessionFixture().session()
    var request = HTTPRequest(url: server.url)
    request.method = "HEAD"
    #expect(try await session.send(request).get().header("etag") == "\"x\"")
    #expect(session.validatorUpdates.isEmpty)
  }

  @Test func `validators are stored for the address that answered`() async throws {
    let server = try ScriptedServer { request, connection in
      request.path == "/old"
        ? connection.answer(301, ["Location: /new"])
        : connection.answer(
          request.header("if-none-match") == nil ? 200 : 304, ["ETag: \"n\""])
    }
    let first = SessionFixture().session()
    _ = try await first.send(HTTPRequest(url: server.url + "/old")).get()
    #expect(first.validatorUpdates.map(\.url) == [server.url + "/new"])
    let second = fixture(first).session()
    #expect(try await second.send(HTTPRequest(url: server.url + "/old")).get().notModified)
    #expect(server.requests.map { $0.header("if-none-match") } == [nil, nil, nil, "\"n\""])
  }
}

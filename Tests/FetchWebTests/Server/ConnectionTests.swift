import Testing

@testable import FetchWeb

/// Tests of connections over a socket: several requests, requests in parts, bodies, streams, and
/// the end of a connection.
@Suite struct ConnectionTests {
  private static let live = "GET /livez HTTP/1.1\r\nHost: localhost:PORT\r\n"

  private static func live(_ server: RawServer, _ fields: String = "") -> String {
    live.replacing("PORT", with: "\(server.port)") + fields + "\r\n"
  }

  @Test func `a connection has several requests`() async throws {
    let server = try await RawServer()
    let client = try RawClient(port: server.port)
    for _ in 0..<3 {
      client.send(Self.live(server))
      #expect(client.read(until: "ok\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
    await server.stop()
    #expect(client.rest() == "")
  }

  @Test func `a connection that opened before the server reports changes counts as open`()
    async throws
  {
    let server = try await RawServer()
    let client = try RawClient(port: server.port)
    client.send(Self.live(server))
    #expect(client.read(until: "ok\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
    var changes = server.changes().makeAsyncIterator()
    client.finish()
    let isEmpty = await changes.next()
    #expect(isEmpty == false)
    await server.stop()
  }

  @Test func `requests that are sent at once are answered in order`() async throws {
    let server = try await RawServer()
    let client = try RawClient(port: server.port)
    client.send(
      Self.live(server) + "GET /nothing HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\r\n"
        + Self.live(server, "Connection: close\r\n"))
    let answers = client.rest().split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
    #expect(answers == ["200", "404", "200"])
    await server.stop()
  }

  @Test func `a request may come in parts`() async throws {
    let server = try await RawServer()
    let client = try RawClient(port: server.port)
    for byte in Self.live(server, "Connection: close\r\n").utf8 { client.send([byte]) }
    #expect(client.rest().hasSuffix("ok\n"))
    await server.stop()
  }

  @Test func `a client that has sent all still gets its answer`() async throws {
    let server = try await RawServer()
    let client = try RawClient(port: server.port)
    client.send(Self.live(server))
    client.finish()
    #expect(client.rest().hasSuffix("ok\n"))
    await server.stop()
  }

  @Test func `a connection ends after CONNECT, whatever follows`() async throws {
    let server = try await RawServer()
    let client = try RawClient(port: server.port)
    client.send("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\r\n")
    let answer = client.rest()
    #expect(answer.hasPrefix("HTTP/1.1 400 "))
    #expect(answer.contains("\r\nConnection: close\r\n"))
    client.send([UInt8](repeating: 0, count: 4 << 20))
    #expect(client.rest() == "")
    await server.stop()
  }

  @Test func `a client may ask before it sends a body`() async throws {
    let server = try await RawServer(routes: [Self.echo])
    let client = try RawClient(port: server.port)
    client.send(
      "POST /echo HTTP/1.1\r\nHost: localhost:\(server.port)\r\nContent-Length: 5\r\n"
        + "Expect: 100-continue\r\nConnection: close\r\n\r\n")
    #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 Continue\r\n"))
    client.send("hello")
    #expect(client.rest().hasSuffix("\r\n\r\nhello"))
    await server.stop()
  }

  @Test func `a body is as large as its route allows`() async throws {
    let server = try await RawServer(routes: [Self.echo])
    let head = "POST /echo HTTP/1.1\r\nHost: localhost:\(server.port)\r\nConnection: close\r\n"
    let most = String(repeating: "a", count: 100_000)
    #expect(
      try server.exchange(head + "Content-Length: 100000\r\n\r\n" + most).hasSuffix(
        "\r\n\r\n" + most))
    let chunk = "186a0\r\n\(most)\r\n"
    let answer = try server.exchange(
      head + "Transfer-Encoding: chunked\r\n\r\n\(chunk)1\r\na\r\n0\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 413 "))
    await server.stop()
  }

  @Test func `an answer goes on until its end`() async throws {
    let server = try await RawServer(routes: [Self.stream])
    let answer = try server.exchange(
      "GET /stream HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\r\n")
    #expect(answer.contains("\r\nTransfer-Encoding: chunked\r\n"))
    #expect(answer.hasSuffix("\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"))
    await server.stop()
  }

  @Test func `an answer to HEAD names no length that the answer to GET would not have`()
    async throws
  {
    let server = try await RawServer(routes: [Self.stream])
    let client = try RawClient(port: server.port)
    client.send("HEAD /stream HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\r\n")
    let head = client.read(until: "\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.hasSuffix("\r\n\r\n"))
    #expect(!head.contains("Content-Length") && !head.contains("Transfer-Encoding"))
    // The next answer begins directly after the head.
    client.send(Self.live(server, "Connection: close\r\n"))
    #expect(client.rest().hasPrefix("HTTP/1.1 200 OK\r\n"))
    await server.stop()
  }

  @Test func `a stream to HTTP/1.0 has no chunks and ends with the connection`() async throws {
    let server = try await RawServer(routes: [Self.stream])
    let answer = try server.exchange(
      "GET /stream HTTP/1.0\r\nHost: localhost:\(server.port)\r\n\r\n")
    #expect(!answer.contains("Transfer-Encoding"))
    #expect(answer.hasSuffix("\r\n\r\nonetwo"))
    await server.stop()
  }

  @Test func `a client that does not read a stream is disconnected`() async throws {
    let ended = EndSignal()
    let server = try await RawServer(routes: [Self.flood(ended)])
    let client = try RawClient(port: server.port)
    client.send("GET /flood HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\r\n")
    await ended.wait()
    await server.stop()
  }

  @Test func `a large answer is refused while too many bytes of other answers wait`() async throws {
    let server = try await RawServer(routes: [Self.large])
    let request =
      "GET /large HTTP/1.1\r\nHost: localhost:\(server.port)\r\nConnection: close\r\n\r\n"
    let client = try RawClient(port: server.port)
    client.send(request)
    let isBegun = client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n")
    #expect(isBegun)
    let refused = try server.exchange(request)
    #expect(refused.hasPrefix("HTTP/1.1 503 "))
    #expect(refused.contains("\r\nRetry-After: 5\r\n"))
    let small = try server.exchange(Self.live(server, "Connection: close\r\n"))
    #expect(small.hasPrefix("HTTP/1.1 200 OK\r\n"))
    _ = client.rest()
    let isAnswered = try server.exchange(request).hasPrefix("HTTP/1.1 200 OK\r\n")
    #expect(isAnswered)
    await server.stop()
  }

  private static let large = Route(
    "GET", "/large", .other, needs: .nothing, answer: .text(WebMedia.text), "Answers at length"
  ) { _, _ in
    WebResponse(
      200,
      body: .bytes([UInt8](repeating: UInt8(ascii: "a"), count: WebLimits.waitingAnswersBytesMax)))
  }

  private static let echo = Route(
    "POST", "/echo", .other, needs: .nothing, body: .any(bytesMax: 100_000),
    answer: .text(WebMedia.text), "Echoes"
  ) { request, _ in WebResponse(200, body: .bytes(request.body)) }

  private static let stream = Route(
    "GET", "/stream", .other, needs: .nothing, answer: .text(WebMedia.text), "Streams"
  ) { _, _ in
    WebResponse(
      200,
      body: .stream { writer in
        for word in ["one", "two"] { _ = writer.send(Array(word.utf8)) }
      })
  }

  private static func flood(_ ended: EndSignal) -> Route {
    Route("GET", "/flood", .other, needs: .nothing, answer: .text(WebMedia.text), "Floods") {
      _, _ in
      WebResponse(
        200,
        body: .stream { writer in
          while writer.send([UInt8](repeating: 0, count: 64 << 10)) { await Task.yield() }
          ended.ring()
        })
    }
  }
}

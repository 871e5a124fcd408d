import CHost
import FetchModel
import FetchTestSupport
import Testing

@testable import FetchHost

@Suite struct HostileServerTests {
  private func failure(
    _ fixture: SessionFixture = SessionFixture(), method: String = "POST",
    _ script: @escaping ScriptedServer.Script
  ) async throws -> (Failure?, place: String) {
    let server = try ScriptedServer(script)
    var request = HTTPRequest(url: server.url)
    request.method = method
    let failure = await fixture.session().send(request).failure
    return (failure, "127.0.0.1:\(server.port)")
  }

  @Test func `a body cut short is a failure`() async throws {
    let (failure, place) = try await failure { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
      connection.close()
    }
    #expect(
      failure == Failure(.connection, "the answer from \(place) was cut off", retryable: true))
  }

  @Test(arguments: ["5\r\nhello\r\n", "5\r\nhel", "5\r\nhello\r\n0\r\n"])
  func `a chunked body cut short is a failure`(chunks: String) async throws {
    let (failure, _) = try await failure { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
      connection.close()
    }
    #expect(failure?.code == .connection)
  }

  @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"])
  func `a head cut short is a failure`(head: String) async throws {
    let (failure, place) = try await failure { _, connection in
      connection.send(head)
      connection.close()
    }
    #expect(
      failure == Failure(.connection, "the answer from \(place) was cut off", retryable: true))
  }

  @Test func `a connection closed before the answer is a failure`() async throws {
    let (failure, place) = try await failure { _, connection in connection.close() }
    #expect(
      failure
        == Failure(
          .connection, "the request to \(place) ended without an answer", retryable: true))
  }

  @Test func `a reset in the middle of the headers is a failure`() async throws {
    let (failure, _) = try await failure { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Le")
      connection.reset()
    }
    #expect(failure?.code == .connection)
  }

  @Test func `an answer that is not HTTP is reported`() async throws {
    let (failure, place) = try await failure { _, connection in
      connection.send("220 mail.example ESMTP\r\n")
      connection.close()
    }
    #expect(
      failure == Failure(.invalidResponse, "\(place) did not answer with HTTP", retryable: true))
  }

  @Test func `too long headers end the request`() async throws {
    let (failure, place) = try await failure { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n")
      for index in 0..<20_000 { connection.send("X-Flood-\(index): xxxxxxxxxxxxxxxxxxxxxxxx\r\n") }
      connection.close()
    }
    #expect(
      failure
        == Failure(
          .invalidResponse, "the headers from \(place) are too long", retryable: true))
  }

  @Test func `an endless header line ends the request`() async throws {
    let (failure, place) = try await failure { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 300_000))
      connection.close()
    }
    #expect(
      failure
        == Failure(
          .invalidResponse, "the headers from \(place) are too long", retryable: true))
  }

  @Test func `a lack of memory is not reported as a long header`() throws {
    try #require(CurlLibrary.problem == nil)
    let easy = try #require(ccurl_create())
    defer { ccurl_destroy(easy) }
    let hop = HTTPHop(target: try TargetURL("http://a.example/"), deadline: .now)
    let faults = [(false, false), (true, true), (true, false)].map { hasAnswer, isHeadComplete in
      CurlFault.fault(
        of: CURLE_OUT_OF_MEMORY, easy: easy, hop: hop, hasAnswer: hasAnswer,
        isHeadComplete: isHeadComplete)
    }
    let memory = HTTPFault.engine("no memory is left for the request")
    #expect(faults == [memory, memory, .headersTooLong])
  }

  @Test func `too many small headers are refused`() async throws {
    let (failure, _) = try await failure { _, connection in
      connection.answer(200, (0..<501).map { "A\($0): b" })
    }
    #expect(failure?.code == .invalidResponse)
  }

  @Test func `a body over the limit is refused by its declared length, before it arrives`()
    async throws
  {
    var fixture = SessionFixture()
    fixture.limits.bodyBytes = 1_000
    let (failure, place) = try await failure(fixture) { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n")
      connection.waitUntilClientCloses()
    }
    #expect(
      failure
        == Failure(
          .bodyLimit, "the body from \(place) is larger than 1000 bytes (limit: bodyBytes)"))
  }

  @Test func `a body without a declared length is cut off at the limit`() async throws {
    var fixture = SessionFixture()
    fixture.limits.bodyBytes = 1_000
    let (failure, _) = try await failure(fixture) { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 1_001))
      connection.waitUntilClientCloses()
    }
    #expect(failure?.code == .bodyLimit)
  }

  @Test func `a body of exactly the limit is accepted`() async throws {
    var fixture = SessionFixture()
    fixture.limits.bodyBytes = 1_000
    let server = try ScriptedServer { _, connection in
      connection.answer(200, [], String(repeating: "x", count: 1_000))
    }
    #expect(try await fixture.get(server.url).get().body.count == 1_000)
  }

  @Test func `an answer that arrives too slowly is ended`() async throws {
    var fixture = SessionFixture()
    fixture.policy.lowSpeed.period = .seconds(1)
    let (failure, place) = try await failure(fixture) { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx")
      connection.waitUntilClientCloses()
    }
    #expect(
      failure
        == Failure(
          .httpTimeout, "\(place) sent less than 100 bytes a second for 1 s", retryable: true))
  }

  @Test func `a request ends at its own timeout`() async throws {
    let server = try ScriptedServer { _, connection in connection.waitUntilClientCloses() }
    var request = HTTPRequest(url: server.url)
    request.timeout = .milliseconds(200)
    let failure = await SessionFixture().session().send(request).failure
    #expect(
      failure
        == Failure(
          .httpTimeout, "the answer from 127.0.0.1:\(server.port) was not complete in time",
          retryable: true))
  }

  @Test func `a request ends when the run's window ends`() async throws {
    let server = try ScriptedServer { _, connection in connection.waitUntilClientCloses() }
    var fixture = SessionFixture()
    fixture.window = .milliseconds(200)
    #expect(await fixture.get(server.url).failure?.code == .httpTimeout)
  }

  @Test func `a run whose window is over sends nothing`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    var fixture = SessionFixture()
    fixture.window = .zero
    #expect(await fixture.get(server.url).failure?.code == .httpTimeout)
    #expect(server.connectionCount == 0)
  }

  @Test func `a cancelled run releases its request`() async throws {
    let (reached, signal) = AsyncStream.makeStream(of: Void.self)
    let server = try ScriptedServer { _, connection in
      signal.yield()
      connection.waitUntilClientCloses()
    }
    let url = server.url
    let task = Task { await SessionFixture().get(url) }
    for await _ in reached { break }
    task.cancel()
    #expect(await task.value.failure?.code == .cancelled)
  }

  @Test func `a refused connection is reported`() async throws {
    let port = try RefusingPort()
    let failure = await SessionFixture().get("http://127.0.0.1:\(port.number)/").failure
    #expect(
      failure
        == Failure(
          .connection, "cannot connect to 127.0.0.1:\(port.number): connection refused",
          retryable: true))
  }

  @Test(arguments: [
    ["Content-Length: 407", "Content-Length: 5"], ["Content-Length: 5", "Content-Length: 407"],
    ["Content-Length: 407, 5"], ["Content-Length: 5, 407"], ["Content-Length: +5"],
    ["content-length:5abc"], ["Content-Length: 0x5"], ["Content-Length: 5", " 6"],
    ["Content-Length: 5,"], ["Transfer-Encoding: identity", "Content-Length: 5, 6"],
  ]) func `an answer with two lengths, or with a length that is not a number, is a failure`(
    lines: [String]
  ) async throws {
    let (failure, place) = try await failure { _, connection in
      connection.send((["HTTP/1.1 200 OK"] + lines + ["", "hello"]).joined(separator: "\r\n"))
      connection.waitUntilClientCloses()
    }
    #expect(
      failure
        == Failure(
          .invalidResponse,
          "the Content-Length from \(place) is not one number, so the end of the answer is unknown",
          retryable: true))
  }

  @Test(arguments: [
    ["Content-Length: 5", "Content-Length: 5"], ["Content-Length: 5, 5"], ["Content-Length:5 "],
    ["X-Long: a", " b", "Content-Length: 05"],
  ]) func `a length that is repeated unchanged is accepted`(lines: [String]) async throws {
    let server = try ScriptedServer { _, connection in
      connection.send((["HTTP/1.1 200 OK"] + lines + ["", "hello"]).joined(separator: "\r\n"))
    }
    #expect(try await SessionFixture().get(server.url).get().text == "hello")
  }

  @Test func `a repeated length must be that of the body`() async throws {
    let (failure, place) = try await failure { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9, 9\r\n\r\nhello")
      connection.close()
    }
    #expect(failure?.message == "the answer from \(place) was cut off")
  }

  @Test func `a length beside chunks is ignored, and the connection is not used again`()
    async throws
  {
    let server = try ScriptedServer { _, connection in
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "5\r\nhello\r\n0\r\n\r\n")
    }
    let session = SessionFixture().session()
    for _ in 1...2 {
      #expect(try await session.send(HTTPRequest(url: server.url)).get().text == "hello")
    }
    #expect(server.connectionCount == 2)
  }

  @Test func `the length of an answer that cannot have a body does not matter`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.send("HTTP/1.1 204 None\r\nContent-Length: 3, 5\r\n\r\n")
    }
    #expect(try await SessionFixture().get(server.url).get().status == 204)
  }

  @Test func `interim answers and trailers are not the answer`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.send(
        "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\n"
          + "Transfer-Encoding: chunked\r\nX-A: b\r\n\r\n2\r\nhi\r\n0\r\nX-Late: c\r\n\r\n")
    }
    let answer = try await SessionFixture().get(server.url).get()
    #expect(answer.text == "hi")
    #expect(answer.header("x-a") == "b")
    #expect(answer.header("link") == nil)
    #expect(answer.header("x-late") == nil)
  }

  @Test func `header bytes outside UTF-8 are read as Latin-1`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.send(
        Array("HTTP/1.1 200 OK\r\nX-A: caf".utf8) + [0xE9]
          + Array("\r\nX-B: caf\u{E9}\r\nContent-Length: 0\r\n\r\n".utf8))
    }
    let answer = try await SessionFixture().get(server.url).get()
    #expect(answer.header("X-A") == "caf\u{E9}")
    #expect(answer.header("x-b") == "caf\u{E9}")
  }
}

import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct SessionBasicsTests {
  @Test func `a GET returns status, headers and body`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(200, ["Content-Type: text/plain", "X-One: a", "X-One: b"], "hello")
    }
    let answer = try await SessionFixture().get(server.url + "/a?b=c#d").get()
    #expect(answer.status == 200)
    #expect(answer.text == "hello")
    #expect(answer.header("content-type") == "text/plain")
    #expect(answer.headers.filter { $0.name == "x-one" }.map(\.value) == ["a", "b"])
    #expect(answer.url == server.url + "/a?b=c")
    #expect(server.requests.map(\.path) == ["/a?b=c"])
  }

  @Test func `the host sends its name and its supported codings`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(204) }
    _ = try await SessionFixture().get(server.url).get()
    let request = try #require(server.requests.first)
    #expect(
      request.header("user-agent") == "fetchrun/1.0 (+https://github.com/fetchrun/fetchrun)")
    #expect(request.header("accept-encoding") == "gzip, deflate, br, zstd")
    #expect(request.header("accept") == "*/*")
  }

  @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "REPORT"])
  func `a body is sent with its method`(method: String) async throws {
    let server = try ScriptedServer { request, connection in
      connection.answer(200, [], bytes: request.body)
    }
    var request = HTTPRequest(url: server.url)
    request.method = method
    request.body = Array("<x>\u{0}y</x>".utf8)
    let answer = try await SessionFixture().session().send(request).get()
    #expect(answer.text == "<x>\u{0}y</x>")
    #expect(server.requests.first?.method == method)
    #expect(server.requests.first?.header("content-type") == nil)
    #expect(server.requests.first?.header("expect") == nil)
  }

  @Test(arguments: [("POST", "0"), ("PUT", "0"), ("DELETE", nil), ("GET", nil), ("HEAD", nil)])
  func `a request without a body has its method's usual form`(method: String, length: String?)
    async throws
  {
    let server = try ScriptedServer { _, connection in connection.answer(204) }
    var request = HTTPRequest(url: server.url)
    request.method = method
    _ = try await SessionFixture().session().send(request).get()
    #expect(server.requests.first?.method == method)
    #expect(server.requests.first?.header("content-length") == length)
  }

  @Test(arguments: ["POST", "DELETE", "HEAD"])
  func `a request has nothing of an earlier request with the same handle`(method: String)
    async throws
  {
    let server = try ScriptedServer { request, connection in
      if request.method == "HEAD" { return connection.answer(204) }
      connection.answer(200, [], "ok")
    }
    let session = SessionFixture().session(over: HTTPEngine())
    var first = HTTPRequest(url: server.url + "/first")
    first.method = method
    first.headers = [HTTPField("X-One", "1"), HTTPField("X-Empty", "")]
    first.body = method == "HEAD" ? nil : Array("body".utf8)
    first.bearerToken = "abc"
    _ = try await session.send(first).get()
    let answer = try await session.send(HTTPRequest(url: server.url + "/second")).get()
    #expect(answer.text == "ok")
    let second = try #require(server.requests.last)
    #expect(second.method == "GET")
    #expect(second.path == "/second")
    #expect(second.body.isEmpty)
    for name in ["x-one", "x-empty", "authorization", "content-length", "content-type"] {
      #expect(second.header(name) == nil)
    }
  }

  @Test func `basic and bearer credentials become the Authorization header`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(204) }
    var request = HTTPRequest(url: server.url)
    request.basicAuth = (user: "ada", password: "pass:wörd")
    _ = try await SessionFixture().session().send(request).get()
    request.basicAuth = nil
    request.bearerToken = "abc"
    _ = try await SessionFixture().session().send(request).get()
    #expect(
      server.requests.map { $0.header("authorization") }
        == ["Basic YWRhOnBhc3M6d8O2cmQ=", "Bearer abc"])
  }

  @Test(arguments: ["a\r\nX-More: 1", "a\n", "a\rb", "a\u{0}b"])
  func `the engine refuses a header with a line break or a NUL character`(
    value: String
  ) async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    var hop = HTTPHop(target: try TargetURL(server.url + "/"), deadline: .now + .seconds(10))
    hop.privateAddresses = true
    hop.headers = [HTTPField("X-One", value)]
    let end = await SessionFixture.engine.perform(hop)
    guard case .failure(let fault) = end.result else {
      Issue.record("not refused: \(end.result)")
      return
    }
    #expect(fault == .engine("a request header contains a line break or a NUL character"))
    #expect(server.connectionCount == 0)
  }

  @Test func `the answer to a HEAD may declare a body larger than the limit`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
    }
    var request = HTTPRequest(url: server.url)
    request.method = "HEAD"
    let answer = try await SessionFixture().session().send(request).get()
    #expect(answer.header("content-length") == "99999999999")
  }
}

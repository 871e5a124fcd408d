import FetchHost
import FetchModel
import FetchTestSupport
import Testing

@Suite struct RedirectTests {
  @Test func `a chain of redirects is followed and recorded`() async throws {
    let server = try ScriptedServer { request, connection in
      switch request.path {
      case "/a": connection.answer(301, ["Location: /b"], "moved")
      case "/b": connection.answer(308, ["Location: c?x=1"])
      case "/c?x=1": connection.answer(302, ["Location: /d"])
      default: connection.answer(200, [], "here")
      }
    }
    // An engine of its own: many requests of other tests would close connections.
    let session = SessionFixture().session(over: HTTPEngine())
    let answer = try await session.send(HTTPRequest(url: server.url + "/a")).get()
    #expect(answer.text == "here")
    #expect(answer.url == server.url + "/d")
    #expect(answer.movedTo == server.url + "/c?x=1")
    #expect(answer.requestCount == 4)
    #expect(session.requestCount == 4)
    #expect(server.connectionCount == 1)
  }

  @Test func `a loop of redirects ends after ten of them`() async throws {
    let server = try ScriptedServer { request, connection in
      connection.answer(302, ["Location: \(request.path)x"])
    }
    let failure = await SessionFixture().get(server.url).failure
    #expect(
      failure
        == Failure(.redirect, "more than 10 redirects, the last one to 127.0.0.1:\(server.port)"))
    #expect(server.requests.count == 11)
  }

  @Test func `a plugin may handle the redirect itself`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(302, ["Location: /x"], "there")
    }
    var request = HTTPRequest(url: server.url)
    request.followRedirects = false
    let answer = try await SessionFixture().session().send(request).get()
    #expect(answer.status == 302)
    #expect(answer.header("location") == "/x")
  }

  @Test func `every hop needs its own grant`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(302, ["Location: http://evil.example/"])
    }
    let failure = await SessionFixture(hosts: ["127.0.0.1"]).get(server.url).failure
    #expect(
      failure
        == Failure(
          .permission,
          "the plugin or hook may not reach evil.example (granted: 127.0.0.1:*); "
            + "add \"evil.example\" to its permissions.http, or to `hosts` in the config"))
  }

  @Test func `secrets are sent only to their origin`() async throws {
    let other = try ScriptedServer { _, connection in connection.answer(200) }
    let target = other.url
    let server = try ScriptedServer { _, connection in
      connection.answer(307, ["Location: \(target)", "Set-Cookie: s=1"])
    }
    var request = HTTPRequest(url: server.url)
    request.basicAuth = (user: "ada", password: "x")
    request.headers = [HTTPField("X-Api-Key", "k"), HTTPField("Accept-Language", "de")]
    _ = try await SessionFixture().session().send(request).get()
    let first = try #require(server.requests.first)
    #expect(first.header("authorization") != nil)
    #expect(first.header("x-api-key") == "k")
    let second = try #require(other.requests.first)
    #expect(second.header("authorization") == nil)
    #expect(second.header("x-api-key") == nil)
    #expect(second.header("accept-language") == "de")
    // Cookies depend on the host, not on the port (RFC 6265, section 8.5).
    #expect(second.header("cookie") == "s=1")
  }

  @Test func `the status of a redirect decides whether a POST becomes a GET`()
    async throws
  {
    let server = try ScriptedServer { request, connection in
      switch request.path {
      case "/302": connection.answer(302, ["Location: /end"])
      case "/307": connection.answer(307, ["Location: /end"])
      default: connection.answer(200, ["X-Method: \(request.method)"], bytes: request.body)
      }
    }
    var request = HTTPRequest(url: server.url + "/302")
    request.method = "POST"
    request.body = Array("form".utf8)
    let found = try await SessionFixture().session().send(request).get()
    #expect((found.header("x-method"), found.text) == ("GET", ""))
    request.url = server.url + "/307"
    let temporary = try await SessionFixture().session().send(request).get()
    #expect((temporary.header("x-method"), temporary.text) == ("POST", "form"))
  }

  @Test func `cookies of a run are sent back within that run`() async throws {
    let server = try ScriptedServer { request, connection in
      request.path == "/login"
        ? connection.answer(303, ["Set-Cookie: id=7; Path=/", "Location: /in"])
        : connection.answer(200, [], request.header("cookie") ?? "none")
    }
    let fixture = SessionFixture()
    let session = fixture.session()
    #expect(try await session.send(HTTPRequest(url: server.url + "/login")).get().text == "id=7")
    #expect(try await session.send(HTTPRequest(url: server.url + "/x")).get().text == "id=7")
    #expect(try await fixture.get(server.url + "/x").get().text == "none")
  }
}

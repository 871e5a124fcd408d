import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of secrets in requests. The host inserts a value only if it may be sent to the hostname. A
/// redirect to another origin does not carry the value.
@Suite struct SecretRequestTests {
  static let value = "s3cret-t0ken"

  /// Returns a session in which the secret `token` may be sent to 127.0.0.1.
  private func fixture(
    hosts: [String] = ["127.0.0.1"], reading: FixedSecrets = FixedSecrets(["token": value])
  ) -> SessionFixture {
    var fixture = SessionFixture()
    fixture.secrets = RunSecrets(["token": hosts], reading: reading)
    return fixture
  }

  private func request(
    _ url: String, _ change: (inout SealedRequest) -> Void
  ) -> HTTPRequest {
    var request = HTTPRequest(url: url)
    var sealed = SealedRequest()
    change(&sealed)
    request.sealed = sealed
    return request
  }

  @Test func `a header, a bearer token and a body contain the secret's value when they are sent`()
    async throws
  {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let session = fixture().session()
    var request = request(server.url + "/") {
      $0.headers = [.init(name: "X-Key", value: .of("token"))]
      $0.bearer = .of("token")
      $0.body = .json(["k": SecretText.of("token").wire])
    }
    request.method = "POST"
    let answer = try await session.send(request).get()
    #expect(answer.status == 200)
    let sent = try #require(server.requests.first)
    #expect(sent.header("x-key") == Self.value)
    #expect(sent.header("authorization") == "Bearer \(Self.value)")
    #expect(sent.body == Array("{\"k\":\"\(Self.value)\"}".utf8))
  }

  @Test func `basic authentication is redacted, also in base64`() async throws {
    let server = try ScriptedServer { request, connection in
      connection.answer(200, ["X-Echo: \(request.header("authorization") ?? "")"])
    }
    defer { server.stop() }
    let fixture = fixture(reading: FixedSecrets(["token": "pass"]))
    let session = fixture.session()
    let request = request(server.url + "/") {
      $0.user = SecretText([.text("ann")])
      $0.password = .of("token")
    }
    let answer = try await session.send(request).get()
    #expect(answer.header("x-echo") == "Basic YW5uOnBhc3M=")
    #expect(
      session.redactor.redacted(answer.header("x-echo") ?? "") == "Basic [secret token]=")
  }

  @Test func `an address contains the secret's encoded value, which later texts omit`() async throws
  {
    let server = try ScriptedServer { _, connection in
      connection.answer(200, ["ETag: \"\(Self.value)\""], "body")
    }
    defer { server.stop() }
    let fixture = fixture(reading: FixedSecrets(["token": Self.value + "/&?#"]))
    let session = fixture.session()
    let request = request("") {
      $0.url = SecretText([
        .text(server.url + "/bot"), .secret(name: "token", spelling: .plain), .text("/me?a=b"),
      ])
    }
    let answer = try await session.send(request).get()
    #expect(server.requests.first?.path == "/bot\(Self.value)%2F%26%3F%23/me?a=b")
    let shown = server.url + "/bot[secret token]/me?a=b"
    #expect(answer.url == shown)
    #expect(session.facts.map(\.url) == [shown])
    #expect(session.validatorUpdates.map(\.url) == [shown])
  }

  @Test func `a validator with a secret in it is not kept`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(200, ["ETag: \"\(Self.value)\"", "Last-Modified: yesterday"], "body")
    }
    defer { server.stop() }
    let session = fixture().session()
    _ = try await session.send(request(server.url + "/") { $0.bearer = .of("token") }).get()
    let kept = try #require(session.validatorUpdates.first?.validators)
    #expect(kept.etag == nil)
    #expect(kept.lastModified == "yesterday")
  }

  @Test func `an address with a secret is requested conditionally, like any other address`()
    async throws
  {
    let server = try ScriptedServer { request, connection in
      if request.header("if-none-match") == nil {
        connection.answer(200, ["ETag: \"1\""], "body")
      } else {
        connection.answer(304)
      }
    }
    defer { server.stop() }
    var fixture = fixture()
    let request = request("") {
      $0.url = SecretText([.text(server.url + "/?k="), .secret(name: "token", spelling: .url)])
    }
    let first = fixture.session()
    _ = try await first.send(request).get()
    fixture.validators = Dictionary(
      uniqueKeysWithValues: first.validatorUpdates.map { ($0.url, $0.validators) })
    #expect(try await fixture.session().send(request).get().notModified)
  }

  // MARK: Grants

  @Test func `a secret is sent to no hostname but its own, and otherwise not even read`()
    async throws
  {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let reading = FixedSecrets(["token": Self.value])
    let session = fixture(hosts: ["api.example.org"], reading: reading).session()
    let failure = await session.send(request(server.url + "/") { $0.bearer = .of("token") }).failure
    #expect(failure?.code == .permission)
    #expect(
      failure?.message
        == "the secret 'token' may not be sent to 127.0.0.1 (granted: api.example.org); "
        + "add the server to `hosts` of the secret in the config or the case file if you trust it")
    #expect(server.requests.isEmpty)
    #expect(reading.readCount("token") == 0)
  }

  @Test func `a hostname that the run may not reach is refused before its secret is read`() async {
    let reading = FixedSecrets(["token": Self.value])
    var fixture = fixture(hosts: ["*"], reading: reading)
    fixture.grant.hosts = [HostPattern("a.example")].compactMap { $0 }
    let failure = await fixture.session().send(
      request("https://b.example/") { $0.bearer = .of("token") }
    ).failure
    #expect(failure?.message.hasPrefix("the plugin or hook may not reach b.example") == true)
    #expect(reading.readCount("token") == 0)
  }

  @Test func `a request of a file gets no secret`() async {
    var fixture = fixture(hosts: ["*"])
    fixture.grant.readPaths = ["/"]
    let failure = await fixture.session().send(
      request("file:///etc/hostname") { $0.headers = [.init(name: "X", value: .of("token"))] }
    ).failure
    #expect(
      failure?.message == "a secret cannot be used in a 'file:' address, because only servers may "
        + "receive secrets")
  }

  @Test func `a secret that the job lacks is a failure with advice`() async throws {
    let session = fixture(hosts: ["*"]).session()
    let failure = await session.send(
      request("https://a.example/") { $0.bearer = .of("other") }
    ).failure
    #expect(failure?.message == "the job has no secret 'other'; add it to `secrets` of the job")
    let none = await SessionFixture().session().send(
      request("https://a.example/") { $0.bearer = .of("token") }
    ).failure
    #expect(none?.message == "the job has no secrets; add secrets under the job's `secrets`")
  }

  @Test func `a secret that cannot be read is a failure with its own code`() async throws {
    let session = fixture(hosts: ["*"], reading: FixedSecrets([:])).session()
    let failure = await session.send(
      request("http://127.0.0.1:9/") { $0.bearer = .of("token") }
    ).failure
    #expect(
      failure
        == Failure(.secretUnavailable, "cannot obtain the secret 'token': the variable is not set"))
  }

  @Test func `a value is read once in a run, and again in the next run`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let reading = FixedSecrets(["token": Self.value])
    let request = request(server.url + "/") { $0.bearer = .of("token") }
    for _ in 0..<2 {
      let session = fixture(reading: reading).session()
      for _ in 0..<2 { _ = try await session.send(request).get() }
    }
    #expect(reading.readCount("token") == 2)
  }

  @Test func `a line break in a value cannot begin a second header`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let reading = FixedSecrets(["token": "abcdefgh\r\nX-More: 1"])
    let failure = await fixture(reading: reading).session().send(
      request(server.url + "/") { $0.headers = [.init(name: "X-Key", value: .of("token"))] }
    ).failure
    #expect(failure?.message == "the value of the header X-Key has a control character in it")
    #expect(server.requests.isEmpty)
  }

  // MARK: Redirects

  /// Returns two servers. The first server redirects to a path of the second server, which returns
  /// the request's headers.
  private func servers(
    _ status: Int, to location: @escaping @Sendable (UInt16, ScriptedServer.Request) -> String
  ) throws -> (first: ScriptedServer, second: ScriptedServer) {
    let second = try ScriptedServer { _, connection in connection.answer(200) }
    let port = second.port
    let first = try ScriptedServer { request, connection in
      connection.answer(status, ["Location: \(location(port, request))"])
    }
    return (first, second)
  }

  @Test func `a redirect to another hostname does not carry the secret`() async throws {
    let (first, second) = try servers(302) { port, _ in "http://localhost:\(port)/" }
    defer {
      first.stop()
      second.stop()
    }
    let session = fixture().session()
    let answer = try await session.send(
      request(first.url + "/") {
        $0.bearer = .of("token")
        $0.headers = [
          .init(name: "X-Key", value: .of("token")), .init(name: "User-Agent", value: .of("token")),
        ]
      }
    ).get()
    #expect(answer.status == 200)
    let got = try #require(second.requests.first)
    #expect(!got.head.contains(Self.value))
    #expect(first.requests.first?.header("user-agent") == Self.value)
  }

  @Test func `a body with a secret is not sent on to another origin`() async throws {
    let (first, second) = try servers(307) { port, _ in "http://localhost:\(port)/" }
    defer {
      first.stop()
      second.stop()
    }
    var request = request(first.url + "/") {
      $0.body = .text(SecretText([.text("k="), .secret(name: "token", spelling: .url)]))
    }
    request.method = "POST"
    let failure = await fixture().session().send(request).failure
    #expect(failure?.code == .redirect)
    let granted = fixture(hosts: ["127.0.0.1", "localhost"]).session()
    #expect(await granted.send(request).failure?.code == .redirect)
    #expect(second.requests.isEmpty)
  }

  @Test func `a server cannot make the host send the secret to another server`() async throws {
    let (first, second) = try servers(302) { port, request in
      let token = request.header("authorization")?.dropFirst("Bearer ".count) ?? ""
      return "http://localhost:\(port)/?k=\(token)"
    }
    defer {
      first.stop()
      second.stop()
    }
    let failure = await fixture().session().send(
      request(first.url + "/") { $0.bearer = .of("token") }
    ).failure
    #expect(
      failure
        == Failure(
          .permission,
          "the request would send the secret 'token' to localhost, where it may not be sent"))
    #expect(second.requests.isEmpty)
  }

  @Test func `a plugin cannot send a value in clear that a server has echoed`() async throws {
    let echo = try ScriptedServer { request, connection in
      connection.answer(200, [], request.header("authorization") ?? "")
    }
    let other = try ScriptedServer { _, connection in connection.answer(200) }
    defer {
      echo.stop()
      other.stop()
    }
    let session = fixture().session()
    let answer = try await session.send(
      request(echo.url + "/") { $0.bearer = .of("token") }
    ).get()
    let stolen = answer.text
    #expect(stolen.contains(Self.value))
    let place = "http://localhost:\(other.port)/"
    var requests = [HTTPRequest(url: place + "?k=" + PercentEncoding.encode(stolen))]
    requests.append(HTTPRequest(url: place))
    requests[1].headers = [HTTPField("X-Stolen", stolen)]
    requests.append(HTTPRequest(url: place))
    requests[2].method = "POST"
    requests[2].body = Array("{\"k\":\"\(stolen)\"}".utf8)
    requests.append(HTTPRequest(url: place))
    requests[3].bearerToken = Base64.text(Array(stolen.utf8))
    for request in requests {
      #expect(await session.send(request).failure?.code == .permission)
    }
    #expect(other.requests.isEmpty)
  }

  @Test func `the message about a broken redirect contains no part of the secret`() async throws {
    let server = try ScriptedServer { request, connection in
      let token = request.header("authorization")?.dropFirst("Bearer ".count) ?? ""
      let filling = String(repeating: "x", count: 60)
      connection.answer(302, ["Location: nonsense://\(filling)/\(token)"])
    }
    defer { server.stop() }
    let failure = await fixture().session().send(
      request(server.url + "/") { $0.bearer = .of("token") }
    ).failure
    #expect(
      failure?.message
        == "127.0.0.1:\(server.port) redirects to an invalid or refused address "
        + "that contains a secret")
  }

  // MARK: AWS

  @Test func `a line break in AWS credentials cannot begin a second request`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let second = "x\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\n\r\n"
    let session = fixture().session()
    for field in ["region", "service", "key", "token"] {
      let request = request(server.url + "/") {
        var aws = SealedRequest.AWS(
          keyID: SecretText([.text("AKIDEXAMPLE")]), secretKey: .of("token"), region: "r",
          service: "s3")
        switch field {
        case "region": aws.region = second
        case "service": aws.service = second
        case "key": aws.keyID = SecretText([.text(second)])
        default: aws.sessionToken = SecretText([.text(second)])
        }
        $0.aws = aws
      }
      let failure = await session.send(request).failure
      #expect(failure?.code == .invalidValue)
      #expect(failure?.message.hasPrefix("invalid auth.aws.\(field): use ") == true)
    }
    #expect(server.connectionCount == 0)
  }

  @Test func `each hop within the origin has a signature of its own, and others have none`()
    async throws
  {
    let other = try ScriptedServer { _, connection in connection.answer(200) }
    let port = other.port
    let server = try ScriptedServer { request, connection in
      switch request.path {
      case "/a": connection.answer(307, ["Location: /b"])
      default: connection.answer(307, ["Location: http://localhost:\(port)/c"])
      }
    }
    defer {
      server.stop()
      other.stop()
    }
    let session = fixture().session()
    let request = request(server.url + "/a") {
      $0.aws = .init(
        keyID: SecretText([.text("AKIDEXAMPLE")]), secretKey: .of("token"), region: "eu-central-1",
        service: "s3")
    }
    _ = try await session.send(request).get()
    let signatures = server.requests.map { $0.header("authorization") ?? "" }
    #expect(signatures.count == 2)
    #expect(Set(signatures).count == 2)
    for signature in signatures {
      #expect(
        signature.hasPrefix(
          "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261118/eu-central-1/s3/aws4_request, "
            + "SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature="))
    }
    #expect(other.requests.count == 1)
    #expect(other.requests.first?.header("authorization") == nil)
    #expect(other.requests.first?.header("x-amz-date") == nil)
  }
}

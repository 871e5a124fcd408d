import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of access tokens, requested and renewed by the run's own session.
@Suite struct AccessTokenTests {
  private static func client(
    _ server: ScriptedServer, refreshes: Bool = false,
    _ authentication: OAuthClient.Authentication = .basic
  ) -> OAuthClient {
    var client = OAuthClient(tokenURL: server.url + "/token", clientID: "my app")
    client.clientSecret = .environment("client")
    client.refreshToken = refreshes ? .environment("refresh") : nil
    client.scope = "read"
    client.authentication = authentication
    return client
  }

  private static let reading = [
    "client": "client&secret", "refresh": "first-refresh-token",
  ]

  /// Returns a server that issues `access-token-1`, `access-token-2` and so on at `/token`. The
  /// server answers 401 to other requests with a revoked token or no token, otherwise 200.
  private static func server(
    lifetime: Int? = 3600, fields: String = "", revoked: Set<Int> = []
  ) throws -> ScriptedServer {
    let count = Mutex(0)
    return try ScriptedServer { request, connection in
      if request.path == "/token" {
        let number = count.withLock { count in
          count += 1
          return count
        }
        let expiry = lifetime.map { ",\"expires_in\":\($0)" } ?? ""
        connection.answer(
          200, [],
          "{\"access_token\":\"access-token-\(number)\",\"token_type\":\"bearer\"\(expiry)\(fields)}"
        )
      } else {
        let number = request.header("authorization").flatMap {
          Int($0.dropFirst("Bearer access-token-".count))
        }
        connection.answer(number.map(revoked.contains) ?? true ? 401 : 200)
      }
    }
  }

  private static func session(
    _ client: OAuthClient, _ tokens: AccessTokens, reading: FixedSecrets = FixedSecrets(reading),
    after: Duration = .zero, hosts: [String] = ["127.0.0.1"],
    over transport: any HTTPTransport = SessionFixture.engine
  ) -> HTTPSession {
    var fixture = SessionFixture()
    fixture.now = SessionFixture.startAt + after
    fixture.grant.hosts = HostPattern.open(hosts)
    fixture.secrets = RunSecrets(
      ["token": ["127.0.0.1"]], reading: reading, clients: ["token": client], tokens: tokens)
    return fixture.session(over: transport)
  }

  private static func request(_ server: ScriptedServer) -> HTTPRequest {
    var request = HTTPRequest(url: server.url + "/api")
    var sealed = SealedRequest()
    sealed.bearer = .of("token")
    request.sealed = sealed
    return request
  }

  @Test
  func `the client credentials grant gives a token, which is kept until shortly before its end`()
    async throws
  {
    let server = try Self.server(lifetime: 600)
    defer { server.stop() }
    let client = Self.client(server)
    let tokens = AccessTokens()
    let times: [(after: Duration, number: Int)] = [
      (.zero, 1), (.seconds(539), 1), (.seconds(541), 2), (.seconds(600), 2),
    ]
    for (after, number) in times {
      let session = Self.session(client, tokens, after: after)
      #expect(try await session.send(Self.request(server)).get().status == 200)
      #expect(server.requests.last?.header("authorization") == "Bearer access-token-\(number)")
    }
    let asked = try #require(server.requests.first)
    #expect(asked.method == "POST")
    #expect(asked.header("content-type") == "application/x-www-form-urlencoded")
    // The encoded text is `my%20app:client%26secret`.
    #expect(asked.header("authorization") == "Basic bXklMjBhcHA6Y2xpZW50JTI2c2VjcmV0")
    #expect(asked.body == Array("grant_type=client_credentials&scope=read".utf8))
    #expect(server.requests.filter { $0.path == "/token" }.count == 2)
  }

  @Test func `a recording omits requests for a token, and requests repeated with a new one`()
    async throws
  {
    let server = try Self.server(revoked: [1])
    defer { server.stop() }
    let (client, tokens) = (Self.client(server), AccessTokens())
    var runs: [RecordedRun] = []
    for _ in 0..<2 {
      let recorder = HopRecorder(SessionFixture.engine, bytesMax: 1 << 20)
      let session = Self.session(client, tokens, over: recorder)
      _ = try await session.send(Self.request(server)).get()
      // The plugin's own request to that address is recorded.
      var own = HTTPRequest(url: server.url + "/token")
      own.method = "POST"
      _ = try await session.send(own).get()
      #expect(!recorder.lacksToken)
      runs.append(try #require(recorder.run))
    }
    // A new token that is rejected is reported to the plugin. An old token that is rejected is
    // renewed.
    let statuses = runs.map { run in
      run.requests.map { request -> Int? in
        if case .answer(let answer) = request.end { answer.status } else { nil }
      }
    }
    #expect(statuses == [[401, 200], [200, 200]])
    #expect(runs.map { $0.requests.map(\.method) } == [["GET", "POST"], ["GET", "POST"]])
    let paths = server.requests.map(\.path)
    #expect(paths == ["/token", "/api", "/token", "/api", "/token", "/api", "/token"])
  }

  /// A cooldown of one hostname that does not end.
  private struct Closed: Cooldowns {
    let hostname: String
    let until: Timestamp

    func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp? {
      hostname == self.hostname ? until : nil
    }
    func close(_ note: RetryAfterNote, now: Timestamp) {}
  }

  @Test func `the cooldown of a token server postpones the run`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let until = SessionFixture.startAt + .seconds(7_200)
    var fixture = SessionFixture()
    fixture.grant.hosts = HostPattern.open(["127.0.0.1", "localhost"])
    fixture.policy.cooldowns = Closed(hostname: "localhost", until: until)
    var client = Self.client(server)
    client.tokenURL = server.url.replacing("127.0.0.1", with: "localhost") + "/token"
    fixture.secrets = RunSecrets(
      ["token": ["127.0.0.1"]], reading: FixedSecrets(Self.reading), clients: ["token": client],
      tokens: AccessTokens())
    let session = fixture.session(over: SessionFixture.engine)
    #expect(await session.send(Self.request(server)).failure != nil)
    #expect(session.postponedUntil == until)
    #expect(server.requests.isEmpty)
  }

  @Test func `the limit for a token server's answer is not a limit of the run`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(200, [], String(repeating: "x", count: (256 << 10) + 1))
    }
    defer { server.stop() }
    let failure = await Self.session(Self.client(server), AccessTokens())
      .send(Self.request(server)).failure
    #expect(
      failure
        == Failure(
          .bodyLimit,
          "cannot obtain the secret 'token': the body from 127.0.0.1:\(server.port) is larger than "
            + "262144 bytes, the fixed limit for the answer of a token server: check `token_url`"))
  }

  @Test func `without a token, nothing is recorded`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(400, [], "{}") }
    defer { server.stop() }
    let recorder = HopRecorder(SessionFixture.engine, bytesMax: 1 << 20)
    let session = Self.session(Self.client(server), AccessTokens(), over: recorder)
    #expect(await session.send(Self.request(server)).failure != nil)
    #expect(recorder.lacksToken)
    #expect(recorder.run == nil)
  }

  @Test func `the client's secret may be in the body`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let session = Self.session(Self.client(server, .body), AccessTokens())
    _ = try await session.send(Self.request(server)).get()
    let asked = try #require(server.requests.first)
    #expect(asked.header("authorization") == nil)
    #expect(
      asked.body
        == Array(
          ("grant_type=client_credentials&scope=read&client_id=my%20app"
            + "&client_secret=client%26secret").utf8))
  }

  @Test func `a refresh token that the server replaces is kept for the next time`() async throws {
    let server = try Self.server(fields: ",\"refresh_token\":\"second-refresh-token\"")
    defer { server.stop() }
    let reading = FixedSecrets(Self.reading)
    let client = Self.client(server, refreshes: true)
    let tokens = AccessTokens()
    for after in [Duration.zero, .seconds(4000)] {
      _ = try await Self.session(client, tokens, reading: reading, after: after)
        .send(Self.request(server)).get()
    }
    let bodies = server.requests.filter { $0.path == "/token" }.map {
      String(decoding: $0.body, as: UTF8.self)
    }
    #expect(
      bodies == [
        "grant_type=refresh_token&refresh_token=first-refresh-token&scope=read",
        "grant_type=refresh_token&refresh_token=second-refresh-token&scope=read",
      ])
    #expect(reading.keptTokens == ["second-refresh-token"])
  }

  @Test func `a refresh token that cannot be kept is reported, and the run continues`() async throws
  {
    let server = try Self.server(fields: ",\"refresh_token\":\"second-refresh-token\"")
    defer { server.stop() }
    let reading = FixedSecrets(Self.reading, keepProblem: SecretProblem("the disk is full"))
    var fixture = SessionFixture()
    let secrets = RunSecrets(
      ["token": ["127.0.0.1"]], reading: reading,
      clients: ["token": Self.client(server, refreshes: true)])
    fixture.secrets = secrets
    #expect(try await fixture.session().send(Self.request(server)).get().status == 200)
    #expect(
      secrets.notices == [
        "127.0.0.1:\(server.port) sent a new refresh token, which cannot be stored: "
          + "the disk is full; when this process ends, the new token is lost, and the server may "
          + "reject the old one"
      ])
    #expect(
      secrets.redactor.redacted("second-refresh-token") == "[secret token.refresh_token]")
  }

  @Test func `a refresh token that cannot be kept is used for the next token, and then stored`()
    async throws
  {
    let server = try Self.server(fields: ",\"refresh_token\":\"second-refresh-token\"")
    defer { server.stop() }
    let (client, tokens) = (Self.client(server, refreshes: true), AccessTokens())
    let full = FixedSecrets(Self.reading, keepProblem: SecretProblem("the disk is full"))
    let mended = FixedSecrets(Self.reading)
    // A token that the user sets replaces both the stored token and the one in memory.
    let replaced = FixedSecrets(["client": "client&secret", "refresh": "third-refresh-token"])
    for (index, reading) in [full, full, mended, full, replaced].enumerated() {
      _ = try await Self.session(
        client, tokens, reading: reading, after: .seconds(4000 * index)
      ).send(Self.request(server)).get()
    }
    #expect(mended.keptTokens == ["second-refresh-token"])
    let sent = server.requests.filter { $0.path == "/token" }.map {
      String(decoding: $0.body, as: UTF8.self).split(separator: "&")[1]
    }
    #expect(
      sent == [
        "refresh_token=first-refresh-token", "refresh_token=second-refresh-token",
        "refresh_token=second-refresh-token", "refresh_token=first-refresh-token",
        "refresh_token=third-refresh-token",
      ])
  }

  @Test func `runs that need the same token share one request for it`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let client = Self.client(server)
    let tokens = AccessTokens()
    let statuses = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try? await Self.session(client, tokens).send(Self.request(server)).get().status
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == [Int?](repeating: 200, count: 8))
    #expect(server.requests.filter { $0.path == "/token" }.count == 1)
  }

  @Test func `a token that the server rejects is renewed once`() async throws {
    let server = try Self.server(revoked: [1, 3, 4])
    defer { server.stop() }
    let client = Self.client(server)
    let tokens = AccessTokens()
    // A new token that is rejected is not renewed.
    #expect(try await Self.session(client, tokens).send(Self.request(server)).get().status == 401)
    #expect(server.requests.count == 2)
    // An old token that is rejected is replaced by a new one.
    #expect(try await Self.session(client, tokens).send(Self.request(server)).get().status == 200)
    #expect(
      server.requests.map { $0.header("authorization")?.suffix(2) ?? "" }
        == ["V0", "-1", "-1", "V0", "-2"])
  }

  @Test func `without an expiry a token is requested in each run`() async throws {
    let server = try Self.server(lifetime: nil)
    defer { server.stop() }
    let tokens = AccessTokens()
    for _ in 0..<2 {
      let session = Self.session(Self.client(server), tokens)
      for _ in 0..<2 { _ = try await session.send(Self.request(server)).get() }
    }
    #expect(server.requests.filter { $0.path == "/token" }.count == 2)
  }

  @Test
  func
    `the request for a token is charged to the run, and the plugin needs no grant for its server`()
    async throws
  {
    let tokenServer = try Self.server()
    let server = try Self.server()
    defer {
      tokenServer.stop()
      server.stop()
    }
    let named = try ScriptedServer { _, connection in
      connection.answer(200, [], "{\"access_token\":\"access-token-1\"}")
    }
    defer { named.stop() }
    var client = Self.client(named)
    client.tokenURL = "http://localhost:\(named.port)/token"
    let session = Self.session(client, AccessTokens())
    _ = try await session.send(Self.request(server)).get()
    #expect(session.requestCount == 2)
    #expect(session.hostsReached == ["localhost", "127.0.0.1"])
    #expect(session.facts.count == 1)
  }

  static let refusals: [(answer: String, message: String, retryable: Bool)] = [
    (
      #"400 {"error":"invalid_client","error_description":"no client&secret here"}"#,
      "it answered 400, invalid_client: no [secret client_secret] here", false
    ),
    ("503 down", "it answered 503", true),
    ("200 {}", "the token server's answer has no access_token", false),
    (
      #"200 {"access_token":"a","token_type":"mac"}"#,
      "the token server gave a token of the type mac, but only Bearer is supported", false
    ),
    ("302 x", "it answered 302", false),
  ]

  @Test(arguments: refusals.indices)
  func `a token server's message is reported without the secrets of the token request`(index: Int)
    async throws
  {
    let (answer, message, retryable) = Self.refusals[index]
    let server = try ScriptedServer { _, connection in
      let status = Int(answer.prefix(3)) ?? 0
      connection.answer(status, ["Location: /elsewhere"], String(answer.dropFirst(4)))
    }
    defer { server.stop() }
    let failure = await Self.session(Self.client(server), AccessTokens())
      .send(Self.request(server)).failure
    #expect(
      failure
        == Failure(
          .secretUnavailable,
          "cannot obtain the secret 'token': no access token from 127.0.0.1:\(server.port): "
            + message, retryable: retryable))
    #expect(server.requests.allSatisfy { $0.path == "/token" })
  }
}

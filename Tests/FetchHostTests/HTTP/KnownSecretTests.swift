import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of secret values of one run that occur in the records of later runs.
@Suite struct KnownSecretTests {
  private static let value = "s3cret-t0ken"

  private func secrets(_ source: SecretSource, _ access: SecretAccess) -> RunSecrets {
    RunSecrets(
      grants: [SecretGrant(name: "token", hosts: HostPattern.open(["127.0.0.1"]))],
      sources: ["token": source], access: access)
  }

  private func learnt(_ source: SecretSource, _ access: SecretAccess) async -> Redactor {
    let secrets = secrets(source, access)
    await secrets.learn()
    return secrets.redactor
  }

  private func send(
    _ source: SecretSource, _ access: SecretAccess, to server: ScriptedServer
  ) async throws {
    var fixture = SessionFixture()
    fixture.secrets = secrets(source, access)
    var request = HTTPRequest(url: server.url)
    var sealed = SealedRequest()
    sealed.bearer = .of("token")
    request.sealed = sealed
    #expect(try await fixture.session().send(request).get().status == 200)
  }

  @Test func `the value that a program prints is redacted in later runs`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let access = SecretAccess(reading: SecretSources(environment: [:]))
    let source = SecretSource.command(["/bin/echo", Self.value])
    // The program is not started only to learn the value.
    #expect(await learnt(source, access).isEmpty)
    try await send(source, access, to: server)
    let redactor = await learnt(source, access)
    #expect(redactor.redacted("hello \(Self.value)") == "hello [secret token]")
    #expect(await learnt(.command(["/bin/echo", "another"]), access).isEmpty)
    #expect(await learnt(source, SecretAccess(reading: access.reading)).isEmpty)
  }

  @Test func `a token is redacted in later runs, and the secrets of its request immediately`()
    async throws
  {
    let server = try ScriptedServer { request, connection in
      guard request.path == "/token" else { return connection.answer(200) }
      connection.answer(200, [], #"{"access_token":"access-token-1","token_type":"bearer"}"#)
    }
    defer { server.stop() }
    var client = OAuthClient(tokenURL: server.url + "/token", clientID: "app")
    client.clientSecret = .environment("client")
    client.refreshToken = .environment("refresh")
    let access = SecretAccess(
      reading: FixedSecrets(["client": "client&secret", "refresh": "first-refresh-token"]))
    let text = "access-token-1 client&secret first-refresh-token"
    #expect(
      await learnt(.oauth2(client), access).redacted(text)
        == "access-token-1 [secret token.client_secret] [secret token.refresh_token]")
    try await send(.oauth2(client), access, to: server)
    #expect(
      await learnt(.oauth2(client), access).redacted(text)
        == "[secret token] [secret token.client_secret] [secret token.refresh_token]")
  }

  @Test func `the secrets of a failed token request are redacted in later runs`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(503) }
    defer { server.stop() }
    var client = OAuthClient(tokenURL: server.url + "/token", clientID: "app")
    client.clientSecret = .command(["/bin/echo", Self.value])
    var fixture = SessionFixture()
    fixture.secrets = secrets(
      .oauth2(client), SecretAccess(reading: SecretSources(environment: [:])))
    let session = fixture.session()
    var request = HTTPRequest(url: server.url)
    var sealed = SealedRequest()
    sealed.bearer = .of("token")
    request.sealed = sealed
    #expect(await session.send(request).failure?.code == .secretUnavailable)
    #expect(session.redactor.redacted("hi \(Self.value)") == "hi [secret token.client_secret]")
  }

  @Test func `the last line of a command is redacted before it is cut`() async throws {
    var settings = CommandSettings(words: [
      "echo first; printf 'x%.0s' $(seq 195); echo \(Self.value); exit 3"
    ])
    settings.shell = true
    var redactor = Redactor()
    redactor.add(SecretValue(Self.value), named: "token")
    let sink = CommandSink(
      settings, environment: ["PATH": "/usr/bin:/bin"], redactor: { [redactor] _ in redactor })
    let end = await sink.deliver(try SinkTests.batch())
    let lastLine = String(repeating: "x", count: 195) + "[secr"
    #expect(end == .failed(DeliveryFailure("the command ended with status 3: \(lastLine)")))
  }

  @Test func `several redactors act as one`() {
    var redactor = Redactor()
    redactor.add(SecretValue("one-value"), named: "one")
    var other = Redactor()
    other.add(SecretValue("%two value"), named: "two")
    other.add(user: "me", password: SecretValue("one-value"), named: "one")
    redactor.add(other)
    redactor.add(other)
    #expect(
      redactor.redacted("one-value, %two value, bWU6b25lLXZhbHVl")
        == "[secret one], [secret two], [secret one]")
  }
}

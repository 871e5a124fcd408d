import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite(
  .enabled(
    if: NginxServer.isInstalled,
    "nginx and openssl are needed: apt-get install nginx-light openssl"))
struct NginxTests {
  static let text = String(repeating: "<item>news and more news</item>\n", count: 500)
  private static let server = Result { try NginxServer(files: ["feed.xml": text]) }

  private func fixture() throws -> SessionFixture {
    var fixture = SessionFixture()
    fixture.policy.caFile = try Self.server.get().caFile
    return fixture
  }

  @Test func `gzip is decoded, and its bytes on the wire are counted`() async throws {
    let server = try Self.server.get()
    let answer = try await fixture().get("http://127.0.0.1:\(server.plainPort)/feed.xml").get()
    #expect(answer.text == Self.text)
    #expect(answer.header("content-encoding") == "gzip")
    #expect(answer.receivedBytes < Self.text.utf8.count / 4)
  }

  @Test func `the weak ETag of nginx leads to a 304`() async throws {
    let server = try Self.server.get()
    let url = "http://127.0.0.1:\(server.plainPort)/feed.xml"
    var fixture = try fixture()
    let session = fixture.session()
    _ = try await session.send(HTTPRequest(url: url)).get()
    for update in session.validatorUpdates { fixture.validators[update.url] = update.validators }
    #expect(try await fixture.get(url).get().notModified)
  }

  @Test func `HTTP/2 over TLS works with a private authority`() async throws {
    let server = try Self.server.get()
    let answer = try await fixture().get("https://localhost:\(server.tlsPort)/protocol").get()
    #expect(answer.text == "HTTP/2.0")
    let feed = try await fixture().get("https://127.0.0.1:\(server.tlsPort)/feed.xml").get()
    #expect(feed.text == Self.text)
  }

  @Test func `a proxy is used over TLS, and its certificate is checked`() async throws {
    let server = try Self.server.get()
    var fixture = try fixture()
    fixture.policy.proxy.http = HTTPProxy("https://localhost:\(server.tlsPort)")
    let answer = try await fixture.get("http://name.invalid/proxied").get()
    #expect(answer.text == "https GET http://name.invalid/proxied HTTP/1.1")
    fixture.policy.caFile = nil
    let failure = await fixture.get("http://name.invalid/proxied").failure
    #expect(failure?.code == .tls)
    #expect(
      failure?.message
        == "no secure connection to name.invalid: the proxy's certificate is not signed by a known"
        + " authority")
  }

  @Test func `a proxy's certificate for another name is not called the server's`() async throws {
    let server = try Self.server.get()
    var fixture = try fixture()
    fixture.policy.proxy.http = HTTPProxy("https://a.localhost:\(server.tlsPort)")
    let failure = await fixture.get("http://name.invalid/proxied").failure
    // Some releases of libcurl do not resolve `a.localhost`, the name of the proxy.
    #expect(
      failure?.code == .nameResolution
        || failure?.message
          == "no secure connection to name.invalid: the proxy's certificate is for another name"
    )
  }

  @Test func `many concurrent requests share a connection`() async throws {
    let server = try Self.server.get()
    let session = try fixture().session()
    let url = "https://localhost:\(server.tlsPort)/feed.xml"
    let counts = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<100 {
        group.addTask { try? await session.send(HTTPRequest(url: url)).get().body.count }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: Self.text.utf8.count, count: 100))
    #expect(session.requestCount == 100)
  }

  @Test func `an unknown authority is refused unless the user allows it`() async throws {
    let server = try Self.server.get()
    let url = "https://localhost:\(server.tlsPort)/protocol"
    var fixture = SessionFixture()
    let failure = await fixture.get(url).failure
    #expect(failure?.code == .tls)
    #expect(
      failure?.message == "no secure connection to localhost:\(server.tlsPort): "
        + "its certificate is not signed by a known authority")
    fixture.policy.verifiesTLS = false
    #expect(try await fixture.get(url).get().status == 200)
    fixture.policy.verifiesTLS = true
    #expect(await fixture.get(url).failure?.code == .tls)
  }

  @Test func `a certificate for another name is refused`() async throws {
    let server = try Self.server.get()
    let failure = try await fixture().get("https://127.0.0.2:\(server.tlsPort)/").failure
    #expect(failure?.code == .connection)
    let named = try await fixture().get("https://a.localhost:\(server.tlsPort)/").failure
    #expect(named?.code == .tls || named?.code == .nameResolution)
  }

  @Test func `the message about an invalid certificate bundle has its path`() async throws {
    let server = try Self.server.get()
    var fixture = SessionFixture()
    fixture.policy.caFile = "/nowhere/ca.pem"
    let failure = await fixture.get("https://localhost:\(server.tlsPort)/").failure
    #expect(
      failure
        == Failure(
          .tls,
          "the certificate bundle /nowhere/ca.pem cannot be read or contains no certificates"))
  }

  @Test func `plain HTTP on a TLS port is a failed handshake`() async throws {
    let server = try Self.server.get()
    let failure = try await fixture().get("https://127.0.0.1:\(server.plainPort)/").failure
    #expect(failure?.code == .tls)
  }
}

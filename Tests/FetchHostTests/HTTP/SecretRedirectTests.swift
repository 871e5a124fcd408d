import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of ways in which a server could leak a secret that was sent to it with permission. No
/// server runs at the hostnames, so a simulated transport answers.
@Suite struct SecretRedirectTests {
  /// A transport that answers by address and records the requests.
  private final class Net: HTTPTransport {
    private let answers: [String: HTTPHopAnswer]
    private let asked = Mutex<[HTTPHop]>([])

    init(_ answers: [String: [HTTPField]], status: Int) {
      self.answers = answers.mapValues { HTTPHopAnswer(status: status, headers: $0) }
    }

    var urls: [String] { asked.withLock { $0.map(\.target.text) } }

    func headers(_ url: String) -> [String] {
      asked.withLock { hops in hops.first { $0.target.text == url }?.headers.map(\.name) ?? [] }
    }

    func perform(_ hop: HTTPHop) async -> HTTPHopEnd {
      asked.withLock { $0.append(hop) }
      return HTTPHopEnd(.success(answers[hop.target.text] ?? HTTPHopAnswer(status: 200)))
    }
  }

  static let value = "s3cret-t0ken"

  private func session(_ hosts: [String], over net: Net) -> HTTPSession {
    var fixture = SessionFixture()
    fixture.secrets = RunSecrets(
      ["token": hosts], reading: FixedSecrets(["token": Self.value]))
    return fixture.session(over: net)
  }

  private func request(_ url: String) -> HTTPRequest {
    var request = HTTPRequest(url: url)
    var sealed = SealedRequest()
    sealed.bearer = .of("token")
    request.sealed = sealed
    return request
  }

  @Test func `a cookie does not carry a secret to a sister hostname`() async throws {
    let net = Net(
      [
        "https://a.site.example/": [
          HTTPField("set-cookie", "k=\(Self.value); Domain=site.example")
        ]
      ], status: 200)
    let session = session(["a.site.example"], over: net)
    _ = try await session.send(request("https://a.site.example/")).get()
    let failure = await session.send(HTTPRequest(url: "https://b.site.example/")).failure
    #expect(
      failure
        == Failure(
          .permission,
          "the request would send the secret 'token' to b.site.example, where it may not be sent"))
    #expect(net.urls == ["https://a.site.example/"])
    _ = try await session.send(HTTPRequest(url: "https://a.site.example/2")).get()
    #expect(net.urls.count == 2)
  }

  @Test func `a secret that was sent encrypted is not sent on in clear`() async throws {
    let net = Net(
      [
        "https://a.example/?k=s3cret-t0ken": [
          HTTPField("location", "http://a.example/?k=s3cret%2Dt0ken")
        ]
      ], status: 302)
    var request = HTTPRequest(url: "")
    var sealed = SealedRequest()
    sealed.url = SecretText([
      .text("https://a.example/?k="), .secret(name: "token", spelling: .url),
    ])
    request.sealed = sealed
    let failure = await session(["a.example"], over: net).send(request).failure
    #expect(
      failure
        == Failure(
          .redirect,
          "a.example redirects from https to http://a.example, and the new address contains a "
            + "secret: fetchrun did not follow the redirect; use the new address if you trust it"))
    #expect(net.urls == ["https://a.example/?k=s3cret-t0ken"])
  }

  @Test func `another port of the same hostname is another origin`() async throws {
    let net = Net(
      ["https://a.example/": [HTTPField("location", "https://a.example:8443/")]], status: 307)
    let session = session(["a.example"], over: net)
    _ = try await session.send(request("https://a.example/")).get()
    #expect(net.urls == ["https://a.example/", "https://a.example:8443/"])
    #expect(net.headers("https://a.example/").contains("Authorization"))
    #expect(!net.headers("https://a.example:8443/").contains("Authorization"))
  }

  @Test func `a hostname that only resembles the granted one gets no secret`() async throws {
    let net = Net([:], status: 200)
    let session = session(["a.example"], over: net)
    for url in [
      "https://a.example.evil.example/", "https://evila.example/",
      "https://a.example@evil.example/", "https://evil.example/?a.example",
      "https://evil.example\\@a.example/",
    ] {
      #expect(await session.send(request(url)).failure != nil)
    }
    #expect(net.urls == [])
    _ = try await session.send(request("https://A.EXAMPLE/")).get()
    #expect(net.urls == ["https://a.example/"])
  }
}

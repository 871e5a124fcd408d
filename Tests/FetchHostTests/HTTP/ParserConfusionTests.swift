import FetchHost
import FetchModel
import FetchTestSupport
import Testing

/// Tests of addresses that programs parse differently, after Orange Tsai's "A New Era of SSRF"
/// (2017), the follow-ups to this talk and the SSRF bible. A request must go to the address that
/// was checked.
@Suite struct ParserConfusionTests {
  /// The addresses: `G` stands for the granted server, and `V` for the port of the forbidden
  /// server.
  static let cases = [
    // These addresses contain user information, valid or not.
    "http://G@127.0.0.1:V/", "http://127.0.0.1:V@G/", "http://u:p@127.0.0.1:V/",
    "http://u@127.0.0.1:V@G/", "http://u@G@127.0.0.1:V/", "http://G;@127.0.0.1:V/",
    "http://G &@127.0.0.1:V# @x/", "http://127.0.0.1:V:80@G/", "http://G%40127.0.0.1:V/",
    "http://:@127.0.0.1:V/", "http://@127.0.0.1:V/",
    // Browsers read a backslash as a slash.
    "http://G\\@127.0.0.1:V/", "http://127.0.0.1:V\\@G/", "http://127.0.0.1:V\\.G/",
    "http:\\\\127.0.0.1:V\\", "http:/\\127.0.0.1:V/", "\\\\127.0.0.1:V/", "/\\127.0.0.1:V/",
    // These addresses contain blanks, tabs, line ends or NUL, raw or encoded.
    "http://127.0.0.1\t:V/", "http://127.\t0.0.1:V/", "ht\ntp://127.0.0.1:V/",
    "http://127.0.0.1:V\r\nHost: G/", "http://127.0.0.1\0.G/", "http://127.0.0.1%00.G/",
    "http://127.0.0.1%20.G/", "http://127.0.0.1%09:V/", "http://127.0.0.1%23@G/",
    " http://127.0.0.1:V/", "http:// 127.0.0.1:V/",
    // These addresses contain characters that end the hostname.
    "http://G#@127.0.0.1:V/", "http://G?@127.0.0.1:V/", "http://127.0.0.1:V#@G/",
    "http://127.0.0.1:V?@G/", "http://127.0.0.1:V/@G/", "http://127.0.0.1:V;G/",
    "http://127.0.0.1:V:80/", "http://127.0.0.1:V%2fG/", "http://127.0.0.1:V&@G/",
    // These addresses have too few or too many slashes.
    "http:127.0.0.1:V/", "http:/127.0.0.1:V/", "http:///127.0.0.1:V/", "http:////127.0.0.1:V/",
    "//127.0.0.1:V/", "///127.0.0.1:V/", "////127.0.0.1:V/", "://127.0.0.1:V/",
    // These addresses spell IPv4 addresses in other ways.
    "http://2130706433:V/", "http://0x7f000001:V/", "http://0x7f.0.0.1:V/", "http://0x7f.1:V/",
    "http://017700000001:V/", "http://0177.0.0.01:V/", "http://127.1:V/", "http://127.0.1:V/",
    "http://0:V/", "http://0.0.0.0:V/", "http://127.0.0.1.:V/", "http://127.000.000.001:V/",
    "http://4294967296:V/", "http://127.0.0.257:V/", "http://+127.0.0.1:V/",
    // These addresses contain IPv6 addresses, some with an IPv4 address inside.
    "http://[::1]:V/", "http://[::]:V/", "http://[0:0:0:0:0:0:0:1]:V/",
    "http://[::ffff:127.0.0.1]:V/", "http://[::ffff:7f00:1]:V/", "http://[0::ffff:127.0.0.1]:V/",
    "http://[::127.0.0.1]:V/", "http://[64:ff9b::127.0.0.1]:V/", "http://[64:ff9b::7f00:1]:V/",
    "http://[2002:7f00:1::]:V/", "http://[::1%25lo]:V/", "http://[::1%lo]:V/", "http://[::1]G/",
    "http://[127.0.0.1]:V/", "http://[::ffff:0:127.0.0.1]:V/",
    // These addresses have letters that fold to other letters, or names in other forms.
    "http://①②⑦.⓪.⓪.①:V/", "http://127。0。0。1:V/", "http://127．0．0．1:V/", "http://ⓛocalhost:V/",
    "http://localhoſt:V/", "http://%6cocalhost:V/", "http://%31%32%37.0.0.1:V/",
    "http://xn--:V/", "http://g\u{00AD}ranted:V/",
    // These addresses name this machine, or resemble the granted name.
    "http://localhost:V/", "http://LOCALHOST.:V/", "http://a.localhost:V/",
    "http://xgranted.localhost:V/", "http://granted.localhost.localhost:V/",
    "http://granted:V/", "http://granted.localhost..:V/", "http://.granted.localhost:V/",
    // These addresses have other schemes.
    "gopher://127.0.0.1:V/_GET%20/", "dict://127.0.0.1:V/x", "ftp://127.0.0.1:V/",
    "file://127.0.0.1:V/", "file:///etc/passwd", "file:/etc/passwd", "jar:http://127.0.0.1:V/!/",
    "data:text/plain,x", "HTTP+unix://127.0.0.1:V/",
  ]

  private struct Places {
    let granted: ScriptedServer
    let victim: ScriptedServer
    let fixture: SessionFixture

    /// Starts a forbidden server at an address that the run may reach. The run may not request the
    /// server's name, so only the parsing of the address protects the server.
    init(location: String? = nil) throws {
      let victim = try ScriptedServer { _, connection in connection.answer(200, [], "victim") }
      self.victim = victim
      granted = try ScriptedServer { request, connection in
        guard request.path == "/start", let location, let port = request.header("host") else {
          return connection.answer(200, [], "granted")
        }
        connection.answer(
          302, ["Location: " + ParserConfusionTests.filled(location, port, victim.port)])
      }
      var fixture = SessionFixture(hosts: ["granted.localhost"], allowsPrivate: false)
      fixture.grant.privateAddresses = .within([
        try AddressBlock(parsing: "127.0.0.0/8"), try AddressBlock(parsing: "::1"),
      ])
      fixture.window = .seconds(20)
      self.fixture = fixture
    }

    var authority: String { "granted.localhost:\(granted.port)" }
  }

  private static func filled(_ text: String, _ granted: String, _ victim: UInt16) -> String {
    text.replacing("G", with: granted).replacing("V", with: "\(victim)")
  }

  private static func isRefused(_ failure: Failure?) -> Bool {
    switch failure?.code {
    case .permission, .invalidURL, .redirect, .invalidResponse: true
    default: false
    }
  }

  @Test(arguments: cases) func `a plugin's request goes to the address that was checked`(
    text: String
  ) async throws {
    let places = try Places()
    let url = Self.filled(text, places.authority, places.victim.port)
    let result = await places.fixture.get(url)
    #expect(places.victim.connectionCount == 0)
    if let failure = result.failure {
      #expect(Self.isRefused(failure), "\(failure)")
    } else {
      #expect(try result.get().text == "granted")
    }
  }

  @Test(arguments: cases) func `a server's redirect goes to the address that was checked`(
    text: String
  ) async throws {
    // A header cannot contain these bytes. A server that sends the bytes breaks its own answer.
    guard !text.utf8.contains(where: { [0, 0x0A, 0x0D].contains($0) }) else { return }
    let places = try Places(location: text)
    let result = await places.fixture.get("http://\(places.authority)/start")
    #expect(places.granted.requests.first?.path == "/start")
    #expect(places.victim.connectionCount == 0)
    if let failure = result.failure {
      #expect(Self.isRefused(failure), "\(failure)")
    } else {
      #expect(try result.get().text == "granted")
    }
  }

  /// Every hostname is granted, but no private address, so no spelling may lead to this machine.
  @Test(arguments: cases) func `no spelling leads to a private address`(text: String) async throws {
    let victim = try ScriptedServer { _, connection in connection.answer(200, [], "victim") }
    let fixture = SessionFixture(hosts: ["*"], allowsPrivate: false)
    let url = Self.filled(text, "granted.localhost:\(victim.port)", victim.port)
    let failure = await fixture.get(url).failure
    #expect(failure != nil)
    #expect(victim.connectionCount == 0)
  }
}

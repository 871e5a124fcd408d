import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct AddressGateTests {
  @Test func `a name that resolves to this machine is refused before a connection`()
    async throws
  {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    var hop = HTTPHop(
      target: try TargetURL("http://localhost:\(server.port)/"), deadline: .now + .seconds(10))
    let refused = await SessionFixture.engine.perform(hop)
    guard case .failure(.refusedAddress(let address)) = refused.result else {
      Issue.record("not refused: \(refused.result)")
      return
    }
    #expect(AddressClass(address) == .loopback)
    #expect(server.connectionCount == 0)
    hop.privateAddresses = true
    let allowed = await SessionFixture.engine.perform(hop)
    #expect(try allowed.result.get().status == 200)
  }

  @Test func `the message of the refusal has the name and the address`() throws {
    let fault = HTTPFault.refusedAddress(try #require(IPAddress("192.168.1.1")))
    let failure = fault.failure(for: try TargetURL("http://router.example/"))
    #expect(
      failure
        == Failure(
          .permission,
          "router.example (192.168.1.1) is a private address; allow it with `--allow-private`, or "
            + "with `allow_private` in the config or the case file"))
  }

  @Test func `a block admits connections to its addresses, and to no others`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200, [], "here") }
    var fixture = SessionFixture(allowsPrivate: false)
    fixture.grant.privateAddresses = .within([try AddressBlock(parsing: "127.0.0.1")])
    #expect(try await fixture.get("http://127.0.0.1:\(server.port)/").get().text == "here")
    #expect(try await fixture.get("http://localhost:\(server.port)/").get().text == "here")
    for block in ["127.0.0.2", "10.0.0.0/8", "64:ff9b::/96", "::1"] {
      fixture.grant.privateAddresses = .within([try AddressBlock(parsing: block)])
      let connectionCount = server.connectionCount
      let failure = await fixture.get("http://127.0.0.1:\(server.port)/").failure
      #expect(
        failure
          == Failure(
            .permission,
            "127.0.0.1 is a loopback address; allow it with `--allow-private`, or with "
              + "`allow_private` in the config or the case file"))
      #expect(server.connectionCount == connectionCount)
    }
  }

  /// Both requests have the same hostname, and the pool has an idle connection to this hostname.
  @Test func `a request with another grant checks an idle connection again`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    var hop = HTTPHop(
      target: try TargetURL("http://a.localhost:\(server.port)/"), deadline: .now + .seconds(10))
    hop.privateAddresses = .within([
      try AddressBlock(parsing: "127.0.0.0/8"), try AddressBlock(parsing: "::1"),
    ])
    #expect(try await SessionFixture.engine.perform(hop).result.get().status == 200)
    hop.privateAddresses = .within([try AddressBlock(parsing: "10.0.0.0/8")])
    let refused = await SessionFixture.engine.perform(hop)
    guard case .failure(.refusedAddress) = refused.result else {
      Issue.record("not refused: \(refused.result)")
      return
    }
    #expect(server.requests.count == 1)
  }

  @Test(arguments: ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "[::1]"])
  func `a redirect out of the granted block is refused`(host: String) async throws {
    let inner = try ScriptedServer { _, connection in connection.answer(200) }
    let target = "http://\(host):\(inner.port)/"
    let server = try ScriptedServer(address: "127.0.0.2") { _, connection in
      connection.answer(302, ["Location: \(target)"])
    }
    var fixture = SessionFixture(allowsPrivate: false)
    fixture.grant.privateAddresses = .within([try AddressBlock(parsing: "127.0.0.2")])
    let failure = await fixture.get("http://127.0.0.2:\(server.port)/").failure
    #expect(failure?.code == .permission)
    #expect(failure?.message.contains("`allow_private` in the config") == true)
    #expect(server.requests.count == 1)
    #expect(inner.connectionCount == 0)
  }

  @Test func `a connection of another run is not reused by a run that may not use it`() async throws
  {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    var hop = HTTPHop(
      target: try TargetURL("http://127.0.0.1:\(server.port)/"), deadline: .now + .seconds(10))
    hop.privateAddresses = true
    #expect(try await SessionFixture.engine.perform(hop).result.get().status == 200)
    hop.privateAddresses = false
    let refused = await SessionFixture.engine.perform(hop)
    #expect(throws: HTTPFault.refusedAddress(try #require(IPAddress("127.0.0.1")))) {
      try refused.result.get()
    }
    #expect(server.requests.count == 1)
  }

  @Test(arguments: ["127.9.9.9", "[::1]", "[::ffff:127.0.0.1]", "localhost", "0.0.0.0", "[::]"])
  func `a redirect to this machine is refused in any spelling`(host: String) async throws {
    let inner = try ScriptedServer { _, connection in connection.answer(200) }
    let target = try TargetURL("http://\(host):\(inner.port)/")
    var grant = Grant()
    grant.hosts = HostPattern.open(["*"])
    #expect(HostGate.check(target, grant)?.code == .permission)
    let hop = HTTPHop(target: target, deadline: .now + .seconds(10))
    let end = await SessionFixture.engine.perform(hop)
    #expect(throws: HTTPFault.self) { try end.result.get() }
    #expect(inner.connectionCount == 0)
  }

  @Test(arguments: ["2130706433", "0x7f.1", "127.1", "017700000001", "0"])
  func `a redirect to an unusual spelling of an address is refused`(host: String) async throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(302, ["Location: http://\(host)/"])
    }
    #expect(await SessionFixture().get(server.url).failure?.code == .redirect)
  }

  @Test func `the environment's proxy is not used`() async throws {
    let proxy = try ScriptedServer { _, connection in connection.answer(200, [], "proxied") }
    var fixture = SessionFixture()
    let server = try ScriptedServer { _, connection in connection.answer(200, [], "direct") }
    #expect(try await fixture.get(server.url).get().text == "direct")
    fixture.policy.proxy = try ProxySettings(environment: [
      "http_proxy": "http://u:p@127.0.0.1:\(proxy.port)"
    ])
    var request = HTTPRequest(url: "http://name.invalid/x")
    request.headers = [HTTPField("X-A", "b")]
    #expect(try await fixture.session().send(request).get().text == "proxied")
    let seen = try #require(proxy.requests.first)
    #expect(seen.path == "http://name.invalid/x")
    #expect(seen.header("proxy-authorization") == "Basic dTpw")
    #expect(seen.header("x-a") == "b")
    #expect(server.requests.count == 1)
  }

  /// With `socks5:` this machine resolves the name. With `socks5h:` the proxy resolves the name.
  /// The gate itself never looks up a name.
  @Test func `a SOCKS proxy receives the name and its user`() async throws {
    let socks = SOCKSProxy(login: "user:password")
    let proxy = try ScriptedServer(greeting: socks.greet) { _, connection in
      connection.answer(200, [], "through SOCKS")
    }
    var fixture = SessionFixture()
    fixture.policy.proxy = try ProxySettings(environment: [
      "all_proxy": "socks5h://user:password@127.0.0.1:\(proxy.port)"
    ])
    #expect(try await fixture.get("http://name.invalid:8080/").get().text == "through SOCKS")
    #expect(socks.targets == ["user:password@name.invalid:8080"])
    fixture.policy.proxy = try ProxySettings(environment: [
      "all_proxy": "socks5h://user:wrong@127.0.0.1:\(proxy.port)"
    ])
    fixture.policy.retryDelay = .zero
    #expect(await fixture.get("http://name.invalid:8080/").failure != nil)
    #expect(socks.targets.count == 1)
  }

  @Test func `a missing SOCKS proxy is named`() async throws {
    var fixture = SessionFixture()
    let port = try RefusingPort()
    fixture.policy.proxy.http = HTTPProxy("socks5h://127.0.0.1:\(port.number)")
    fixture.policy.retryDelay = .zero
    let failure = await fixture.get("http://name.invalid/").failure
    #expect(failure?.code == .connection)
    #expect(failure?.message.contains("socks5h://127.0.0.1:\(port.number)") == true)
  }

  @Test func `a proxy that refuses the tunnel is named`() async throws {
    let proxy = try ScriptedServer { _, connection in connection.answer(403) }
    var fixture = SessionFixture()
    fixture.policy.proxy.https = HTTPProxy("127.0.0.1:\(proxy.port)")
    var request = HTTPRequest(url: "https://name.invalid/")
    request.bearerToken = "secret"
    let failure = await fixture.session().send(request).failure
    #expect(
      failure?.message == "cannot reach name.invalid through the proxy "
        + "http://127.0.0.1:\(proxy.port): the proxy did not open the connection")
    #expect(proxy.requests.first?.method == "CONNECT")
    #expect(proxy.requests.first?.header("authorization") == nil)
  }

  @Test func `a name that does not exist is reported`() async throws {
    let failure = await SessionFixture().get("http://nowhere.invalid/").failure
    let offline = "this machine has no network; nowhere.invalid was not reached"
    let unknown = "the name nowhere.invalid cannot be resolved"
    #expect(failure.map { [offline, unknown].contains($0.message) } == true)
    #expect(failure?.retryable == true)
  }
}

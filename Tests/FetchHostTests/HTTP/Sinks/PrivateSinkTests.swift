import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of webhooks and mail to addresses that are not public. Webhooks reach only those that the
/// config allows. Mail reaches any address unless the hook restricts it.
@Suite(.timeLimit(.minutes(5))) struct PrivateSinkTests {
  private static let now = Timestamp(seconds: 1_800_000_000)
  private static let http = HTTPEngine()

  private static func batch() throws -> DeliveryBatch {
    let delivery = Delivery(
      id: 1, hook: "hook", job: "news", event: .noData, payload: "{}", key: "key1", createdAt: now)
    return try #require(DeliveryBatch([delivery]))
  }

  private func webhook(_ url: String, _ addresses: PrivateAddresses) -> WebhookSink {
    var settings = WebhookSettings(url: url)
    settings.privateAddresses = addresses
    return WebhookSink(
      settings, transport: Self.http, policy: HTTPPolicy(version: "1.0"),
      secrets: SecretAccess(reading: SecretSources(environment: [:])), now: { Self.now })
  }

  @Test func `a block permits webhooks to its addresses, and to no others`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(204) }
    defer { server.stop() }
    let url = "http://localhost:\(server.port)/"
    for (block, isAllowed) in [
      ("127.0.0.0/8", true), ("127.0.0.1", true), ("10.0.0.0/8", false), ("127.0.0.2", false),
    ] {
      let blocks = PrivateAddresses.within([try AddressBlock(parsing: block)])
      let count = server.requests.count
      let end = try await webhook(url, blocks).deliver(Self.batch())
      #expect(server.requests.count == count + (isAllowed ? 1 : 0))
      if isAllowed {
        #expect(end == .delivered)
      } else {
        #expect(
          end
            == .held(
              "localhost is this machine; add the address, or a block that contains it, to "
                + "allow_private of webhook in the config", lookAgainAt: Self.now + .seconds(3600)))
      }
    }
  }

  /// Redirects are not followed, so no redirect can lead out of an allowed address block.
  @Test func `a webhook follows no redirect, whether its target is permitted or not`() async throws
  {
    let other = try ScriptedServer { _, connection in connection.answer(204) }
    defer { other.stop() }
    let server = try ScriptedServer { _, connection in
      connection.answer(307, ["Location: \(other.url)/"])
    }
    defer { server.stop() }
    let end = try await webhook(server.url, .all).deliver(Self.batch())
    #expect(end == .failed(DeliveryFailure("127.0.0.1:\(server.port) answered 307")))
    #expect(other.requests.isEmpty)
  }

  @Test func `mail may be sent to any address unless the hook restricts it`() async throws {
    let server = try MailServer()
    defer { server.stop() }
    let block = PrivateAddresses.within([try AddressBlock(parsing: "127.0.0.0/8")])
    for addresses in [nil, block] {
      #expect(try await email(server, addresses).deliver(Self.batch()) == .delivered)
    }
    #expect(server.messages.count == 2)
    let elsewhere = PrivateAddresses.within([try AddressBlock(parsing: "10.0.0.0/8")])
    for addresses in [PrivateAddresses.none, elsewhere] {
      #expect(
        try await email(server, addresses).deliver(Self.batch())
          == .failed(
            DeliveryFailure(
              "127.0.0.1 is a loopback address; add the address, or a block that contains it, to "
                + "allow_private of email in the config", isRetryable: false)))
    }
    #expect(server.messages.count == 2)
  }

  private func email(_ server: MailServer, _ addresses: PrivateAddresses?) -> EmailSink {
    var settings = EmailSettings(server: server.url, from: "a@b.test", to: ["c@d.test"])
    settings.allowsPlain = true
    if let addresses { settings.privateAddresses = addresses }
    return EmailSink(
      settings, policy: HTTPPolicy(version: "1.0"),
      secrets: SecretAccess(reading: SecretSources(environment: [:])), now: { Self.now })
  }
}

import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of mail to servers with or without encryption. OpenSSL's own server runs with certificates
/// made by the tests.
@Suite(.enabled(if: TLSEnd.isInstalled), .timeLimit(.minutes(5)))
struct MailEncryptionTests {
  enum Beginning: Sendable, CaseIterable { case startTLS, implicit }

  private static let folder = Result { try TemporaryFolder.make("mail") }
  private static let authority = Result { try TestAuthority(in: folder.get(), named: "ca") }
  private static let stranger = Result { try TestAuthority(in: folder.get(), named: "stranger") }
  private static let names = "DNS:localhost,IP:127.0.0.1"
  private static let good = Result {
    try authority.get().sign("good", for: names)
    return try folder.get() + "/good"
  }
  private static let otherName = Result {
    try authority.get().sign("other", for: "DNS:mail.other.test")
    return try folder.get() + "/other"
  }
  private static let client = Result {
    try authority.get().sign("client", for: names, usage: "clientAuth")
    return try folder.get() + "/client"
  }
  private static let itsOwn = Result {
    try TestAuthority.signItself("own", for: names, in: folder.get())
    return try folder.get() + "/own"
  }

  private func server(_ certificate: Result<String, any Error>, _ beginning: Beginning) throws
    -> MailServer
  {
    let end = try TLSEnd(certificate: certificate.get())
    return try MailServer(
      offersSignIn: true, encryption: beginning == .startTLS ? .startTLS(end) : .implicit(end))
  }

  private func deliver(
    to url: String, caFile: String? = nil, verifiesTLS: Bool = true, allowsPlain: Bool = false
  ) async throws -> DeliveryEnd {
    var settings = EmailSettings(server: url, from: "a@b.test", to: ["c@d.test"])
    settings.user = "me"
    settings.password = .environment("PASS")
    settings.allowsPlain = allowsPlain
    var policy = HTTPPolicy(version: "1.0")
    policy.caFile = caFile
    policy.verifiesTLS = verifiesTLS
    let secrets = SecretAccess(reading: SecretSources(environment: ["PASS": "geheim"]))
    let sink = EmailSink(
      settings, policy: policy, secrets: secrets, now: { SinkTests.now })
    return await sink.deliver(try SinkTests.batch(titles: ["Hello"]))
  }

  /// Checks that the client sent no message, no sender and no password.
  private func expectNothingTold(_ server: MailServer) {
    #expect(server.messages.isEmpty)
    #expect(server.words.allSatisfy { $0.hasPrefix("EHLO") || $0 == "STARTTLS" || $0 == "QUIT" })
  }

  @Test(arguments: Beginning.allCases)
  func `only a server whose certificate has its name receives the message and its sender`(
    beginning: Beginning
  ) async throws {
    let server = try server(Self.good, beginning)
    defer { server.stop() }
    let url = server.url(of: beginning == .startTLS ? "localhost" : "127.0.0.1")
    let caFile = try Self.authority.get().caFile
    #expect(try await deliver(to: url, caFile: caFile) == .delivered)
    #expect(server.messages.map(\.to) == [["<c@d.test>"]])
    #expect(server.words.contains { $0.hasPrefix("AUTH PLAIN") })
    let clear = server.clearWords.map { $0.prefix(4) }
    #expect(clear == (beginning == .startTLS ? ["EHLO", "STAR"] : []))
  }

  @Test(arguments: Beginning.allCases)
  func `a certificate for another name is refused`(beginning: Beginning) async throws {
    let server = try server(Self.otherName, beginning)
    defer { server.stop() }
    let caFile = try Self.authority.get().caFile
    #expect(
      try await deliver(to: server.url, caFile: caFile)
        == failed(server.url, "its certificate is for another name"))
    expectNothingTold(server)
  }

  @Test func `a certificate that is refused for a rare reason is reported with its number`()
    async throws
  {
    let server = try server(Self.client, .implicit)
    defer { server.stop() }
    let caFile = try Self.authority.get().caFile
    #expect(
      try await deliver(to: server.url, caFile: caFile)
        == failed(server.url, "its certificate was refused (OpenSSL's verify result 26)"))
    expectNothingTold(server)
  }

  private func failed(_ url: String, _ why: String) -> DeliveryEnd {
    .failed(DeliveryFailure("the mail server \(url) cannot be reached securely: \(why)"))
  }

  @Test(arguments: Beginning.allCases)
  func `a certificate of an unknown signer is refused`(beginning: Beginning) async throws {
    let server = try server(Self.good, beginning)
    defer { server.stop() }
    let caFile = try Self.stranger.get().caFile
    #expect(
      try await deliver(to: server.url, caFile: caFile)
        == failed(server.url, "its certificate is not signed by a known authority"))
    expectNothingTold(server)
  }

  @Test(arguments: Beginning.allCases)
  func `a self-signed certificate is refused even if plain text is allowed`(
    beginning: Beginning
  ) async throws {
    for allowsPlain in [false, true] {
      let server = try server(Self.itsOwn, beginning)
      defer { server.stop() }
      #expect(
        try await deliver(to: server.url, allowsPlain: allowsPlain)
          == failed(server.url, "its certificate is self-signed"))
      expectNothingTold(server)
    }
  }

  @Test func `without checks of certificates the mail is still encrypted`() async throws {
    let server = try server(Self.itsOwn, .startTLS)
    defer { server.stop() }
    #expect(try await deliver(to: server.url, verifiesTLS: false) == .delivered)
    #expect(server.clearWords.map { $0.prefix(4) } == ["EHLO", "STAR"])
  }

  @Test func `the message about an invalid bundle of authorities has its path`() async throws {
    let server = try server(Self.good, .startTLS)
    defer { server.stop() }
    #expect(
      try await deliver(to: server.url, caFile: "/nowhere/ca.pem")
        == .failed(
          DeliveryFailure(
            "the mail server \(server.url) cannot be checked: the certificate bundle "
              + "/nowhere/ca.pem cannot be read or contains no certificates")))
    expectNothingTold(server)
  }

  private static let none = "does not allow encryption; set `allow_plain` to send unencrypted mail"

  @Test(arguments: [
    (MailServer.Encryption.none, none),
    (.refusedStartTLS("454 not now\r\n"), none),
    (.refusedStartTLS("502 never\r\n"), none),
    // Answers that the server sends in plain text before TLS must not be used after TLS has begun
    // (CVE-2011-0411).
    (
      .refusedStartTLS("220 go on\r\n250-mail.test\r\n250 AUTH PLAIN\r\n235 welcome\r\n"),
      "did not confirm the mail: Weird server reply"
    ),
  ])
  func `a server that cannot encrypt receives no message and no password`(
    encryption: MailServer.Encryption, words: String
  ) async throws {
    let server = try MailServer(offersSignIn: true, encryption: encryption)
    defer { server.stop() }
    #expect(
      try await deliver(to: server.url, caFile: Self.authority.get().caFile)
        == .failed(DeliveryFailure("the mail server \(server.url) \(words)")))
    expectNothingTold(server)
  }

  @Test func `a server without TLS on a TLS port receives nothing`()
    async throws
  {
    let server = try MailServer(offersSignIn: true)
    defer { server.stop() }
    let url = server.url.replacing("smtp://", with: "smtps://")
    #expect(try await deliver(to: url) == failed(url, "the handshake failed"))
    #expect(!server.words.contains { $0.contains("AUTH") || $0.contains("MAIL") })
  }
}

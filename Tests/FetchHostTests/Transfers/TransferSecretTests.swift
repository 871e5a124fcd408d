import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of transfers with secrets. The host inserts the values at each attempt if they may be sent
/// to the hostname. A redirect to another origin does not carry the values.
@Suite struct TransferSecretTests {
  static let value = "s3cret-t0ken"
  private static let half = 100_000
  private static let bytes = [UInt8](repeating: 0x61, count: 2 * half)

  private static func bench(
    _ url: String, values: [String: String] = ["token": value], hosts: [String] = ["127.0.0.1"],
    _ change: (inout SealedRequest) -> Void
  ) throws -> TransferBench {
    var request = try TransferBench.request(url)
    var sealed = SealedRequest()
    change(&sealed)
    request.sealed = sealed
    return try TransferBench(
      request,
      secrets: { RunSecrets(hosts, values) })
  }

  /// Returns a server that first sends half of the file, and then sends the rest to a request for
  /// the rest.
  private static func halves() throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      guard request.header("range") == "bytes=\(half)-" else {
        let head = "HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: \(2 * half)\r\n\r\n"
        connection.send(head)
        connection.send(Array(bytes.prefix(half)))
        return connection.close()
      }
      connection.answer(
        206, ["ETag: \"v\"", "Content-Range: bytes \(half)-\(2 * half - 1)/\(2 * half)"],
        bytes: Array(bytes.suffix(half)))
    }
  }

  @Test func `each attempt sends the value, but no record has it`() async throws {
    let server = try Self.halves()
    defer { server.stop() }
    let bench = try Self.bench(server.url + "/") {
      $0.headers = [.init(name: "X-Key", value: .token)]
      $0.bearer = .token
    }
    #expect(await bench.runToEnd() == .done)
    #expect(server.requests.map { $0.header("range") } == [nil, "bytes=\(Self.half)-"])
    for request in server.requests {
      #expect(request.header("x-key") == Self.value)
      #expect(request.header("authorization") == "Bearer \(Self.value)")
    }
  }

  @Test func `a signed transfer resumes with a signed range`() async throws {
    let server = try Self.halves()
    defer { server.stop() }
    let bench = try Self.bench(server.url + "/bucket/a%20b") {
      $0.aws = SealedRequest.AWS(
        keyID: SecretText([.text("AKIDEXAMPLE")]), secretKey: .token, region: "eu-central-1",
        service: "s3")
    }
    #expect(await bench.runToEnd() == .done)
    let credentials = AWSCredentials(
      keyID: "AKIDEXAMPLE", secretKey: SecretValue(Self.value), region: "eu-central-1",
      service: "s3")
    try #require(server.requests.count == 2)
    let signed = "host;if-range;range;x-amz-content-sha256;x-amz-date"
    for (request, names) in zip(
      server.requests, ["host;x-amz-content-sha256;x-amz-date", signed])
    {
      let time = try #require(request.header("x-amz-date"))
      let fields = names.split(separator: ";").map { name in
        HTTPField(String(name), request.header(String(name)) ?? "")
      }
      let canonical = AWSCanonicalRequest(
        method: "GET", path: request.path, query: nil, headers: fields,
        payloadHash: AWSCanonicalRequest.hash([]), isS3: true)
      #expect(canonical.signedHeaders == names)
      #expect(
        request.header("authorization")
          == AWSSignature.authorization(of: canonical, credentials, time: time))
    }
  }

  @Test func `a value in the address occurs in no failure and in no validator`() async throws {
    let status = Atomic(404)
    let server = try ScriptedServer { _, connection in
      connection.answer(
        status.load(ordering: .relaxed), ["ETag: \"\(Self.value)\""], "text")
    }
    defer { server.stop() }
    let url = SecretText([.text(server.url + "/a?key="), .secret(name: "token", spelling: .plain)])
    let bench = try Self.bench(url.shown) { $0.url = url }
    let end = await bench.attempt()
    #expect(end.failure?.message == "\(server.url)/a?key=[secret token] answered 404")
    #expect(server.requests.first?.path == "/a?key=\(Self.value)")
    status.store(200, ordering: .relaxed)
    bench.handle(.retry)
    #expect(await bench.runToEnd() == .done)
    #expect(bench.record.download.validators.etag == nil)
    #expect(bench.record.request.url == "\(server.url)/a?key=secret(token)")
  }

  @Test func `a redirect to another origin does not carry the value`() async throws {
    let other = try ScriptedServer { _, connection in connection.answer(200, [], "text") }
    defer { other.stop() }
    let server = try ScriptedServer { _, connection in
      connection.answer(302, ["Location: http://localhost:\(other.port)/b"])
    }
    defer { server.stop() }
    let bench = try Self.bench(server.url + "/a") { $0.bearer = .token }
    #expect(await bench.runToEnd() == .done)
    #expect(server.requests.first?.header("authorization") == "Bearer \(Self.value)")
    #expect(other.requests.map { $0.header("authorization") } == [nil])
    // The value is not sent to another server, even if a server puts the value into a redirect's
    // address.
    let leak = try ScriptedServer { _, connection in
      connection.answer(302, ["Location: http://localhost:\(other.port)/?k=\(Self.value)"])
    }
    defer { leak.stop() }
    let leaking = try Self.bench(leak.url + "/a") { $0.bearer = .token }
    let end = await leaking.attempt()
    #expect(
      end.failure?.message
        == "the request would send the secret 'token' to localhost, where it may not be sent")
    #expect(other.requests.count == 1)
  }

  @Test(arguments: [
    (["127.0.0.1"], [:], "cannot obtain the secret 'token': the variable is not set"),
    (
      ["a.example"], ["token": value],
      "the secret 'token' may not be sent to 127.0.0.1 (granted: a.example); "
        + "add the server to `hosts` of the secret in the config or the case file if you trust it"
    ),
  ])
  func `a missing secret or one without a grant fails, and nothing is sent`(
    hosts: [String], values: [String: String], message: String
  ) async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200, [], "text") }
    defer { server.stop() }
    let bench = try Self.bench(server.url + "/", values: values, hosts: hosts) {
      $0.bearer = .token
    }
    let end = await bench.attempt()
    #expect(end.failure?.message == message)
    #expect(bench.record.state == .failed)
    #expect(server.requests.isEmpty)
  }

  @Test func `a token that the server rejects is renewed`() async throws {
    let count = Atomic(0)
    let server = try ScriptedServer { request, connection in
      if request.path == "/token" {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        return connection.answer(
          200, [],
          "{\"access_token\":\"access-token-\(number)\",\"token_type\":\"bearer\","
            + "\"expires_in\":3600}")
      }
      let isNew = request.header("authorization") == "Bearer access-token-2"
      connection.answer(isNew ? 200 : 401, [], "text")
    }
    defer { server.stop() }
    var client = OAuthClient(tokenURL: server.url + "/token", clientID: "my app")
    client.clientSecret = .environment("client")
    let (known, tokens) = (client, AccessTokens())
    let secrets: @Sendable () -> RunSecrets? = {
      RunSecrets(["127.0.0.1"], ["client": "client-secret"], client: known, tokens: tokens)
    }
    var request = try TransferBench.request(server.url + "/a")
    request.sealed = SealedRequest()
    request.sealed?.bearer = .token
    // The first transfer gets a token, which is kept. The second transfer finds that the token was
    // revoked.
    let first = try TransferBench(request, secrets: secrets)
    #expect(await first.attempt().failure?.message == "\(server.url)/a answered 401")
    let second = try TransferBench(request, secrets: secrets)
    #expect(await second.runToEnd() == .done)
    #expect(second.record.attemptCount == 1)
  }
}

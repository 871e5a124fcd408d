import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of a session over recorded answers, with the same rules as over the network.
@Suite struct ReplayedAnswersTests {
  private static let url = "https://a.example/feed"

  private static func fault(_ fault: RecordedFault, _ detail: String? = nil) -> RecordedRequest {
    var request = RecordedRequest(url: url, end: .fault(fault, detail: detail))
    request.times = 2  // some of these are retried
    return request
  }

  private func failure(_ request: RecordedRequest) async -> Failure? {
    let answers = ReplayedAnswers(RecordedRun(requests: [request]))
    return await SessionFixture().session(over: answers).send(HTTPRequest(url: Self.url)).failure
  }

  static let faults: [(RecordedFault, FailureCode, String)] = [
    (.timeout, .httpTimeout, "the answer from a.example was not complete in time"),
    (.connectTimeout, .httpTimeout, "no connection to a.example within 10 s"),
    (.tooSlow, .httpTimeout, "a.example sent less than 100 bytes a second for 20 s"),
    (.refused, .connection, "cannot connect to a.example: connection refused"),
    (.closed, .connection, "the request to a.example ended without an answer"),
    (.cut, .connection, "the answer from a.example was cut off"),
    (.offline, .offline, "this machine has no network; a.example was not reached"),
    (.unknownHost, .nameResolution, "the name a.example cannot be resolved"),
    (.unknownProxy, .nameResolution, "the name of the proxy cannot be resolved"),
    (
      .proxy, .connection,
      "cannot reach a.example through the proxy: the proxy refused the connection"
    ),
    (.tls, .tls, "no secure connection to a.example: its certificate has expired"),
    (
      .privateAddress, .permission,
      "a.example (10.0.0.1) is a private address; allow it with `--allow-private`, or with "
        + "`allow_private` in the config or the case file"
    ),
    (.notHTTP, .invalidResponse, "a.example did not answer with HTTP"),
    (.headersTooLong, .invalidResponse, "the headers from a.example are too long"),
    (
      .unclearLength, .invalidResponse,
      "the Content-Length from a.example is not one number, so the end of the answer is unknown"
    ),
    (
      .bodyTooBig, .bodyLimit,
      "the body from a.example is larger than 16777216 bytes (limit: bodyBytes)"
    ),
    (
      .compressedTooMuch, .bodyLimit,
      "the body from a.example is compressed more than 200-fold (limit: decompressionRatio)"
    ),
    (.damagedBody, .invalidResponse, "the gzip body from a.example is cut off or damaged"),
    (
      .unknownCoding, .invalidResponse,
      "a.example sent a body with an unsupported coding: compress"
    ),
    (.file, .connection, "there is no such file"),
  ]

  @Test(arguments: faults)
  func `each fault fails in the same way as over the network`(
    fault: RecordedFault, code: FailureCode, message: String
  ) async {
    let failure = await failure(Self.fault(fault))
    #expect(failure?.code == code)
    #expect(failure?.message == message)
  }

  @Test func `the arguments of this suite have every fault`() {
    #expect(Set(Self.faults.map(\.0)) == Set(RecordedFault.allCases))
  }

  @Test func `a fault may have details`() async {
    let tls = await failure(Self.fault(.tls, "the handshake failed"))
    #expect(tls?.message == "no secure connection to a.example: the handshake failed")
    let file = await failure(Self.fault(.file, "permission: the plugin may not read /a"))
    #expect(file == Failure(.permission, "the plugin may not read /a"))
  }

  @Test func `redirects are followed and cookies kept`() async throws {
    var moved = RecordedAnswer(status: 302)
    moved.headers = [HTTPField("Location", "/next"), HTTPField("Set-Cookie", "sid=1; Path=/")]
    var next = RecordedRequest(
      url: "https://a.example/next", end: .answer(RecordedAnswer(status: 204)))
    next.headers = [HTTPField("Cookie", "sid=1")]
    let answers = ReplayedAnswers(
      RecordedRun(requests: [RecordedRequest(url: Self.url, end: .answer(moved)), next]))
    let session = SessionFixture().session(over: answers)
    let answer = try await session.send(HTTPRequest(url: Self.url)).get()
    #expect(answer.status == 204)
    #expect(answer.url == "https://a.example/next")
    #expect(answer.requestCount == 2)
    #expect(answers.unrecorded.isEmpty && answers.unasked.isEmpty)
  }

  @Test func `a request that was not recorded fails, and is reported`() async {
    let answers = ReplayedAnswers(RecordedRun())
    let failure = await SessionFixture().session(over: answers)
      .send(HTTPRequest(url: Self.url)).failure
    let problem = "GET \(Self.url) is not in the recording, which has no requests for this run"
    #expect(failure?.message == "the request to a.example failed: \(problem)")
    #expect(answers.unrecorded.map(\.description) == [problem])
  }

  @Test func `a body beyond the limit is refused`() async {
    var answer = RecordedAnswer(status: 200)
    answer.body = RecordedBody(Array("four".utf8))
    let answers = ReplayedAnswers(
      RecordedRun(requests: [RecordedRequest(url: Self.url, end: .answer(answer))]))
    var fixture = SessionFixture()
    fixture.limits.bodyBytes = 3
    let failure = await fixture.session(over: answers).send(HTTPRequest(url: Self.url)).failure
    #expect(failure?.code == .bodyLimit)
  }

  @Test func `a recorded request has the same answer`() async throws {
    let server = try ScriptedServer { request, connection in
      switch request.path {
      case "/moved": connection.answer(301, ["Location: /here"])
      case "/here": connection.answer(200, ["ETag: \"1\"", "X-A: 1", "X-A: 2"], "text")
      default: connection.answer(503)
      }
    }
    defer { server.stop() }
    let recorder = HopRecorder(SessionFixture.engine, bytesMax: 1 << 20)
    let live = SessionFixture().session(over: recorder)
    var request = HTTPRequest(url: server.url + "/moved")
    request.headers = [HTTPField("X-Plugin", "yes")]
    let first = try await live.send(request).get()
    _ = await live.send(HTTPRequest(url: server.url + "/down"))
    let run = try #require(recorder.run)
    #expect(run.requests.map(\.times) == [1, 1, 2])
    // The recording omits the headers that the host adds to each request.
    #expect(run.requests[0].headers == [HTTPField("X-Plugin", "yes")])

    let answers = ReplayedAnswers(run)
    let replayed = SessionFixture().session(over: answers)
    let again = try await replayed.send(request).get()
    #expect(again.headers == first.headers)
    #expect(again.body == first.body)
    #expect(again.url == first.url)
    _ = await replayed.send(HTTPRequest(url: server.url + "/down"))
    #expect(answers.unrecorded.isEmpty && answers.unasked.isEmpty)
  }

  @Test func `a recorder omits an answer that is too large`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200, [], "four") }
    defer { server.stop() }
    let recorder = HopRecorder(SessionFixture.engine, bytesMax: 2_000)
    let session = SessionFixture().session(over: recorder)
    _ = await session.send(HTTPRequest(url: server.url))
    #expect(recorder.run?.requests.count == 1)
    _ = await session.send(HTTPRequest(url: server.url))
    #expect(recorder.run == nil)
    let unrecorded = #expect(throws: HopRecorder.Unrecorded.self) { try recorder.recorded.get() }
    #expect(unrecorded?.code == .bodyLimit)
    #expect(
      unrecorded?.reason == "its requests and answers are larger than \(ByteSize(bytes: 2_000))")
  }

  @Test func `the size of a recording includes its headers and addresses`() async throws {
    let long = String(repeating: "x", count: 4_000)
    let server = try ScriptedServer { request, connection in
      connection.answer(200, request.path == "/header" ? ["X-Long: \(long)"] : [])
    }
    defer { server.stop() }
    for (path, isKept) in [("/", true), ("/header", false), ("/?\(long)", false)] {
      let recorder = HopRecorder(SessionFixture.engine, bytesMax: 4_000)
      let session = SessionFixture().session(over: recorder)
      #expect(try await session.send(HTTPRequest(url: server.url + path)).get().status == 200)
      #expect((recorder.run != nil) == isKept)
    }
  }

  @Test func `a fault of this machine is not reported as answers that are too large`() async throws
  {
    let server = try ScriptedServer { _, connection in connection.answer(200, [], "four") }
    defer { server.stop() }
    let recorder = HopRecorder(SessionFixture.engine, bytesMax: 2_000)
    var fixture = SessionFixture()
    fixture.policy.caFile = "/nowhere/ca.pem"
    let url = "https" + server.url.dropFirst("http".count)
    let session = fixture.session(over: recorder)
    #expect(await session.send(HTTPRequest(url: url)).failure?.code == .tls)
    let unrecorded = #expect(throws: HopRecorder.Unrecorded.self) { try recorder.recorded.get() }
    #expect(unrecorded?.code == .internalError)
    #expect(
      unrecorded?.reason == "a request failed with an error that a recording cannot contain")
  }

  @Test func `all recorders together keep no more than their allowance`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200, [], "four") }
    defer { server.stop() }
    let allowance = RecorderAllowance(bytesMax: 2_000)
    let other = HopRecorder(SessionFixture.engine, bytesMax: 10_000, allowance: allowance)
    do {
      let recorder = HopRecorder(SessionFixture.engine, bytesMax: 10_000, allowance: allowance)
      _ = await SessionFixture().session(over: recorder).send(HTTPRequest(url: server.url))
      #expect(recorder.run?.requests.count == 1)
      _ = await SessionFixture().session(over: other).send(HTTPRequest(url: server.url))
      #expect(other.run == nil)
    }
    // The first recorder has returned its share.
    let last = HopRecorder(SessionFixture.engine, bytesMax: 10_000, allowance: allowance)
    _ = await SessionFixture().session(over: last).send(HTTPRequest(url: server.url))
    #expect(last.run?.requests.count == 1)
  }
}

import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of tokens in bodies, under the names that usually stand for secrets.
@Suite struct BodyScrubbingTests {
  private static let form = [HTTPField("content-type", "application/x-www-form-urlencoded")]

  private static func recorded(
    _ url: String = "https://a.example/", sends body: String? = nil, answer: String = "",
    _ headers: [HTTPField] = []
  ) -> RecordedRequest {
    var end = RecordedAnswer(status: 200)
    end.headers = headers
    end.body = RecordedBody(Array(answer.utf8))
    var request = RecordedRequest(url: url, end: .answer(end))
    request.body = body.map { RecordedBody(Array($0.utf8)) }
    if body != nil { request.headers = headers }
    return request
  }

  private static func scrubbed(
    _ requests: [RecordedRequest], state: Value? = nil, redacting redactors: [Redactor] = []
  ) -> (Recording, found: [String]) {
    var recording = Recording()
    recording.state = state
    recording.runs = [RecordedRun(requests: requests)]
    var scrubber = RecordingRedactor(redactors)
    let scrubbed = scrubber.scrubbed(recording)
    var second = RecordingRedactor(redactors)
    #expect(second.scrubbed(scrubbed) == scrubbed)
    return (scrubbed, scrubber.found)
  }

  private static func answers(_ recording: Recording) -> [String] {
    recording.runs[0].requests.map { request in
      guard case .answer(let answer) = request.end else { return "" }
      return String(decoding: answer.body.bytes, as: UTF8.self)
    }
  }

  private static func answer(_ text: String, _ headers: [HTTPField] = []) -> String {
    answers(scrubbed([recorded(answer: text, headers)]).0)[0]
  }

  private static func sent(_ text: String, _ headers: [HTTPField] = []) -> String {
    let body = scrubbed([recorded(sends: text, headers)]).0.runs[0].requests[0].body
    return String(decoding: body?.bytes ?? [], as: UTF8.self)
  }

  @Test(arguments: [
    "access_token", "refresh_token", "id_token", "token", "accessToken", "api_key", "apiKey",
    "x-api-key", "client_secret", "password", "SecretAccessKey", "private_key", "session_id",
    "next_refresh_token", "page_access_token", "credentials", "oauth_token_secret", "csrfToken",
  ]) func `the text under a secret name in JSON is removed`(name: String) {
    #expect(
      Self.answer("{\"a\": [1, {\"\(name)\" : \"t0ken/of-mine\"}]}")
        == "{\"a\": [1, {\"\(name)\" : \"SCRUBBED\"}]}")
    #expect(Self.sent("{\"\(name)\":\"x1\"}") == "{\"\(name)\":\"SCRUBBED\"}")
    #expect(Self.answer("\(name)=t0ken%2Fof-mine&a=1", Self.form) == "\(name)=SCRUBBED&a=1")
    #expect(Self.sent("a=1&\(name)=x1", Self.form) == "a=1&\(name)=SCRUBBED")
  }

  @Test(arguments: [
    #"{"nextPageToken": "CAUQAA0a", "next_page_token": "b1b2b3b4", "pageToken": "c1c2c3c4"}"#,
    #"{"continuationToken": "d1d2d3d4", "nextSyncToken": "e1e2e3e4", "NextToken": "f1f2f3f4"}"#,
    #"{"resumptionToken": "g1g2g3g4", "startPageToken": "h1h2h3h4", "deltaToken": "i1i2i3i4"}"#,
    #"{"token_type": "Bearer123", "expires_in": 3600, "total_tokens": 12345678}"#,
    #"{"token": 12345678, "password": true, "secret": null, "api_key": ["a1a2a3a4"]}"#,
    #"{"token": "USDC1", "password": "", "secret": "x1", "id": "a1a2a3a4", "key": "PROJ-1234"}"#,
    #"{"password": "Please enter your password", "token": "ethereum", "secret": "not_set"}"#,
    #"{"token": "https://a.example/token1", "code": "E1234567", "author": "a1a2a3a4"}"#,
    #"["token", "a1a2a3a4"]"#, #"{"note": "\"token\": \"a1a2a3a4\""}"#, #""token": "a1a2a3a4""#,
  ]) func `other JSON values are kept`(body: String) {
    #expect(Self.answer(body) == body)
  }

  @Test func `other form fields are kept`() {
    let body = "token_type=bearer&page_token=a1a2a3a4&code=E1234567&token=short&scope=a"
    #expect(Self.answer(body, Self.form) == body)
    #expect(Self.answer("token=t0ken-of-mine") == "token=t0ken-of-mine")
    #expect(
      Self.sent("code=E1&grant_type=a&page_token=a1a2a3a4&token_type_hint=access_token", Self.form)
        == "code=SCRUBBED&grant_type=a&page_token=a1a2a3a4&token_type_hint=SCRUBBED")
  }

  @Test func `a token of an answer is removed everywhere`() {
    let token = "t0ken/of+mine"
    let encoded = "t0ken%2Fof%2Bmine"
    var second = Self.recorded(
      "https://a.example/s/\(encoded)/items?a=\(encoded)", sends: "{\"again\":\"\(token)\"}",
      answer: "\(token) {\"b\": \"t0ken\\/of+mine\"}")
    second.headers = [HTTPField("X-Of", token), HTTPField("Authorization", "Bearer \(token)")]
    let (recording, found) = Self.scrubbed(
      [
        Self.recorded(
          answer: #"{"access_token": "t0ken\/of+mine", "refresh_token": "r3fresh-it"}"#),
        second, Self.recorded("https://a.example/r3fresh-it"),
      ], state: ["session": ["token": "st0red-one"], "last": "r3fresh-it"])
    let requests = recording.runs[0].requests
    #expect(
      Self.answers(recording).prefix(2) == [
        #"{"access_token": "SCRUBBED", "refresh_token": "SCRUBBED2"}"#,
        #"SCRUBBED {"b": "SCRUBBED"}"#,
      ])
    #expect(requests[1].url == "https://a.example/s/SCRUBBED/items?a=SCRUBBED")
    #expect(requests[1].headers.map(\.value) == ["SCRUBBED", "Bearer SCRUBBED"])
    #expect(requests[1].body?.bytes == Array(#"{"again":"SCRUBBED"}"#.utf8))
    #expect(requests[2].url == "https://a.example/SCRUBBED2")
    #expect(recording.state == ["session": ["token": "SCRUBBED"], "last": "SCRUBBED2"])
    #expect(
      found == [
        "the header Authorization", "the body field token", "the body field refresh_token",
      ])
  }

  @Test func `a secret of the job is replaced by its name`() {
    var redactor = Redactor()
    redactor.add(SecretValue("t0ken-of-mine"), named: "key")
    let (recording, found) = Self.scrubbed(
      [Self.recorded(answer: #"{"token": "t0ken-of-mine", "secret": "an0ther-one"}"#)],
      redacting: [redactor])
    #expect(Self.answers(recording) == [#"{"token": "[secret key]", "secret": "SCRUBBED"}"#])
    #expect(found == ["the body field secret"])
  }

  @Test func `JSON stays valid if a token also occurs as a number`() throws {
    let body = #"{"token": "71345678", "user": 71345678, "more": [171345678.5], "a": "x 71345678"}"#
    let text = Self.answer(body)
    #expect(
      text
        == #"{"token": "SCRUBBED", "user": 9090909090909, "more": [19090909090909.5], "a": "x SCRUBBED"}"#
    )
    _ = try JSONReader.decode(text)
    // In a body that is not JSON, digits are text and not a number.
    #expect(
      Self.answers(
        Self.scrubbed([Self.recorded(answer: body), Self.recorded(answer: "[71345678")]).0
      )[1] == "[SCRUBBED")
  }

  @Test(arguments: [
    (#"{"token":"t0ken-of-mine"#, #"{"token":"SCRUBBED"#), (#"{"token":"#, #"{"token":"#),
    (#"{""#, #"{""#), (#"{"a\"#, #"{"a\"#), (#"{"token":"t0ken\"#, #"{"token":"t0ken\"#),
    (#"{"to\u006ben":"t0ken-of-mine"}"#, #"{"to\u006ben":"SCRUBBED"}"#),
    (#"{"token":"t0ken\u002dof"}"#, #"{"token":"SCRUBBED"}"#),
    (#"{"token"::"t0ken-of-mine"}"#, #"{"token"::"t0ken-of-mine"}"#), ("{", "{"),
    ("\u{FEFF} [{\"token\":\"t0ken-of-mine\"}]", "\u{FEFF} [{\"token\":\"SCRUBBED\"}]"),
    (
      "{\"token\":\"t0ken-one\"}\n{\"token\":\"t0ken-two\"}",
      "{\"token\":\"SCRUBBED\"}\n{\"token\":\"SCRUBBED2\"}"
    ),
  ]) func `tokens are removed even if a body is truncated or is not JSON`(
    body: String, written: String
  ) {
    #expect(Self.answer(body) == written)
  }

  @Test func `thousands of tokens are all removed`() {
    let list = (0..<5_000).map { "{\"token\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\($0)\"}" }
    let (recording, found) = Self.scrubbed(
      [Self.recorded(answer: "[\(list.joined(separator: ","))]")])
    #expect(!Self.answers(recording)[0].contains("aaaa"))
    #expect(found == ["the body field token"])
  }

  @Test func `addresses with different tokens have different recorded answers`() throws {
    var answers = RecordedAnswers(
      RecordedRun(requests: [
        Self.recorded("https://a.example/SCRUBBED/a", answer: "1"),
        Self.recorded("https://a.example/SCRUBBED2/a", answer: "2"),
      ]))
    func answer(_ name: String) throws -> RecordedEnd {
      try answers.end(of: SentRequest(method: "GET", url: "https://a.example/\(name)/a")).get()
    }
    #expect(try answer("SCRUBBED2") == Self.recorded(answer: "2").end)
    #expect(try answer("SCRUBBED") == Self.recorded(answer: "1").end)
  }
}

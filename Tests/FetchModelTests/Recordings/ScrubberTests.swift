import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the parts of a recording that are stored, and those that are removed.
@Suite struct ScrubberTests {
  private static func recording(_ change: (inout RecordedRequest, inout RecordedAnswer) -> Void)
    -> Recording
  {
    var answer = RecordedAnswer(status: 200)
    var request = RecordedRequest(url: "https://a.example/", end: .answer(answer))
    change(&request, &answer)
    request.end = .answer(answer)
    var recording = Recording()
    recording.runs = [RecordedRun(requests: [request])]
    return recording
  }

  private static func answer(_ recording: Recording) -> RecordedAnswer? {
    guard case .answer(let answer)? = recording.runs.first?.requests.first?.end else { return nil }
    return answer
  }

  @Test(arguments: [
    ("Authorization", "Bearer abcdefgh", "Bearer SCRUBBED"), ("X-Api-Key", "k", "SCRUBBED"),
    ("Cookie", "sid=abcdefgh", "SCRUBBED"), ("private-token", "abcdefgh", "SCRUBBED"),
    ("Proxy-Authorization", "Basic abcdefgh", "Basic SCRUBBED"),
    ("Accept", "text/html", "text/html"), ("If-None-Match", "\"abcdefgh\"", "\"abcdefgh\""),
  ]) func `headers lose their secrets`(name: String, value: String, written: String) {
    let recording = Self.recording { request, _ in request.headers = [HTTPField(name, value)] }
    var scrubber = RecordingRedactor()
    let scrubbed = scrubber.scrubbed(recording)
    #expect(scrubbed.runs[0].requests[0].headers == [HTTPField(name, written)])
    #expect(scrubber.found == (value == written ? [] : ["the header \(name)"]))
  }

  @Test func `cookies keep their names and attributes`() {
    let recording = Self.recording { _, answer in
      answer.headers = [
        HTTPField("set-cookie", "sid=3f786850e387550f; Path=/; HttpOnly"),
        HTTPField("content-type", "text/html"),
      ]
      answer.body = RecordedBody(Array("<a href='?s=3f786850e387550f'>".utf8))
    }
    var scrubber = RecordingRedactor()
    let answer = Self.answer(scrubber.scrubbed(recording))
    #expect(
      answer?.headers == [
        HTTPField("set-cookie", "sid=SCRUBBED; Path=/; HttpOnly"),
        HTTPField("content-type", "text/html"),
      ])
    #expect(answer?.body.bytes == Array("<a href='?s=SCRUBBED'>".utf8))
    #expect(scrubber.found == ["the cookie sid"])
  }

  @Test func `each address of a Link header loses its secrets`() {
    let recording = Self.recording { _, answer in
      answer.headers = [
        HTTPField(
          "Link", "<https://a.example/?page=2&token=abcdefgh>; rel=next, </?token=ijklm>; rel=last")
      ]
      answer.body = RecordedBody(Array("abcdefgh".utf8))
    }
    var scrubber = RecordingRedactor()
    let answer = Self.answer(scrubber.scrubbed(recording))
    #expect(
      answer?.headers.map(\.value) == [
        "<https://a.example/?page=2&token=SCRUBBED>; rel=next, </?token=SCRUBBED>; rel=last"
      ])
    #expect(answer?.body.bytes == Array("SCRUBBED".utf8))
  }

  @Test func `options that are secret numbers get another number`() {
    var recording = Self.recording { request, _ in
      request.url = "https://a.example/?pin=71345678"
    }
    recording.options = object([
      "password": 1234, "token": 71_345_678, "code": 123_456.5, "key": 7, "max_tokens": 50,
      "limit": 1_234_567, "headers": ["X-Api-Key": 99], "auth": ["password": 5, "user": 6],
    ])
    var scrubber = RecordingRedactor()
    let scrubbed = scrubber.scrubbed(recording)
    let other: Value = 9_090_909_090_909
    #expect(
      scrubbed.options
        == object([
          "password": other, "token": other, "code": 9_090_909_090_909.0, "key": 7,
          "max_tokens": 50, "limit": 1_234_567, "headers": ["X-Api-Key": other],
          "auth": ["password": other, "user": 6],
        ]))
    #expect(scrubbed.runs[0].requests[0].url == "https://a.example/?pin=SCRUBBED")
    var second = RecordingRedactor()
    #expect(second.scrubbed(scrubbed) == scrubbed)
  }

  @Test func `the download of a run loses its secrets`() throws {
    var transfer = RecordedTransfer(
      url: "https://a.example/big.zip?access_token=abcdefgh", to: try FilePath("big.zip"))
    transfer.failure = Failure(
      .httpStatus, "403 for https://a.example/big.zip?access_token=abcdefgh")
    var recording = Recording()
    recording.runs = [RecordedRun()]
    recording.runs[0].transfer = transfer
    var scrubber = RecordingRedactor()
    let scrubbed = try #require(scrubber.scrubbed(recording).runs[0].transfer)
    #expect(scrubbed.url == "https://a.example/big.zip?access_token=SCRUBBED")
    #expect(
      scrubbed.failure?.message == "403 for https://a.example/big.zip?access_token=SCRUBBED")
    #expect(scrubber.found == ["the query field access_token"])
  }

  @Test func `a secret is removed everywhere, in all of its encodings`() {
    var recording = Self.recording { request, answer in
      request.url = "https://a.example/?q=p%26ssw%2Frd&access_token=zzzzzz"
      request.headers = [HTTPField("Authorization", "Bearer p&ssw/rd")]
      request.body = RecordedBody(Array("password=p%26ssw%2Frd".utf8))
      answer.headers = [HTTPField("location", "/next?access_token=other1&page=2")]
      answer.body = RecordedBody(Array(#"{"echo":"p&ssw/rd \"zzzzzz\""}"#.utf8))
    }
    recording.options = object([
      "token": "p&ssw/rd", "url": "https://a.example/?q=1", "headers": ["X-Api-Key": "k1"],
      "fields": ["key": "plain"],
    ])
    recording.state = ["cursor": "p&ssw/rd-1"]
    var scrubber = RecordingRedactor()
    let scrubbed = scrubber.scrubbed(recording)
    let request = scrubbed.runs[0].requests[0]
    #expect(request.url == "https://a.example/?q=SCRUBBED&access_token=SCRUBBED")
    #expect(request.headers == [HTTPField("Authorization", "Bearer SCRUBBED")])
    #expect(request.body?.bytes == Array("password=SCRUBBED".utf8))
    let answer = Self.answer(scrubbed)
    #expect(answer?.headers == [HTTPField("location", "/next?access_token=SCRUBBED&page=2")])
    #expect(answer?.body.bytes == Array(#"{"echo":"SCRUBBED \"SCRUBBED\""}"#.utf8))
    #expect(
      scrubbed.options
        == object([
          "token": "SCRUBBED", "url": "https://a.example/?q=1",
          "headers": ["X-Api-Key": "SCRUBBED"],
          "fields": ["key": "plain"],
        ]))
    #expect(scrubbed.state == ["cursor": "SCRUBBED-1"])
    #expect(scrubber.text("failed with p&ssw/rd") == "failed with SCRUBBED")
    #expect(
      scrubber.found == [
        "the option token", "the query field access_token",
        "the header Authorization",
      ])
  }

  @Test func `a password in Basic credentials is removed`() {
    let recording = Self.recording { request, answer in
      request.headers = [HTTPField("Authorization", "Basic dTpwYXNzd29yZA==")]  // u:password
      answer.body = RecordedBody(Array("your password is password".utf8))
    }
    var scrubber = RecordingRedactor()
    #expect(
      Self.answer(scrubber.scrubbed(recording))?.body.bytes
        == Array("your SCRUBBED is SCRUBBED".utf8))
  }

  @Test func `known secrets are removed before others`() {
    let recording = Self.recording { _, answer in answer.body = RecordedBody([1, 2, 3]) }
    var scrubber = RecordingRedactor(redacting: { $0 == [1, 2, 3] ? [9] : $0 })
    #expect(Self.answer(scrubber.scrubbed(recording))?.body.bytes == [9])
  }

  @Test func `a secret of the job is replaced by its name if no other secret is found`() {
    let recording = Self.recording { request, _ in
      request.url = "https://a.example/?token=abcdefgh&page=1"
      request.headers = [
        HTTPField("Authorization", "Bearer abcdefgh"), HTTPField("X-Token", "abcdefgh"),
        HTTPField("X-Api-Key", "abcdefgh and more"), HTTPField("Cookie", "abcdefghabcdefgh"),
        HTTPField("Proxy-Authorization", "Basic dTphYmNkZWZnaA=="),  // u:abcdefgh
      ]
    }
    var redactor = Redactor()
    redactor.add(SecretValue("abcdefgh"), named: "token")
    redactor.add(user: "u", password: SecretValue("abcdefgh"), named: "token")
    var scrubber = RecordingRedactor { [redactor] in redactor.redacted($0) }
    let request = scrubber.scrubbed(recording).runs[0].requests[0]
    #expect(request.url == "https://a.example/?token=[secret token]&page=1")
    #expect(
      request.headers.map(\.value) == [
        "Bearer [secret token]", "[secret token]", "SCRUBBED", "SCRUBBED", "Basic SCRUBBED",
      ])
  }

  /// Returns a recording of an answer that sets cookies with the numbers as values, each twice.
  private static func cookies(_ numbers: Range<Int>) -> Recording {
    recording { _, answer in
      let values = numbers.map { "cookie-\($0 + 10_000)" }
      answer.headers = (values + values).map { HTTPField("set-cookie", "sid=\($0); Path=/") }
      answer.body = RecordedBody(Array(values.joined(separator: " ").utf8))
    }
  }

  @Test func `a recording with too many secrets for its size is not redacted`() {
    let most = 300
    var scrubber = RecordingRedactor()
    let scrubbed = scrubber.scrubbed(Self.cookies(0..<most))
    #expect(scrubber.problem == nil)
    #expect(scrubber.found == ["the cookie sid"])
    let body = Array(repeating: "SCRUBBED", count: most).joined(separator: " ")
    #expect(Self.answer(scrubbed)?.body.bytes == Array(body.utf8))
    var other = RecordingRedactor()
    let empty = other.scrubbed(Self.cookies(0..<6_000))
    #expect(empty == Recording())
    #expect(
      other.problem
        == "its requests and answers contain 6000 different secrets, too many for their size")
  }

  @Test func `a signature is redacted in its header only`() {
    let value = "AWS4-HMAC-SHA256 Credential=a/b, Signature=0123456789abcdef"
    let recording = Self.recording { request, answer in
      request.headers = [HTTPField("Authorization", value)]
      answer.body = RecordedBody(Array("0123456789abcdef".utf8))
    }
    var scrubber = RecordingRedactor()
    let scrubbed = scrubber.scrubbed(recording)
    #expect(scrubber.found == ["the header Authorization"])
    let fields = scrubbed.runs.first?.requests.first?.headers
    #expect(fields?.contains { $0.value.contains("0123456789abcdef") } == false)
    #expect(Self.answer(scrubbed)?.body.bytes == Array("0123456789abcdef".utf8))
  }

  @Test func `a second redaction changes nothing`() {
    let recording = Self.recording { request, answer in
      request.url = "https://a.example/?token=abcdefgh"
      request.headers = [HTTPField("Authorization", "Bearer abcdefgh")]
      answer.headers = [HTTPField("set-cookie", "a=abcdefgh")]
    }
    var first = RecordingRedactor()
    let once = first.scrubbed(recording)
    var second = RecordingRedactor()
    #expect(second.scrubbed(once) == once)
  }
}

private func object(_ value: Value) -> ValueObject { value.objectValue ?? ValueObject() }

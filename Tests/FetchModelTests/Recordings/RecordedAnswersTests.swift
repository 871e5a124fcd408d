import FetchModel
import FetchValues
import Testing

/// Tests of the recorded answer for each request, and the report about a request without one.
@Suite struct RecordedAnswersTests {
  private static func answer(_ status: Int) -> RecordedEnd {
    .answer(RecordedAnswer(status: status))
  }

  private static func get(_ url: String) -> SentRequest { SentRequest(method: "GET", url: url) }

  private static func problem(
    _ sent: SentRequest, _ requests: [RecordedRequest]
  ) -> String? {
    var answers = RecordedAnswers(RecordedRun(requests: requests))
    guard case .failure(let problem) = answers.end(of: sent) else { return nil }
    return problem.description
  }

  @Test func `the same request is answered in the order of the recording`() throws {
    let url = "https://a.example/"
    var answers = RecordedAnswers(
      RecordedRun(requests: [200, 304].map { RecordedRequest(url: url, end: Self.answer($0)) }))
    #expect(try answers.end(of: Self.get(url)).get() == Self.answer(200))
    #expect(try answers.end(of: Self.get(url)).get() == Self.answer(304))
    #expect(throws: UnrecordedRequest.self) { try answers.end(of: Self.get(url)).get() }
  }

  @Test func `the order of different requests does not matter`() throws {
    var answers = RecordedAnswers(
      RecordedRun(requests: [
        RecordedRequest(url: "https://a.example/1", end: Self.answer(201)),
        RecordedRequest(url: "https://a.example/2", end: Self.answer(202)),
      ]))
    #expect(try answers.end(of: Self.get("https://a.example/2")).get() == Self.answer(202))
    #expect(answers.unasked.map(\.url) == ["https://a.example/1"])
    #expect(try answers.end(of: Self.get("https://a.example/1")).get() == Self.answer(201))
    #expect(answers.unasked.isEmpty)
  }

  @Test func `an address matches in any of its spellings`() throws {
    var answers = RecordedAnswers(
      RecordedRun(requests: [
        RecordedRequest(url: "HTTPS://A.example:443/a/../b c", end: Self.answer(200))
      ]))
    // A text that the host does not accept as an address stays unchanged and matches nothing.
    #expect(answers.unasked.count == 1)
    answers = RecordedAnswers(
      RecordedRun(requests: [
        RecordedRequest(url: "HTTPS://A.example:443/a/../b#c", end: Self.answer(200))
      ]))
    #expect(try answers.end(of: Self.get("https://a.example/b")).get() == Self.answer(200))
  }

  @Test func `a placeholder matches any text, in addresses, headers and bodies`() throws {
    var recorded = RecordedRequest(
      url: "https://a.example/?token=SCRUBBED&page=2", end: Self.answer(200))
    recorded.method = "POST"
    recorded.headers = [HTTPField("Authorization", "Bearer SCRUBBED")]
    recorded.body = RecordedBody(Array(#"{"key":"SCRUBBED","n":1}"#.utf8))
    var sent = SentRequest(method: "POST", url: "https://a.example/?token=a%2Fb&page=2")
    sent.headers = [HTTPField("authorization", "Bearer abc")]
    sent.body = Array(#"{"key":"x","n":1}"#.utf8)
    #expect(Self.problem(sent, [recorded]) == nil)
    sent.headers = [HTTPField("authorization", "Basic abc")]
    #expect(Self.problem(sent, [recorded]) != nil)
  }

  @Test(arguments: ["SCRUBBED", "SCRUBBED2", "SCRUBBED32"])
  func `a numbered placeholder matches any text too`(placeholder: String) {
    let recorded = RecordedRequest(
      url: "https://a.example/?token=\(placeholder)&page=2", end: Self.answer(200))
    #expect(Self.problem(Self.get("https://a.example/?token=a1b&page=2"), [recorded]) == nil)
    #expect(Self.problem(Self.get("https://a.example/?token=a1b&page=3"), [recorded]) != nil)
  }

  @Test func `an unrecorded request is reported with the nearest one`() {
    let pages = [1, 2].map {
      RecordedRequest(url: "https://a.example/list?page=\($0)", end: Self.answer(200))
    }
    let other = RecordedRequest(url: "https://b.example/", end: Self.answer(200))
    #expect(
      Self.problem(Self.get("https://a.example/list?page=3"), [other] + pages)
        == "GET https://a.example/list?page=3 is not in the recording; the nearest request is"
        + " GET https://a.example/list?page=2")
    #expect(
      Self.problem(Self.get("https://a.example/"), [])
        == "GET https://a.example/ is not in the recording, which has no requests for this run")
  }

  @Test func `the nearest recorded request may have been used already`() {
    var answers = RecordedAnswers(
      RecordedRun(requests: [RecordedRequest(url: "https://a.example/1", end: Self.answer(200))]))
    _ = answers.end(of: Self.get("https://a.example/1"))
    guard case .failure(let again) = answers.end(of: Self.get("https://a.example/1")),
      case .failure(let next) = answers.end(of: Self.get("https://a.example/2"))
    else { return #expect(Bool(false), "every recorded answer was used") }
    #expect(
      again.description == "GET https://a.example/1 was requested more often than it is recorded")
    #expect(
      next.description
        == "GET https://a.example/2 is not in the recording; the nearest request is"
        + " GET https://a.example/1, which was already requested")
  }

  @Test func `the differences between two requests are listed`() {
    var recorded = RecordedRequest(url: "https://a.example/", end: Self.answer(304))
    recorded.headers = [HTTPField("If-None-Match", "\"1\"")]
    recorded.body = RecordedBody(Array("one".utf8))
    var sent = Self.get("https://a.example/")
    #expect(
      Self.problem(sent, [recorded])
        == "GET https://a.example/ is recorded with the header If-None-Match: \"1\", but was sent "
        + "without it")
    sent.headers = [HTTPField("if-none-match", "\"2\"")]
    #expect(
      Self.problem(sent, [recorded])
        == "GET https://a.example/ is recorded with the header If-None-Match: \"1\", but was sent "
        + "with '\"2\"'")
    sent.headers = [HTTPField("if-none-match", "\"1\"")]
    sent.body = Array("two".utf8)
    #expect(
      Self.problem(sent, [recorded])
        == "GET https://a.example/ is recorded with the body 'one', but was sent with 'two'")
  }

  @Test func `an address with a secret is compared in the form in which it is sent`() {
    let url = "https://a.example/bot[secret token]/me?key=[secret key]"
    var answers = RecordedAnswers(
      RecordedRun(requests: [RecordedRequest(url: url, end: .fault(.cut, detail: nil))]))
    guard case .success = answers.end(of: SentRequest(method: "GET", url: url)) else {
      Issue.record("the recorded answer is not found")
      return
    }
  }
}

import FetchEngine
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchWeb

/// Tests of the parts of messages: problems, media types, preferences, forms and tags.
@Suite struct MessageTests {
  @Test func `a problem is the JSON of RFC 9457`() {
    let problem = WebProblem(
      .unknownJob, 404, "there is no job 'a\u{202E}'", hint: "b",
      errors: [.init(parameter: "x", "y")])
    let response = problem.response
    #expect(response.headers.first("Content-Type") == "application/problem+json")
    #expect(
      response.text == """
        {"type":"urn:fetchrun:problem:unknownJob","title":"There is no such job","status":404,\
        "detail":"there is no job 'a\\u202e'","hint":"b","errors":[{"parameter":"x","detail":"y"}]}

        """)
  }

  @Test func `a refusal of the daemon becomes a problem by its code`() {
    let unknown = ControlEnd.unknownJob("rueters", among: ["reuters"]).webProblem
    #expect(unknown?.word == .unknownJob)
    #expect(unknown?.hint == "reuters")
    #expect(ControlEnd.failed("full", code: .tooManyClients).webProblem?.word == .busy)
    #expect(ControlEnd.failed("new file", code: .changed).webProblem?.word == .changed)
    #expect(ControlEnd.failed("there is no job 'a'").webProblem?.word == .refused)
    #expect(ControlEnd.done.webProblem == nil)
  }

  @Test func `every answer has the fields that all have`() {
    let answer = WebResponse(200).adding("Cache-Control", "max-age=300").complete
    #expect(answer.headers.all("Cache-Control") == ["max-age=300"])
    #expect(answer.headers.first("x-content-type-options") == "nosniff")
  }

  @Test(
    arguments: [
      ([], false), (["*/*"], false), (["application/x-ndjson"], true),
      (["application/x-ndjson;q=0"], false), (["application/json, application/x-ndjson"], true),
      (["application/json, application/x-ndjson;q=0.5"], false),
      (["text/html", "application/x-ndjson;q=0.5"], true), (["APPLICATION/X-NDJSON"], true),
    ] as [([String], Bool)]) func `lines alone are sent to whom wants them`(
      accept: [String], isTrue: Bool
    )
  {
    #expect(MediaRange.prefers(WebMedia.lines, accept) == isTrue)
  }

  @Test(
    arguments: [
      ("wait=30", 30), ("wait=0", nil), ("respond-async, wait=5", 5), ("wait=999", 60),
      ("WAIT=7; x", 7), ("wait=x", nil), ("wait", nil), ("wait=-1", nil), ("", nil),
    ] as [(String, Int?)]) func `a client may wait for a minute`(text: String, seconds: Int?)
  {
    #expect(
      Preference.wait(WebHeaders([("Prefer", text)])) == seconds.map { Duration.seconds($0) })
  }

  @Test(arguments: [
    ("\"7j\"", true), ("W/\"7j\"", true), ("\"6j\", \"7j\"", true), ("*", true), ("\"7n\"", false),
    ("", false), ("7j", false),
  ]) func `a tag matches weakly`(text: String, isMatch: Bool) {
    #expect(EntityTags.match("\"7j\"", [text]) == isMatch)
  }

  @Test func `a form is read strictly`() {
    let type = "application/x-www-form-urlencoded; charset=utf-8"
    #expect(FormFields(Array("a=1&b=%2B+x".utf8), type: type)?["b"] == "+ x")
    #expect(FormFields(Array("a=1&a=2".utf8), type: type) == nil)
    #expect(FormFields(Array("a=%FF".utf8), type: type) == nil)
    #expect(FormFields(Array("a=1".utf8), type: "text/plain") == nil)
    #expect(FormFields(Array("a=1".utf8), type: nil) == nil)
  }
}

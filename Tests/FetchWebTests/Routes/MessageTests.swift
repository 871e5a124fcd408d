import FetchConfig
import FetchEngine
import FetchHost
import FetchStore
import FetchTestSupport
import FetchValues
import Glibc
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

  @Test func `the tag of a list of items is never newer than the list`() async throws {
    let folder = try TemporaryFolder.make("web")
    let store = MemoryStore(path: folder + "/store.sqlite")
    // The store's clock is read before each read, and when a person's read is noted. At these
    // times, another change of an item is stored.
    let late = StoredRuns.end(1, item: ("a", "A"))
    let context = WebContext(
      store: WebStore(
        store,
        now: {
          _ = try? store.commit(late)
          return TestSite.start
        }), control: WebControl(TestSite.noDaemon),
      access: WebAccess(
        WebSettings(), file: AccessFile(path: folder + "/web.json"), random: { 1 }),
      now: { TestSite.start }, clock: HostClock())
    let answer = await WebSite(WebRoutes.all, context).answer(
      ReceivedRequest(
        method: "GET", target: "/api/v1/items",
        headers: WebHeaders([("Host", "localhost:7397")]), peer: .local(user: geteuid())))
    let newest = try #require(answer.value["data"]?.arrayValue?.first?["sequence"]?.integerValue)
    #expect(answer.headers.first("ETag") == "\"\(newest)j\"")
    #expect(try store.lastSequence() > newest)
  }

  @Test func `a form is read strictly`() {
    let type = "application/x-www-form-urlencoded; charset=utf-8"
    #expect(FormFields(Array("a=1&b=%2B+x".utf8), type: type)?["b"] == "+ x")
    #expect(FormFields(Array("a=1&a=2".utf8), type: type) == nil)
    #expect(FormFields(Array("a=%FF".utf8), type: type) == nil)
    #expect(FormFields(Array("a=1".utf8), type: "text/plain") == nil)
    #expect(FormFields(Array("a=1".utf8), type: nil) == nil)
  }

  @Test(
    arguments: [
      ("text/plain", "a=1", 415), ("application/x-www-form-urlencoded", "a=1&a=2", 400),
      ("application/x-www-form-urlencoded", "a=%FF", 400),
      ("application/x-www-form-urlencoded", (0...64).map { "a\($0)=" }.joined(separator: "&"), 400),
    ] as [(String, String, Int)])
  func `another type than a form is 415, an invalid form is 400`(
    type: String, body: String, status: Int
  ) async throws {
    let site = try TestSite()
    let answer = await site.answer(
      "POST", "/pause", [("Content-Type", type)], body: body, peer: .local(user: geteuid()))
    #expect(answer.status == status, "\(answer.text)")
  }

  @Test func `a refused call says when to try again`() async {
    let gate = CallGate(runningMax: 0, waitingMax: 0, retrySeconds: 8)
    do throws(WebProblem) {
      try await gate.run("wait for runs") { () async throws(WebProblem) -> Void in }
      Issue.record("the call was not refused")
    } catch {
      #expect(error.status == 503)
      #expect(error.headers.first("Retry-After") == "8")
    }
  }
}

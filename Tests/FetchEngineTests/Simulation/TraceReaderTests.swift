import FetchSchedule
import FetchValues
import Testing

@testable import FetchEngine

@Suite struct TraceReaderTests {
  private let head = #"""
    {"type":"trace","duration":1000,"budget":{"per_hour":5,"burst":2},"host_gap":2}
    """#

  @Test func `a trace is read`() throws {
    let text =
      head + "\n\n"
      + #"{"type":"source","id":"a","host":"h","group":"g","kind":"feed","window":9,"ttl":60,"#
      + #""past":[-5],"pub":[3,1.5],"down":[[10,20,0],[30,40,600]]}"# + "\n"
      + #"{"type":"read","t":7,"group":"g"}"#
    let trace = try TraceReader.read(Array(text.utf8))
    #expect(
      trace
        == Trace(
          duration: 1000, requestsPerHour: 5, burst: 2, hostGap: 2,
          sources: [
            TraceSource(
              id: "a", host: "h", group: "g", datesItems: true, window: 9, timeToLive: 60,
              published: [-5, 1.5, 3],
              outages: [.init(from: 10, to: 20), .init(from: 30, to: 40, retryAfter: 600)])
          ], reads: [TraceRead(time: 7, group: "g")]))
  }

  @Test(arguments: [(#","modified":true"#, true), (#","modified":false"#, false), ("", false)])
  func `a source may give the time of its last change`(key: String, datesChanges: Bool) throws {
    let source =
      #"{"type":"source","id":"a","host":"h","kind":"value","window":1,"pub":[3]\#(key)}"#
    let trace = try TraceReader.read(Array((head + "\n" + source).utf8))
    #expect(trace.sources.map(\.datesChanges) == [datesChanges])
    var answers = TraceAnswers(trace.sources[0])
    #expect(answers.answer(at: 1) == .changed(false))
    #expect(answers.answer(at: 5) == .changed(true, modifiedAt: datesChanges ? 3 : nil))
  }

  @Test(arguments: [
    ("", "line 1: the file ends without a line of type trace"),
    ("[]", "line 1: not a JSON object"),
    (#"{"type":"x"}"#, #"line 1: "type" must be trace, source or read"#),
    (#"{"type":"trace","duration":5}"#, #"line 1: "budget" must be an object"#),
    (
      #"{"type":"trace","duration":5e99,"budget":{"per_hour":1,"burst":1}}"#,
      #"line 1: "duration" must be above 0 and at most 316224000 (ten years in seconds)"#
    ),
    (#"{"type":"read","group":"g"}"#, #"line 1: "t" must be a number"#),
    (
      #"{"type":"source","id":"a","host":"h","kind":"web","window":1}"#,
      #"line 1: "kind" must be feed or value"#
    ),
  ])
  func `a mistake is reported with its line`(text: String, message: String) {
    let problem = #expect(throws: TraceReader.Problem.self) {
      try TraceReader.read(Array(text.utf8))
    }
    #expect(problem?.description == message)
  }

  @Test func `fetches are written as JSON lines`() throws {
    let source =
      #"{"type":"source","id":"a\"b","host":"h","kind":"value","window":1,"pub":[],"past":[]}"#
    let trace = try TraceReader.read(Array((head + "\n" + source).utf8))
    var lines = TraceLines(trace)
    #expect(lines.add(SimulatedFetch(time: 1.5, source: 0, reason: nil)) == nil)
    #expect(lines.add(SimulatedFetch(time: 3, source: 0, reason: nil)) == nil)
    #expect(lines.rest == "{\"t\":1.5,\"source\":\"a\\\"b\"}\n{\"t\":3.0,\"source\":\"a\\\"b\"}")
    #expect(lines.rest == nil)
  }
}

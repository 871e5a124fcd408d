import FetchModel
import FetchValues
import Testing

struct FailureBoundsTests {
  @Test(arguments: [
    ("", 4, ""), ("abcd", 4, "abcd"), ("abcde", 4, "a…"), ("ääää", 8, "ääää"), ("äääää", 8, "ää…"),
    ("👩‍🚀👩‍🚀", 14, "👩‍🚀…"), ("aaaa", 0, "…"),
  ])
  func `a text is cut between two characters, with a mark`(text: String, max: Int, cut: String) {
    #expect(text.bounded(to: max) == cut)
  }

  @Test func `a failure keeps what is within its limits`() {
    let usual = Failure(
      .pluginError, "broken", file: "a.lua", line: 7, traceback: ["a.lua:7", "b"])
    #expect(usual.bounded == usual)
    var long = usual
    long.traceback = (0..<1000).map { "frame \($0)" }
    #expect(long.bounded.traceback == (0..<50).map { "frame \($0)" })
  }
}

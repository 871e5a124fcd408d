import Testing

@testable import FetchSandbox

/// Tests of the limits of an `XMLTape`.
@Suite struct XMLTapeTests {
  @Test func `elements and texts together are limited`() {
    let elements = "<a>" + String(repeating: "<b/>", count: XMLLimits.nodeCountMax - 1)
    for (rest, isClean) in [("</a>", true), ("x</a>", false), ("<b/></a>", false)] {
      let found = Array((elements + rest).utf8).withUnsafeBytes(XMLTapeBuilder.parse)
      guard let (tape, isWhole) = found else {
        Issue.record("the text is not parsed")
        return
      }
      #expect(tape.nodes.count == XMLLimits.nodeCountMax)
      #expect(isWhole == isClean)
    }
  }
}

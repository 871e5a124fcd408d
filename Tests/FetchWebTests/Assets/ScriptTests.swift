import Testing

@testable import FetchWeb

/// Tests of the page's one script.
@Suite struct ScriptTests {
  private static let text = String(decoding: Assets.script.bytes, as: UTF8.self)

  @Test func `the script has at most 10 KB`() {
    #expect(Assets.script.bytes.count <= 10 << 10)
  }

  @Test(arguments: [
    "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "srcdoc",
    "eval(", "Function(", "createContextualFragment", "setHTMLUnsafe", "trustedTypes",
  ])
  func `the script uses nothing that could make text a script`(word: String) {
    #expect(!Self.text.contains(word))
  }

  @Test func `the page has one stream of events`() {
    #expect(Self.text.ranges(of: "new EventSource(").count == 1)
  }
}

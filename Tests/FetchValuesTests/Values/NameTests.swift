import FetchTestSupport
import FetchValues
import Testing

/// Tests of the names of jobs and hooks.
struct NameTests {
  /// "é" as one code point and as "e" with a combining accent: equal as Swift strings.
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  @Test func `names are equal only if their bytes are equal`() {
    #expect(Self.composed == Self.decomposed)
    #expect(JobName(Self.composed) != JobName(Self.decomposed))
    #expect(HookName(Self.composed) == HookName(Self.composed))
    #expect(Set([Self.composed, Self.decomposed].map { JobName($0) }).count == 2)
  }

  @Test func `names are sorted by their bytes`() {
    let names = ["b", "Z", "\u{E9}", "a"].map { JobName($0) }
    #expect(names.sorted().map(\.text) == ["Z", "a", "b", "\u{E9}"])
  }

  @Test func `a name is shown as its text`() {
    #expect("\(JobName("news"))" == "news")
    #expect(JobName.unnamed.isEmpty && !HookName("chat").isEmpty)
  }
}

import FetchWeb
import Testing

@Suite struct JobPatternTests {
  @Test(arguments: [
    ("news", "news", true), ("news", "new", false), ("news", "newsX", false), ("*", "", true),
    ("*", "anything", true), ("news*", "news", true), ("news*", "news/de", true),
    ("*de", "news/de", true), ("*e*s*", "news", true), ("n*s", "news", true),
    ("n*sx", "news", false), ("", "", true), ("", "a", false), ("a**b", "ab", true),
    ("?", "a", false), ("caf\u{E9}", "cafe\u{301}", false),
  ]) func `a star stands for any text`(pattern: String, name: String, isMatch: Bool) {
    #expect(JobPattern(pattern).matches(name) == isMatch)
  }

  @Test func `many stars take no time`() {
    let pattern = JobPattern(String(repeating: "a*", count: 500) + "b")
    #expect(!pattern.matches(String(repeating: "a", count: 1_000)))
  }
}

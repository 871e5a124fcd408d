import FetchValues
import Testing

@Suite struct NamePatternTests {
  @Test(arguments: [
    ("news", "news", true), ("news", "News", true), ("news", "newsletter", false),
    ("news*", "newsletter", true), ("*letter", "newsletter", true), ("n*s*r", "newsletter", true),
    ("n*x*r", "newsletter", false), ("*", "", true), ("", "", true), ("", "a", false),
    ("**", "é", true), ("a*a", "a", false), ("a*a", "aa", true), ("*ab*ab*", "abab", true),
    ("*ab*ab*", "aba", false), ("É", "é", false), ("a*b", "ab", true), ("*aab", "aaab", true),
  ]) func `a star stands for any text`(pattern: String, name: String, isMatch: Bool) {
    #expect(NamePattern(pattern).matches(name) == isMatch)
  }

  @Test(arguments: [("LETT", true), ("new*", true), ("ews*", false), ("", true)])
  func `a text without a star may be anywhere in the name`(text: String, isMatch: Bool) {
    #expect(NamePattern.containing(text).matches("newsletter") == isMatch)
  }
}

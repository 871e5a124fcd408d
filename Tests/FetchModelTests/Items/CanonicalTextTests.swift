import FetchModel
import FetchValues
import Testing

@Suite struct CanonicalTextTests {
  private static let texts = [
    ("", ""), ("   \n ", ""), ("a", "a"), (" a \t\n b ", "a b"), ("a b c", "a b c"), ("a  ", "a"),
    ("what? yes & no", "what? yes & no"), ("a &", "a &"), ("a ?", "a ?"), ("?", "?"), ("&", "&"),
    ("https://x.test/?utm_source=rss", "https://x.test/"),
    ("https://x.test/?utm_source=rss&utm_medium=feed", "https://x.test/"),
    ("https://x.test/?id=1&utm_source=rss", "https://x.test/?id=1"),
    ("https://x.test/?utm_source=rss&id=1", "https://x.test/?id=1"),
    ("https://x.test/?utm_source=rss&amp;id=1", "https://x.test/?id=1"),
    ("https://x.test/?a=1&utm_source=rss&b=2", "https://x.test/?a=1&b=2"),
    ("https://x.test/?a=1&amp;FBCLID=rss&amp;b=2", "https://x.test/?a=1&amp;b=2"),
    ("https://x.test/?utm_source=rss#part", "https://x.test/#part"),
    ("https://x.test/a#utm_source=rss&utm_medium=feed", "https://x.test/a"),
    ("https://x.test/a#xtor=RSS-3208", "https://x.test/a"),
    ("https://x.test/a#utm_source=rss&part=1", "https://x.test/a#part=1"),
    ("https://x.test/?b=1&utm_id=1#utm_id=2", "https://x.test/?b=1"), ("#1 & #2", "#1 & #2"),
    ("https://x.test/?gclid=1 and & more", "https://x.test/ and & more"),
    ("https://x.test/?utm=1&source=2", "https://x.test/?utm=1&source=2"),
    ("https://x.test/?gclidx=1", "https://x.test/?gclidx=1"),
    ("https://x.test/?utm_source", "https://x.test/?utm_source"),
    ("<a href=\"/p?utm_id=7\">x</a>", "<a href=\"/p\">x</a>"),
    ("<a href='/p?x=1&#38;utm_id=7'>x</a>", "<a href='/p?x=1'>x</a>"),
    ("\u{E9}\u{A0}\u{2003}x", "\u{E9}\u{A0}\u{2003}x"),
  ]

  @Test(arguments: texts) func `texts that look the same to a reader are equal`(
    text: String, expected: String
  ) {
    #expect(ExactText(CanonicalText.of(text)) == ExactText(expected))
    #expect(ExactText(CanonicalText.of(expected)) == ExactText(expected))
  }

  /// Long texts are compared in blocks of 8 bytes.
  @Test(arguments: texts) func `the position of a text in a longer one makes no difference`(
    text: String, expected: String
  ) {
    for length in 1...33 {
      let before = String(repeating: "x", count: length) + " "
      let after = " " + String(repeating: "y z\u{E4}", count: 8)
      let between = expected.isEmpty ? "" : expected + " "
      #expect(
        ExactText(CanonicalText.of(before + text + after))
          == ExactText(before + between + after.dropFirst()))
    }
  }

  @Test func `white space is found anywhere in a block`() {
    for place in 0..<48 {
      for blank in [" ", "\t", "\n", "\u{0}", "  ", " \t "] {
        let head = String(repeating: "a", count: place)
        let tail = String(repeating: "b", count: 48 - place)
        let expected = place == 0 ? tail : place == 48 ? head : head + " " + tail
        #expect(CanonicalText.of(head + blank + tail) == expected)
      }
    }
  }
}

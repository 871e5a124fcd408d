import FetchModel
import Testing

@Suite struct CanonicalTextTests {
  @Test(arguments: [
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
  ]) func `texts that read the same become the same`(text: String, expected: String) {
    #expect(ExactText(CanonicalText.of(text)) == ExactText(expected))
    #expect(ExactText(CanonicalText.of(expected)) == ExactText(expected))
  }
}

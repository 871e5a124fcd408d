import FetchWeb
import Testing

@Suite struct HTMLTests {
  @Test("text is escaped and markup is not")
  func escaping() {
    let title = "<b>\"Tom\" & 'Jerry'</b>"
    let html: HTML = "<p title=\"\(title)\">\(title)</p>"
    let escaped = "&lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;&lt;/b&gt;"
    #expect(html.text == "<p title=\"\(escaped)\">\(escaped)</p>")
  }

  @Test(
    "characters that hide or reorder text become visible",
    arguments: [
      ("a\u{0}b", "a\u{2400}b"), ("a\u{1B}[2Jb", "a\u{241B}[2Jb"), ("a\u{7F}b", "a\u{2421}b"),
      ("a\u{202E}b", "a⟨U+202E⟩b"), ("a\u{2066}b", "a⟨U+2066⟩b"), ("a\u{61C}b", "a⟨U+061C⟩b"),
      ("a\u{85}b", "a⟨U+0085⟩b"), ("\u{FEFF}b", "⟨U+FEFF⟩b"), ("a\n\tb", "a\n\tb"),
      ("é – “x” ﷽ 😀", "é – “x” ﷽ 😀"),
    ])
  func hiddenCharacters(text: String, shown: String) {
    let html: HTML = "\(text)"
    #expect(html.text == shown)
  }

  @Test(
    "only web addresses become links",
    arguments: [
      "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "//evil.example",
      "java\nscript:alert(1)", "http:\n//x", "vbscript:x", "file:///etc/passwd", "", " http://x",
      "https:/x", "mailto:a@b.example", "http://a b",
    ])
  func otherAddresses(address: String) {
    let html: HTML = "\(link: address, "a title")"
    #expect(html.text == "a title")
  }

  @Test("a link has its address and its text escaped, and names no opener")
  func link() {
    let html: HTML = "\(link: "HTTPS://a.example/?q=\"x\"&y", "<t>")"
    let address = "HTTPS://a.example/?q=&quot;x&quot;&amp;y"
    #expect(
      html.text == "<a href=\"\(address)\" rel=\"noopener noreferrer\">&lt;t&gt;</a>")
  }

  @Test("a name of a job cannot leave its segment of an address")
  func addresses() {
    #expect(
      LocalAddress("jobs", "../a b/ü?x#y", "run").text == "/jobs/..%2Fa%20b%2F%C3%BC%3Fx%23y/run")
    #expect(LocalAddress("jobs", "..").text == "/jobs/%2E%2E")
    #expect(LocalAddress().adding("match", "a&b=c").adding("show", nil).text == "/?match=a%26b%3Dc")
  }

  @Test(
    "markup of a source is shown as its text",
    arguments: [
      ("<p>One</p><p>Two</p>", "One\n\nTwo"), ("a<br>b", "a\nb"), ("1 < 2 & 3", "1 < 2 & 3"),
      ("x<script>alert('</div>')</script>y", "xy"), ("<style>p{}</style>t", "t"),
      ("&lt;b&gt; &#65;&#x42; &bogus; &nbsp;z", "<b> AB &bogus; z"), ("a<!-- <b> -->c", "ac"),
      ("<a href='x'>link</a>", "link"), ("open <b", "open"), ("<script>never closed", ""),
      ("<b>One</b>\r\nTwo\r\n\r\nThree\r<br>four", "One\nTwo\n\nThree\nfour"),
    ])
  func plainMarkup(markup: String, text: String) {
    #expect(PlainMarkup.text(markup) == text)
  }
}

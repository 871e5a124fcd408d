import FetchSandbox
import FetchValues
import Testing

struct TextLibraryTests {
  @Test func `white space is removed`() throws {
    #expect(try call("text.trim", " \n\u{A0} a b \u{A0}\t") == "a b")
    #expect(try call("text.trim", " \u{A0} ") == "")
    #expect(try call("text.trim", .bytes([0x20, 0xA0, 0x20])) == .bytes([0xA0]))
    #expect(try call("text.collapse", "  a\n\t b\u{A0}c  ") == "a b c")
  }

  @Test func `texts are split`() throws {
    #expect(try call("text.split", "a, b, ,c", ", ") == ["a", "b", ",c"])
    #expect(try call("text.split", "", ",") == [""])
    #expect(try call("text.split", "aabaab", "aab") == ["", "", ""])
    #expect(
      try failure("text.split", "a", "")
        == .misuse("bad argument #2 to 'text.split' (empty string)")
    )
    #expect(try call("text.lines", "a\r\nb\rc\n\nd\n") == ["a", "b", "c", "", "d"])
    #expect(try call("text.lines", "") == [])
    #expect(try call("text.starts_with", "abc", "ab") == true)
    #expect(try call("text.ends_with", "abc", "abcd") == false)
  }

  static let references: [(text: String, plain: String)] = [
    ("a &amp; b &lt;&gt;&quot;&apos;&#39;", "a & b <>\"''"), ("&eacute;&#233;&#xE9;", "ééé"),
    ("&hellip;&euro;&#8364;&#128;", "…€€€"), ("&unknown; &amp &", "&unknown; &amp &"),
    ("&amp;amp;", "&amp;"), ("&#xD800;&#1114112;", "\u{FFFD}\u{FFFD}"), ("&#;&#x;", "&#;&#x;"),
    ("a&#0;b&#x0;c&#00;", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"),
  ]

  @Test(arguments: references) func `character references are resolved only once`(
    text: String, plain: String
  )
    throws
  {
    #expect(try call("text.unescape", .string(text)) == .string(plain))
  }

  @Test func `unescape reverses escape`() throws {
    #expect(
      try call("text.escape", "<a href=\"x\">'&'</a>")
        == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;")
  }

  static let fragments: [(html: String, text: String)] = [
    ("<p>One</p><p>two <b>th</b>ree &amp; <br/>four</p>", "One two three & four"),
    ("a < b > c", "a < b > c"), ("<a title=\"x>y\">link</a>", "link"),
    ("x<!-- c > d -->y<script>if (a<b) {}</script>z", "xy z"), ("<b", "<b"),
    ("<a href=\"unclosed>text</a>", "text"), ("<style>p{}</style>", ""), ("<!doctype html>x", "x"),
    ("", ""), ("<scripted>a</scripted>", "a"), ("<a title= \"x>y\" b='>'>link</a>", "link"),
    ("<a href=x=\"y>link</a>", "link"), ("<?xml a=\"1>0\"?>z", "0\"?>z"), ("<!-->z<!-- x -->", "z"),
    ("<a x=\"1>2\" y=\"unclosed>text</a>", "text"), ("</b x=\"1>2\">z", "z"),
  ]

  @Test(arguments: fragments) func `tags are removed, and words are kept`(
    html: String, text: String
  ) throws {
    #expect(try call("text.strip_tags", .string(html)) == .string(text))
  }

  @Test func `a text of angle brackets takes linear time`() throws {
    let count = 1 << 17
    for unit in ["<", "<a", "<a=\"", "<!--", "<script>", "&", "&#"] {
      let text = String(repeating: unit, count: count / unit.utf8.count)
      _ = try call("text.strip_tags", .string(text))
    }
    let text = String(repeating: "a", count: count)
    #expect(
      try call("text.split", .string(text), .string(text.prefix(count / 2) + "b")) == [
        .string(text)
      ])
  }

  @Test(.timeLimit(.minutes(1))) func `a quote that is never closed takes linear time`() throws {
    let text = String(repeating: "<a x='>' ", count: 1 << 17) + "y=\""
    _ = try call("text.strip_tags", .string(text))
  }

  @Test func `texts are cut only between characters`() throws {
    #expect(try call("text.truncate", "abcdef", 4) == "abc…")
    #expect(try call("text.truncate", "abcd", 4) == "abcd")
    #expect(try call("text.truncate", "e\u{301}a\u{308}xyz", 3, "") == "e\u{301}a\u{308}x")
    #expect(try call("text.truncate", "abc", 0) == "")
    #expect(try call("text.truncate", "abc", 1, "...") == ".")
    #expect(try call("text.truncate", "abc", .integer(.max)) == "abc")
  }

  @Test func `the lines that fit are kept, and the others are counted`() throws {
    let lines: Value = ["head", "one", "two", "three"]
    #expect(try call("text.fit", lines, 18) == "head\none\ntwo\nthree")
    #expect(try call("text.fit", lines, 17) == "head\none\n… 2 more")
    #expect(try call("text.fit", lines, 16) == "head\n… 3 more")
    #expect(try call("text.fit", lines, 23, ["separator": "<br>"]) == "head<br>one<br>… 2 more")
    // Even the first line does not fit.
    #expect(try call("text.fit", lines, 12) == "he…\n… 3 more")
    #expect(try call("text.fit", lines, 5) == "head")
    #expect(try call("text.fit", ["abcdef"], 4) == "abc…")
    #expect(try call("text.fit", ["abcdef"], 4, ["unit": "bytes"]) == "a…")
    #expect(try call("text.fit", ["abcdef"], 2, ["unit": "bytes"]) == "ab")
  }

  @Test(arguments: ["characters", "bytes", "utf16"])
  func `the fitted text never exceeds its limit`(unit: String) throws {
    func length(_ text: String) -> Int {
      switch unit {
      case "bytes": text.utf8.count
      case "utf16": text.utf16.count
      default: text.unicodeScalars.count
      }
    }
    let words = ["", "a", "ä", "🎉🎉🎉", String(repeating: "e\u{301}", count: 40)]
    for count in 1...120 {
      for size in 1...7 {
        let lines = (0..<size).map { words[($0 * 3 + count) % words.count] }
        let list = Value.array(lines.map { .string($0) })
        let text = try call("text.fit", list, .integer(Int64(count)), ["unit": .string(unit)])
        let fitted = try #require(text.stringValue)
        #expect(length(fitted) <= count)
        let whole = lines.joined(separator: "\n")
        #expect((fitted == whole) == (length(whole) <= count))
      }
    }
  }

  @Test func `the error about invalid arguments of fit has the argument's name`() throws {
    let list = "bad argument #1 to 'text.fit' (a non-empty list of strings expected)"
    for lines: Value in [[], "a", [1], ["a", .null]] {
      #expect(try failure("text.fit", lines, 5) == .misuse(list))
    }
    #expect(
      try failure("text.fit", ["a"], 0)
        == .misuse("bad argument #2 to 'text.fit' (count below 1)"))
    #expect(
      try failure("text.fit", ["a"], 5, ["unit": "words"])
        == .misuse(
          "bad option 'unit' for 'text.fit' (one of characters, bytes, utf16 expected)"))
  }

  @Test func `a diff shows the lines around a change`() throws {
    #expect(
      try call("text.diff", "a\nb\nc\n", "a\nB\nc\n", ["context": 0]) == "@@ -2 +2 @@\n-b\n+B\n")
  }
}

import FetchTestSupport
import FetchValues
import FetchWeb
import Testing

/// Tests that text from sources, plugins and servers stays text on every page.
@Suite struct HostilePageTests {
  @Test("a payload in every field adds no tag and no attribute", arguments: [false, true])
  func structure(isLink: Bool) {
    let expected = outlines { field, _ in
      field == "url" ? (isLink ? "https://a.example" : "none") : "usual"
    }
    for payload in HostileTexts.all where Self.isLink(payload) == isLink {
      // All fields are tested at once. A test of each field alone takes minutes, and one broken
      // field is enough to fail.
      check(outlines { _, _ in payload }, expected, payload)
    }
  }

  @Test("random text in every field adds no tag and no attribute", arguments: 0..<UInt64(40))
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let signs = Array(
      "<>\"'&`=/\\ \t\n\u{0}\u{1B}\u{202E}abijscrptonlh:;-!?[]{}#%é\u{FEFF}😀".unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<200 { text.append(signs[generator.below(signs.count)]) }
    check(
      outlines { field, usual in field == "url" ? usual : String(text) },
      outlines { field, usual in field == "url" ? usual : "usual" }, "seed \(seed)")
  }

  private func outlines(
    _ text: @escaping (_ field: String, _ usual: String) -> String
  ) -> [(name: String, outline: MarkupOutline)] {
    var pages = SamplePages()
    pages.text = text
    return pages.all.map { ($0.name, MarkupOutline($0.html.bytes)) }
  }

  private func check(
    _ found: [(name: String, outline: MarkupOutline)],
    _ expected: [(name: String, outline: MarkupOutline)], _ payload: String
  ) {
    for (page, usual) in zip(found, expected) {
      let difference = zip(page.outline.tags, usual.outline.tags).first { $0 != $1 }
      let isSame = page.outline.tags.count == usual.outline.tags.count && difference == nil
      #expect(
        isSame,
        "\(page.name): \(String(describing: difference)), \(payload.prefix(60).debugDescription)")
      let scripts = page.outline.scripts.filter { !$0.hasPrefix("/assets/script-") }
      let links = page.outline.links.filter { !Self.isAllowed($0) }
      #expect(scripts.isEmpty && links.isEmpty, "\(page.name)")
    }
  }

  @Test("there are 200 payloads, all different, for at least 10 fields")
  func count() {
    #expect(Set(HostileTexts.all.map { Array($0.utf8) }).count >= 200)
    #expect(Set(SamplePages.fields).count >= 10)
  }

  @Test("each field is shown on a page, as text", arguments: SamplePages.fields)
  func shown(field: String) {
    var pages = SamplePages()
    let markup = "<u id=\"x\">mark & more</u>"
    pages.text = { $0 == field ? markup : $1 }
    let all = pages.all.map { $0.html.text }
    // The markup is removed from a summary. An address with markup is not shown as a link.
    let isShown = all.contains {
      $0.contains("&lt;u id=&quot;x&quot;&gt;mark &amp; more&lt;/u&gt;")
        || field == "summary" && $0.contains("<dd>mark &amp; more</dd>")
    }
    #expect(isShown || field == "url", "\(field)")
    #expect(all.allSatisfy { !$0.contains("<u id") })
    pages.text = { $0 == "url" ? "https://mark.example/" : $1 }
    #expect(pages.all.contains { $0.html.text.contains("href=\"https://mark.example/\"") })
  }

  @Test(
    "the outline shows a tag or an attribute more",
    arguments: [
      ("<p>a</p>", "<p>a<b></p>"), ("<p>a</p>", "<p onclick=\"x\">a</p>"),
      ("<p class=\"a\">", "<p class=\"a\" id=\"b\">"), ("<p>a</p>", "<p>a</p><!-- x -->"),
    ])
  func outline(usual: String, other: String) {
    #expect(MarkupOutline(Array(usual.utf8)).tags != MarkupOutline(Array(other.utf8)).tags)
  }

  static func isLink(_ text: String) -> Bool {
    let lower = text.lowercased()
    return (lower.hasPrefix("http://") || lower.hasPrefix("https://"))
      && !text.unicodeScalars.contains { $0.value <= 0x20 }
  }

  private static func isAllowed(_ address: String) -> Bool {
    let lower = address.lowercased()
    return lower.hasPrefix("https://") || lower.hasPrefix("http://")
      || (address.hasPrefix("/") && !address.hasPrefix("//"))
      || address.hasPrefix("#")
  }
}

/// The tags of a page with the names of their attributes. The tags are found as the tokenizer of
/// HTML finds them (WHATWG, 13.2.5), limited to the cases in this program's pages.
struct MarkupOutline {
  private(set) var tags: [String] = []
  private(set) var links: [String] = []
  private(set) var scripts: [String] = []

  init(_ bytes: [UInt8]) {
    var place = 0
    while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
      place = start + 1
      guard place < bytes.count, Self.begins(bytes[place]) else { continue }
      var tag = ""
      while place < bytes.count, bytes[place] > 0x20, bytes[place] != UInt8(ascii: ">") {
        tag.unicodeScalars.append(Unicode.Scalar(bytes[place]))
        place += 1
      }
      while place < bytes.count, bytes[place] != UInt8(ascii: ">") {
        if bytes[place] <= 0x20 || bytes[place] == UInt8(ascii: "/") {
          place += 1
          continue
        }
        attribute(bytes, &place, &tag)
      }
      tags.append(tag)
    }
  }

  private mutating func attribute(_ bytes: [UInt8], _ place: inout Int, _ tag: inout String) {
    var name: [UInt8] = []
    while place < bytes.count, bytes[place] > 0x20, bytes[place] != UInt8(ascii: "="),
      bytes[place] != UInt8(ascii: ">")
    {
      name.append(bytes[place])
      place += 1
    }
    var value: [UInt8] = []
    if place + 1 < bytes.count, bytes[place] == UInt8(ascii: "=") {
      let quote = bytes[place + 1]
      place += 2
      while place < bytes.count, bytes[place] != quote {
        value.append(bytes[place])
        place += 1
      }
      place += 1
    }
    let word = String(decoding: name, as: UTF8.self)
    tag += " " + word
    let text = String(decoding: value, as: UTF8.self)
    if word == "href" || word == "action" { links.append(text) }
    if word == "src" { scripts.append(text) }
  }

  private static func begins(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || [UInt8(ascii: "/"), UInt8(ascii: "!"), UInt8(ascii: "?")].contains(byte)
  }
}

/// Payloads as attackers write them: markup, attributes, schemes, templates, encodings, and
/// characters that hide or reorder text.
enum HostileTexts {
  static let all: [String] = markup + attributes + addresses + templates + characters + encoded

  private static let markup: [String] =
    [
      "<script>alert(1)</script>", "<ScRiPt>alert(1)</sCrIpT>",
      "<script src=//evil.example></script>",
      "</title><script>alert(1)</script>", "</textarea><script>alert(1)</script>",
      "</style><script>alert(1)</script>", "<!--<script>alert(1)</script>-->",
      "--><script>1</script>",
      "<![CDATA[<script>alert(1)</script>]]>", "<?xml version='1.0'?>", "<!doctype html>",
      "<svg onload=alert(1)>", "<svg><script>alert(1)</script></svg>", "<math><mtext></p>",
      "<img src=x onerror=alert(1)>", "<img src=x onerror='alert(1)'", "<iframe src=javascript:1>",
      "<iframe srcdoc='<script>1</script>'>", "<object data=data:text/html,x>", "<embed src=x>",
      "<base href=//evil.example/>", "<meta http-equiv=refresh content='0;url=//evil.example'>",
      "<link rel=stylesheet href=//evil.example>", "<style>*{display:none}</style>",
      "<form action=//evil.example><button>", "<input autofocus onfocus=alert(1)>",
      "<details open ontoggle=alert(1)>", "<video><source onerror=alert(1)>",
      "<body onload=alert(1)>",
      "<marquee onstart=alert(1)>", "<a href=javascript:alert(1)>x</a>", "<template><script>",
      "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>", "<xmp><script>",
      "<plaintext>",
      "<table><td><script>", "<select><option><script>", "<svg><animate onbegin=alert(1)>",
      "<math href=javascript:alert(1)>x</math>", "<isindex action=javascript:alert(1)>",
      "<keygen autofocus>",
      "<frameset onload=alert(1)>", "<portal src=javascript:1>", "<dialog open>", "<slot name=x>",
      "<custom-element>", "</main>", "</body></html>", "</pre>", "</td></tr></table>", "</a>",
      "</h1>",
      "</form><form action=//evil.example>", "<b", "<", "<<", "<<script>>", "< script>", "</", "<!",
      "<?",
    ]

  private static let attributes: [String] = {
    let events = [
      "onerror", "onload", "onclick", "onfocus", "onmouseover", "onanimationend", "onpointerenter",
      "style", "formaction", "srcdoc", "autofocus onfocus", "accesskey=x onclick", "ping", "slot",
    ]
    return events.flatMap { event in
      [
        "\" \(event)=\"alert(1)", "' \(event)='alert(1)", "\"><p \(event)=alert(1)>",
        "` \(event)=`1`",
      ]
    }
  }()

  private static let addresses: [String] =
    [
      "javascript:alert(1)", "JAVASCRIPT:alert(1)", "java\tscript:alert(1)",
      "java\nscript:alert(1)",
      " javascript:alert(1)", "\u{1}javascript:alert(1)", "javascript&colon;alert(1)",
      "javascript&#58;alert(1)", "&#106;avascript:alert(1)", "vbscript:msgbox(1)", "livescript:1",
      "data:text/html,<script>1</script>", "data:text/html;base64,PHNjcmlwdD4=", "blob:https://x/y",
      "file:///etc/passwd", "//evil.example", "///evil.example", "\\\\evil.example",
      "/\\evil.example",
      "http:\n//evil.example", "https://evil.example\" onclick=\"alert(1)",
      "http://[::1]/\"><script>",
      "https://user:pass@evil.example/", "https://evil.example/\u{202E}gpj.exe",
      "http://a.example/'x",
      "https:///evil.example", "https:evil.example", "http:/evil.example",
      "view-source:https://a.example",
      "intent://x#Intent;end", "feed:javascript:1", "jar:https://x!/", "ws://evil.example",
      "about:blank",
    ]

  private static let templates: [String] =
    [
      "{{7*7}}", "${7*7}", "#{7*7}", "<%= 7*7 %>", "{% raw %}",
      "{{constructor.constructor('1')()}}",
      "\\(title)", "%s%n%x", "$(id)", "`id`", "; rm -rf /", "' OR 1=1 --",
      "\"; DROP TABLE items; --",
      "../../etc/passwd", "..\\..\\x", "/dev/null", "%00", "%2e%2e%2f", "=cmd|' /C calc'!A0",
      "@SUM(1)",
    ]

  private static let characters: [String] =
    [
      "\u{0}", "a\u{0}<script>", "\u{8}\u{8}\u{8}", "\u{1B}[2J\u{1B}]0;x\u{7}", "\u{7F}", "\u{85}",
      "\u{9B}31m",
      "\u{200E}", "\u{202A}", "\u{202E}moc.elpmaxe", "\u{2066}x\u{2069}", "\u{61C}", "\u{FEFF}",
      "\u{FFFE}",
      "\u{2028}alert(1)\u{2029}", "\u{E0001}", "\u{FFFD}", "a\u{300}\u{301}\u{302}\u{303}\u{304}",
      "＜script＞alert(1)＜/script＞", "‹script›", "ſcript", "\u{FF1C}img src=x\u{FF1E}", "\u{10FFFF}",
      String(repeating: "<", count: 3_000), String(repeating: "\"'", count: 2_000),
      String(repeating: "&", count: 5_000), String(repeating: "a", count: 20_000),
      "\r\n\r\n<script>", "\t\n\r",
    ]

  private static let encoded: [String] =
    [
      "&lt;script&gt;alert(1)&lt;/script&gt;", "&#60;script&#62;", "&#x3c;script&#x3e;", "&lt",
      "&amp;lt;",
      "&quot; onclick=&quot;alert(1)", "\\u003cscript\\u003e", "\\x3cscript\\x3e", "%3Cscript%3E",
      "+ADw-script+AD4-",
      "&NewLine;", "&Tab;", "&lpar;", "&#0;", "&#xD800;", "&#x110000;", "&bogus;",
      "\u{5C}\"><script>",
    ]
}

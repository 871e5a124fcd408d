import FetchSandbox
import FetchValues
import Glibc
import Testing

@Suite struct CharsetTests {
  private func feed(_ declaration: String, _ title: [UInt8]) -> [UInt8] {
    Array("<?xml version=\"1.0\"\(declaration)?><rss><channel><item><title>".utf8) + title
      + Array("</title></item></channel></rss>".utf8)
  }

  static let encodings: [(String, [UInt8], String)] = [
    ("iso-8859-1", [0xE9, 0x80], "é€"),
    ("ISO-8859-2", [0xB1], "ą"),
    ("iso-8859-15", [0xA4], "€"),
    ("windows-1251", [0xCF, 0xF0, 0xE8], "При"),
    ("koi8-r", [0xF0, 0xD2, 0xC9], "При"),
    ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
    ("euc-jp", [0xC6, 0xFC, 0xCB, 0xDC], "日本"),
    ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], "日"),
    ("gb2312", [0xD6, 0xD0, 0xCE, 0xC4], "中文"),
    ("big5", [0xA4, 0xA4, 0xA4, 0xE5], "中文"),
    ("euc-kr", [0xC7, 0xD1, 0xB1, 0xDB], "한글"),
    ("windows-1255", [0xF9, 0xEC], "של"),
    ("tis-620", [0xE4, 0xB7, 0xC2], "ไทย"),
  ]

  @Test(arguments: encodings) func `a declared encoding is read`(
    name: String, bytes: [UInt8], text: String
  ) throws {
    let declared = try parse(feed(" encoding=\"\(name)\"", bytes))
    #expect(declared.items.first?.title == text)
    let said = try parse(feed("", bytes), contentType: "text/xml; charset=\(name)")
    #expect(said.items.first?.title == text)
  }

  @Test func `UTF-16 and UTF-32 are detected by a byte order mark and by content`() throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"utf-16\"?><rss><item><title>日本</title></item></rss>"
    let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let wide = text.unicodeScalars.flatMap { [0, 0, UInt8($0.value >> 8), UInt8($0.value & 0xFF)] }
    for bytes in [little, big, wide, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big] {
      #expect(try parse(bytes).items.first?.title == "日本")
    }
  }

  @Test func `valid UTF-8 overrides any declaration, and invalid bytes become U+FFFD`() throws {
    let utf8 = try parse(feed(" encoding=\"iso-8859-1\"", Array("日本".utf8)))
    #expect(utf8.items.first?.title == "日本")
    let mixed = Array("日本 ".utf8) + [0x93, 0xE9, 0x94, 0xF0, 0x9F, 0x92]
    for declaration in ["", " encoding=\"utf-8\"", " encoding=\"iso-8859-1\""] {
      let title = try parse(feed(declaration, mixed + Array("日本".utf8))).items.first?.title
      #expect(title == "日本 \u{FFFD}\u{FFFD}\u{FFFD}日本")
    }
  }

  @Test
  func `one byte of windows-1252 in ASCII is decoded if it makes a text, otherwise it is U+FFFD`()
    throws
  {
    for declaration in ["", " encoding=\"utf-8\""] {
      let readings: [([UInt8], String)] = [
        (Array("A caf".utf8) + [0xE9], "A café"), (Array("don".utf8) + [0x92, 0x74], "don’t"),
        (Array("30 ".utf8) + [0xB0, 0x43], "30 °C"), (Array("12 m".utf8) + [0xB2], "12 m²"),
        (Array("hel".utf8) + [0xFF] + Array("lo".utf8), "hel\u{FFFD}lo"),
        (Array("hel".utf8) + [0x80] + Array("lo".utf8), "hel\u{FFFD}lo"),
      ]
      for (bytes, text) in readings {
        #expect(try parse(feed(declaration, bytes)).items.first?.title == text)
      }
    }
  }

  @Test(arguments: ["big5", "euc-kr", "shift_jis", "euc-jp", "windows-874"])
  func `invalid bytes become U+FFFD, and no other bytes are lost`(name: String) throws {
    for bad in [[0xFF], [0xFE, 0x41], [0xC9, 0x3F], [0xA0, 0x20]] as [[UInt8]] {
      let title = Array("a".utf8) + bad + Array("b".utf8)
      let text = try #require(try parse(feed(" encoding=\"\(name)\"", title)).items.first?.title)
      #expect(text.first == "a" && text.last == "b")
      #expect(!text.unicodeScalars.contains { (0xE000...0xF8FF).contains($0.value) })
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 })
    }
  }

  @Test func `an unknown label of an encoding is ignored`() throws {
    let french = Array("D".utf8) + [0xE9] + Array("j".utf8) + [0xE0] + Array(" vu".utf8)
    for label in ["iso-8859-99", "windows-9999", "klingon", ""] {
      #expect(try parse(feed(" encoding=\"\(label)\"", french)).items.first?.title == "Déjà vu")
    }
  }

  /// One label of each encoding in the Encoding Standard, in unusual spelling.
  static let labels: [(String, [UInt8], String)] = [
    (" UTF8 ", [0xC3, 0xA9], "é"), ("CsIBM866", [0x80], "А"), ("l2", [0xB1], "ą"),
    ("latin3", [0xA1], "Ħ"), ("csisolatin4", [0xA2], "ĸ"), ("cyrillic", [0xB0], "А"),
    ("asmo-708", [0xC7], "ا"), ("sun_eu_greek", [0xC1], "Α"), ("visual", [0xE0], "א"),
    ("logical", [0xE0], "א"), ("l6", [0xA1], "Ą"), ("iso8859-13", [0xC0], "Ą"),
    ("iso885914", [0xA1], "Ḃ"), ("l9", [0xA4], "€"), ("iso-8859-16", [0xAA], "Ș"),
    ("koi", [0xC1], "а"), ("koi8-ru", [0xA4], "є"), ("x-mac-roman", [0x8E], "é"),
    ("dos-874", [0xA1], "ก"), ("x-cp1250", [0xB9], "ą"), ("x-cp1251", [0xC0], "А"),
    ("ansi_x3.4-1968", [0x80], "€"), ("cp819", [0x93], "“"), ("x-cp1253", [0xC1], "Α"),
    ("csisolatin5", [0xFE], "ş"), ("x-cp1255", [0xE0], "א"), ("x-cp1256", [0xC7], "ا"),
    ("x-cp1257", [0xE0], "ą"), ("x-cp1258", [0xF5], "ơ"), ("x-mac-ukrainian", [0x80], "А"),
    ("iso-ir-58", [0xD6, 0xD0], "中"), ("GB18030", [0xA8, 0xA6], "é"),
    ("cn-big5", [0xA4, 0xA4], "中"), ("Big5-HKSCS", [0x87, 0x40], "䏰"),
    ("cseucpkdfmtjapanese", [0xC6, 0xFC], "日"), ("windows-31j", [0x93, 0xFA], "日"),
    ("ks_c_5601-1989", [0xC7, 0xD1], "한"), ("x-user-defined", [0xE9], "é"),
    ("csunicode", [0xC3, 0xA9], "é"), ("unicodefffe", [0xC3, 0xA9], "é"),
  ]

  @Test(arguments: labels) func `the labels of the Encoding Standard are supported`(
    label: String, bytes: [UInt8], text: String
  ) throws {
    #expect(try parse(feed(" encoding=\"\(label)\"", bytes)).items.first?.title == text)
  }

  @Test func `a source keeps its encoding from run to run`() throws {
    func read(_ title: [UInt8], state: [UInt8], declared: String = "") throws -> (String?, [UInt8])
    {
      let context = LibraryContext(state: state)
      let results = try call(
        FeedLibrary.functions, "feed.parse",
        [.bytes(feed(declared, title)), ["url": "https://example.org/feed"]], in: context)
      var plugins = ValueWriter()
      plugins.write(["page": 1] as Value)
      let kept = plugins.bytes.withUnsafeBytes { context.added(to: $0) }
      return (results.first?.arrayValue?.first?["title"]?.stringValue, kept ?? plugins.bytes)
    }
    let polish = try encoded("Zażółć gęślą jaźń", "CP1250")
    let short = try encoded("Nowości: ślub", "CP1250")
    let first = try read(polish, state: [])
    #expect(first.0 == "Zażółć gęślą jaźń")
    let doubtful: [UInt8] = [0x53, 0xF8, 0x6E]
    #expect(try read(doubtful, state: []).0 == "Søn")
    #expect(try read(doubtful, state: first.1).0 == "Sřn")
    #expect(try read(short, state: first.1).0 == "Nowości: ślub")
    let ascii = try read(Array("Plain".utf8), state: first.1)
    #expect(try Value(encoded: ascii.1) == Value(encoded: first.1))
    #expect(try Value(encoded: first.1)["page"] == 1)
    let utf8 = try read(Array("Zażółć".utf8), state: first.1)
    #expect(utf8.0 == "Zażółć")
    #expect(try Value(encoded: utf8.1) == ["page": 1])
  }

  static let references: [(String, String)] = [
    ("&#128;", "€"), ("&#150;", "–"), ("&#x96;", "–"), ("&#X80;", "€"), ("&#159;", "Ÿ"),
    ("&#145;a&#146;", "‘a’"),
  ]

  @Test(arguments: references)
  func `numeric references 128 to 159 are windows-1252 in all results of html`(
    written: String, text: String
  ) throws {
    let page = "<p id='x' title='\(written)'>\(written)</p>"
    let context = LibraryContext()
    #expect(try call(HTMLLibrary.functions, "html.text", [.string(page)]) == [.string(text)])
    #expect(try call(HTMLLibrary.functions, "html.unescape", [.string(written)]) == [.string(text)])
    let parsed = try call(HTMLLibrary.functions, "html._parse", [.string(page)], in: context)
    let document = try #require(parsed.first)
    let content = try call(HTMLLibrary.functions, "html._text", [document, parsed[1]], in: context)
    #expect(content == [.string(text)])
    let paths: [Value] = ["string(//p/@title)", "string(//p)"]
    for path in paths {
      let answer = try call(
        HTMLLibrary.functions, "html._find", [document, parsed[1], path, false, nil], in: context)
      #expect(answer == [.string(text)])
    }
  }

  @Test(arguments: encodings)
  func `a declaration in the document is used if the header's UTF-8 is wrong`(
    name: String, bytes: [UInt8], text: String
  ) throws {
    // Text in stateful encodings is ASCII, and therefore also UTF-8.
    if name.hasPrefix("iso-2022") { return }
    let title = bytes + Array(" ".utf8) + bytes
    let found = try parse(
      feed(" encoding=\"\(name)\"", title), contentType: "application/rss+xml; charset=UTF-8")
    #expect(found.items.first?.title == "\(text) \(text)")
  }

  static let undeclared: [(String, String)] = [
    ("koi8-r", "Сегодня в городе прошёл большой праздник, на котором собрались жители"),
    ("windows-1251", "Сегодня в городе прошёл большой праздник, на котором собрались жители"),
    ("euc-jp", "日本のニュースをお届けします"),
    ("Shift_JIS", "日本のニュースをお届けします"),
    ("euc-kr", "오늘 서울에서 열린 회의에서 발표했다"),
    ("gb2312", "今天我们在这里说的是一个国家的问题"),
    ("big5", "今天我們在這裡說的是一個國家的問題"),
    ("windows-1255", "היום אנחנו מדברים על המדינה"),
    ("tis-620", "วันนี้เราพูดถึงประเทศไทย"),
  ]

  @Test(arguments: undeclared) func `an encoding without a declaration is detected by the language`(
    name: String, text: String
  ) throws {
    let bytes = try encoded(text, name)
    #expect(try parse(feed("", bytes)).items.first?.title == text)
  }

  /// Encodes with the system's converter, so that fetchrun's tables are not compared with
  /// themselves.
  private func encoded(_ text: String, _ name: String) throws -> [UInt8] {
    let converter = try #require(iconv_open(name, "UTF-8"))
    defer { iconv_close(converter) }
    var input = Array(text.utf8).map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: input.count * 2)
    let capacity = output.count
    let count = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var from = input.baseAddress
        var to = output.baseAddress
        var inputLeft = input.count
        var outputLeft = capacity
        _ = iconv(converter, &from, &inputLeft, &to, &outputLeft)
        return capacity - outputLeft
      }
    }
    return output.prefix(count).map { UInt8(bitPattern: $0) }
  }

  @Test func `a meta element in an HTML page sets its encoding`() throws {
    let page = Array("<meta charset=koi8-r><p>".utf8) + [0xF0, 0xD2, 0xC9]
    #expect(try call(HTMLLibrary.functions, "html.text", [.bytes(page)]) == ["При"])
  }
}

import FetchModel
import FetchSandbox
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

  @Test func `UTF-16 and UTF-32 are read by mark and by look`() throws {
    let text = "<?xml version=\"1.0\" encoding=\"utf-16\"?><rss><item><title>日本</title></item></rss>"
    let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let wide = text.unicodeScalars.flatMap { [0, 0, UInt8($0.value >> 8), UInt8($0.value & 0xFF)] }
    for bytes in [little, big, wide, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big] {
      #expect(try parse(bytes).items.first?.title == "日本")
    }
  }

  @Test func `valid UTF-8 is UTF-8 whatever is declared, and stray bytes are windows-1252`() throws {
    let utf8 = try parse(feed(" encoding=\"iso-8859-1\"", Array("日本".utf8)))
    #expect(utf8.items.first?.title == "日本")
    let mixed = try parse(feed(" encoding=\"utf-8\"", Array("日本 ".utf8) + [0x93, 0xE9, 0x94]))
    #expect(mixed.items.first?.title == "日本 “é”")
  }

  @Test func `an HTML page's meta element tells its encoding`() throws {
    let page = Array("<meta charset=koi8-r><p>".utf8) + [0xF0, 0xD2, 0xC9]
    #expect(try call(HTMLLibrary.functions, "html.text", [.bytes(page)]) == ["При"])
  }
}

import FetchModel
import FetchSandbox
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

  @Test func `UTF-16 and UTF-32 are read by mark and by look`() throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"utf-16\"?><rss><item><title>日本</title></item></rss>"
    let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let wide = text.unicodeScalars.flatMap { [0, 0, UInt8($0.value >> 8), UInt8($0.value & 0xFF)] }
    for bytes in [little, big, wide, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big] {
      #expect(try parse(bytes).items.first?.title == "日本")
    }
  }

  @Test func `valid UTF-8 is UTF-8 whatever is declared, and stray bytes are windows-1252`() throws
  {
    let utf8 = try parse(feed(" encoding=\"iso-8859-1\"", Array("日本".utf8)))
    #expect(utf8.items.first?.title == "日本")
    let mixed = try parse(feed(" encoding=\"utf-8\"", Array("日本 ".utf8) + [0x93, 0xE9, 0x94]))
    #expect(mixed.items.first?.title == "日本 “é”")
  }

  @Test(arguments: encodings) func `a declaration is right where the header's UTF-8 is not`(
    name: String, bytes: [UInt8], text: String
  ) throws {
    // Stateful encodings are ASCII, and so UTF-8.
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

  @Test(arguments: undeclared) func `an encoding that nobody names is told by its language`(
    name: String, text: String
  ) throws {
    let bytes = try encoded(text, name)
    #expect(try parse(feed("", bytes)).items.first?.title == text)
  }

  /// The system's converter, so that ours is not held against itself.
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

  @Test func `an HTML page's meta element tells its encoding`() throws {
    let page = Array("<meta charset=koi8-r><p>".utf8) + [0xF0, 0xD2, 0xC9]
    #expect(try call(HTMLLibrary.functions, "html.text", [.bytes(page)]) == ["При"])
  }
}

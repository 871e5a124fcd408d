import FetchTestSupport
import FetchValues
import Testing

struct UTF8CheckTests {
  static let sequences: [(bytes: [UInt8], isValid: Bool)] = [
    ([], true), ([0], true), ([0x7F], true), (Array("é".utf8), true), (Array("\u{7FF}".utf8), true),
    (Array("\u{800}".utf8), true), (Array("’".utf8), true), (Array("\u{FFFF}".utf8), true),
    (Array("😀".utf8), true), (Array("\u{10FFFF}".utf8), true), (Array("é’😀é".utf8), true),
    ([0x80], false), ([0xBF], false), ([0xC0, 0x80], false), ([0xC1, 0xBF], false),
    ([0xC2], false), ([0xC2, 0x41], false), ([0xE0, 0x9F, 0xBF], false), ([0xE2, 0x80], false),
    ([0xED, 0xA0, 0x80], false), ([0xF0, 0x8F, 0xBF, 0xBF], false), ([0xF0, 0x9F, 0x98], false),
    ([0xF4, 0x90, 0x80, 0x80], false), ([0xF5, 0x80, 0x80, 0x80], false), ([0xFF], false),
  ]

  /// Texts are checked in blocks of 8 bytes.
  @Test(arguments: sequences) func `a sequence is judged alike at every position of a text`(
    bytes: [UInt8], isValid: Bool
  ) {
    for before in 0...17 {
      for after in [0, 1, 7, 8, 20] {
        let text =
          [UInt8](repeating: 0x61, count: before) + bytes + [UInt8](repeating: 0x62, count: after)
        text.withUnsafeBytes { text in
          let expected = isValid ? String(decoding: text, as: UTF8.self) : nil
          #expect(UTF8Check.text(text) == expected)
          #expect(UTF8Check.firstInvalid(in: text) == (isValid ? nil : before))
        }
      }
    }
  }

  /// Strings are made without another check, so the check must agree with the standard library's.
  @Test func `the check agrees with the standard library on random bytes`() {
    var random = SeededGenerator(seed: 23)
    let bytes: [UInt8] = [
      0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
      0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    var validCount = 0
    for _ in 0..<200_000 {
      var text = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        bytes.randomElement(using: &random) ?? 0
      }
      text.insert(
        contentsOf: [UInt8](repeating: 0x61, count: Int.random(in: 0...9, using: &random)), at: 0)
      let expected = String(validating: text, as: UTF8.self)
      let found = text.withUnsafeBytes { UTF8Check.text($0) }
      if found != expected { Issue.record("\(text)") }
      if expected != nil { validCount += 1 }
    }
    #expect(validCount > 20_000)
  }
}

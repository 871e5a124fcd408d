import FetchValues
import Testing

@Suite struct ShownJSONTests {
  @Test func `only characters on which a terminal would act are escaped`() throws {
    let marks: [UInt32] =
      Array(0x80...0x9F) + [0x061C, 0x200E, 0x200F] + Array(0x202A...0x202E)
      + Array(0x2066...0x2069)
    for number in UInt32(0x20)...0x3000 {
      let scalar = try #require(Unicode.Scalar(number))
      let json = try JSONWriter.text(.string("a\(scalar)b"))
      let shown = ShownJSON.text(json)
      if marks.contains(number) {
        let digits = String(number, radix: 16)
        let zeros = String(repeating: "0", count: 4 - digits.count)
        #expect(shown == "\"a\\u\(zeros)\(digits)b\"")
      } else {
        #expect(shown == json)
      }
    }
  }

  @Test func `the escaped text is read as the same value`() throws {
    let value: Value = [
      "\u{9B}31m": "\u{202E}drowssap\u{2066}x\u{2069}", "é": "\u{85}\u{2019}\u{1F600}",
      "n": [1, nil],
    ]
    let shown = ShownJSON.text(try JSONWriter.text(value))
    #expect(
      shown == #"{"\u009b31m":"\u202edrowssap\u2066x\u2069","é":"\u0085’😀","n":[1,null]}"#)
    #expect(try JSONReader.decode(Array(shown.utf8)) == value)
  }

  @Test func `characters at every place are escaped, also in bytes`() {
    for before in 0..<20 {
      for mark in ["\u{85}", "\u{61C}", "\u{202E}", "é", "\u{2019}"] {
        let text = String(repeating: "x", count: before) + mark + "yyyyyyyyyyyyy" + mark
        let shown = text.unicodeScalars.map { scalar in
          ["é", "\u{2019}", "x", "y"].contains(scalar)
            ? String(scalar)
            : "\\u"
              + String(
                repeating: "0", count: scalar.value < 0x100 ? 2 : scalar.value < 0x1000 ? 1 : 0)
              + String(scalar.value, radix: 16)
        }.joined()
        #expect(ShownJSON.text(text) == shown)
        var bytes = Array("[".utf8)
        ShownJSON.append(Array(text.utf8), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "[" + shown)
      }
    }
  }

  @Test(arguments: ["", "{}", "\"é\"", "[\"\u{10FFFF}\"]"])
  func `text without such characters is unchanged`(json: String) {
    #expect(ShownJSON.text(json) == json)
  }
}

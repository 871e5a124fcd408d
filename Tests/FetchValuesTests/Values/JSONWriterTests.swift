import FetchValues
import Testing

struct JSONWriterTests {
  static let texts: [(value: Value, text: String)] = [
    (nil, "null"), (true, "true"), (.integer(.min), "-9223372036854775808"), (1.0, "1.0"),
    (.number(-0.0), "-0.0"), (0.1, "0.1"), (.number(1e300), "1e+300"),
    (.number(.leastNonzeroMagnitude), "5e-324"), ("a/b", "\"a/b\""),
    ("\"\\\u{8}\u{C}\n\r\t\u{1}\u{7F}é", "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\u{7F}é\""),
    ([], "[]"), ([:], "{}"), ([1, [nil]], "[1,[null]]"),
    (["b": 1, "a": ["x"]], #"{"b":1,"a":["x"]}"#),
  ]

  @Test(arguments: texts) func `values are written compactly, from trees and from bytes`(
    value: Value, text: String
  ) throws {
    #expect(try JSONWriter.text(value) == text)
    #expect(try transcoded(value) == text)
  }

  /// Texts are written in blocks of 8 bytes.
  @Test(arguments: [("\"", "\\\""), ("\\", "\\\\"), ("\n", "\\n"), ("\u{1F}\"", "\\u001f\\\"")])
  func `a character is escaped at every position`(character: String, escape: String) throws {
    for place in 0..<24 {
      let head = String(repeating: "a", count: place)
      let tail = String(repeating: "z", count: 24 - place)
      let value = Value.string(head + character + tail)
      #expect(try JSONWriter.text(value) == "\"\(head)\(escape)\(tail)\"")
    }
  }

  @Test func `pretty text has sorted names and an indent of two spaces`() throws {
    let options = JSONWriter.Options(isPretty: true, sortsKeys: true)
    let value: Value = ["b": [1, [:]], "a": [], "é": ["x": nil]]
    let text = """
      {
        "a": [],
        "b": [
          1,
          {}
        ],
        "é": {
          "x": null
        }
      }
      """
    #expect(try JSONWriter.text(value, options: options) == text)
    #expect(try transcoded(value, options) == text)
  }

  static let refused: [(value: Value, problem: String)] = [
    (.number(.nan), "a number is NaN"), ([.number(.infinity)], "a number is infinite"),
    (["a": .bytes([0xC3])], "a string is not valid UTF-8"),
  ]

  @Test(arguments: refused) func `values that JSON cannot express are errors`(
    value: Value, problem: String
  ) throws {
    for write in [{ _ = try JSONWriter.text(value) }, { _ = try self.transcoded(value) }] {
      let error = #expect(throws: JSONError.self) { try write() }
      #expect(error.map { "\($0)" } == "the value cannot be written as JSON: \(problem)")
    }
  }

  @Test func `numbers are unchanged after they were written and read`() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite else { continue }
      let text = try JSONWriter.text(.number(number))
      #expect(try JSONReader.decode(text).numberValue?.bitPattern == number.bitPattern, "\(text)")
    }
  }

  private func transcoded(
    _ value: Value, _ options: JSONWriter.Options = .init()
  ) throws -> String {
    var encoded = ValueWriter()
    encoded.write(value)
    return try encoded.bytes.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      var writer = JSONWriter(options: options)
      try writer.write(from: &reader)
      #expect(reader.isAtEnd)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
  }
}

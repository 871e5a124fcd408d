import FetchValues
import Testing

struct JSONReaderTests {
  static let values: [(text: String, value: Value)] = [
    ("null", nil), ("true", true), ("false", false), (" 1 ", 1), ("-0", .number(-0.0)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .number(9223372036854775808)),
    ("18446744073709551616", .number(18446744073709551616)), ("1.0", 1.0), ("1e2", 100.0),
    ("0.1", 0.1),
    ("123456789012345678901234567890", .number(123_456_789_012_345_677_877_719_597_056)),
    ("2.2250738585072011e-308", .number(Double.leastNormalMagnitude.nextDown)),
    ("5e-324", .number(.leastNonzeroMagnitude)), ("1e-400", 0.0),
    ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
    (#""""#, ""), (#""\u00e9\n\/\"\\""#, "é\n/\"\\"), (#""\ud83d\ude00""#, "😀"),
    (#""\ud83d""#, "\u{FFFD}"), (#""\ude00x""#, "\u{FFFD}x"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
    (#""\u0000""#, "\u{0}"), ("[]", []), ("{}", [:]), ("[[],{}]", [[], [:]]),
    ("[1,[2,[3]],4]", [1, [2, [3]], 4]),
    (#"{"a":1,"b":{"c":[null]}}"#, ["a": 1, "b": ["c": [nil]]]),
    ("\u{FEFF}{}", [:]), ("\t\r\n 1", 1),
  ]

  @Test(arguments: values) func `JSON text is read as its value`(text: String, value: Value) throws
  {
    #expect(try JSONReader.decode(text) == value)
  }

  static let faults: [(text: String, message: String)] = [
    ("", "invalid JSON at line 1 column 1: the text ends before a value is complete"),
    (
      "{\n  \"a\": 1,\n  \"é\": x}",
      "invalid JSON at line 3 column 8: expected a value, but found 'x'"
    ),
    ("[1,]", "invalid JSON at line 1 column 4: expected a value, but found ']'"),
    ("[1 2]", "invalid JSON at line 1 column 4: expected ',' or ']', but found '2'"),
    ("{\"a\":1]", "invalid JSON at line 1 column 7: expected ',' or '}', but found ']'"),
    ("{a:1}", "invalid JSON at line 1 column 2: expected a name in double quotes, but found 'a'"),
    (
      "{\"a\",1}",
      "invalid JSON at line 1 column 5: expected ':' after the name, but found ','"
    ),
    ("[1", "invalid JSON at line 1 column 3: the text ends within a list"),
    ("\"a", "invalid JSON at line 1 column 3: the text ends within a string"),
    ("\"a\nb\"", "invalid JSON at line 1 column 3: byte 0x0A must be escaped within a string"),
    (#""\x""#, "invalid JSON at line 1 column 2: a string has an unknown escape"),
    (
      #""\u12g4""#,
      "invalid JSON at line 1 column 2: \\u must be followed by four hexadecimal digits"
    ),
    ("01", "invalid JSON at line 1 column 2: a number must not begin with a zero"),
    ("1.", "invalid JSON at line 1 column 3: the number lacks a digit"),
    ("-", "invalid JSON at line 1 column 2: the number lacks a digit"),
    ("1e999", "invalid JSON at line 1 column 1: the number is beyond the range of a double"),
    ("1 2", "invalid JSON at line 1 column 3: there is more text after the value"),
    ("nul", "invalid JSON at line 1 column 1: the text ends before a value is complete"),
    ("nux", "invalid JSON at line 1 column 1: expected a value, but found 'n'"),
    ("[fal]", "invalid JSON at line 1 column 2: expected a value, but found 'f'"),
  ]

  @Test(arguments: faults) func `a syntax error has its line and column`(
    text: String, message: String
  ) {
    let error = #expect(throws: JSONError.self) { try JSONReader.decode(text) }
    #expect(error.map { "\($0)" } == message)
  }

  @Test func `a large exponent is not shortened, whatever digits stand before it`() throws {
    let digits = "0." + String(repeating: "0", count: 999_999) + "1"
    #expect(try JSONReader.decode(digits + "e1000001") == 10.0)
    let error = #expect(throws: JSONError.self) { try JSONReader.decode(digits + "e10000000") }
    #expect(
      error.map { "\($0)" }
        == "invalid JSON at line 1 column 1: the number is beyond the range of a double")
    #expect(try JSONReader.decode("1e-" + String(repeating: "9", count: 100)) == 0.0)
  }

  @Test func `bytes that are not UTF-8 are refused with their position`() {
    let error = #expect(throws: JSONError.self) {
      try JSONReader.decode(Array("[\"abcdefghij".utf8) + [0xFF] + Array("\"]".utf8))
    }
    #expect(error?.place?.offset == 12)
  }

  @Test func `a text that is too long is refused before it is read`() {
    let error = #expect(throws: JSONError.self) {
      var writer = ValueWriter()
      let byte = [UInt8(ascii: "1")]
      try byte.withUnsafeBytes { byte in
        let text = UnsafeRawBufferPointer(
          start: byte.baseAddress, count: JSONReader.textBytesMax + 1)
        try JSONReader.decode(text, into: &writer)
      }
    }
    #expect(error.map { "\($0)" } == "the text is longer than 1073741824 bytes")
  }

  @Test func `the last of several equal names counts, compared by bytes`() throws {
    let value = try JSONReader.decode(
      "{\"a\":1,\"\\u00e9\":2,\"e\\u0301\":3,\"a\":{\"b\":1,\"b\":2}}")
    #expect(value.objectValue?.count == 3)
    #expect(value["a"] == ["b": 2])
  }

  @Test func `nesting beyond the limit is refused`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try JSONReader.decode(nested(256)) }
    #expect(throws: JSONError.self) { try JSONReader.decode(nested(257)) }
    #expect(throws: JSONError.self) {
      try JSONReader.decode(String(repeating: "{\"a\":[", count: 1_000_000))
    }
  }

  @Test func `every truncated text is an error, never a trap`() throws {
    let text = Array(#"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00é",true,false,null],"b":{}}"#.utf8)
    for count in 0..<text.count {
      #expect(throws: JSONError.self) { try JSONReader.decode(Array(text[..<count])) }
    }
    #expect(throws: Never.self) { try JSONReader.decode(text) }
  }

  @Test func `strings of every length are read, with and without escapes`() throws {
    for count in 0...600 {
      let plain = String(repeating: "a", count: count)
      #expect(try JSONReader.decode("\"\(plain)\"") == .string(plain))
      #expect(try JSONReader.decode("\"\(plain)\\n\(plain)é\"") == .string("\(plain)\n\(plain)é"))
    }
  }
}

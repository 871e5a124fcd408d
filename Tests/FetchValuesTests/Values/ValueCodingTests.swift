import FetchValues
import Testing

@Suite struct ValueCodingTests {
  static let samples: [Value] = [
    nil, true, false, 0, -128, 127, 128, .integer(.min), .integer(.max), 0.5, .number(-0.0),
    "", "ä", .string(String(repeating: "x", count: 255)),
    .string(String(repeating: "x", count: 256)),
    .bytes([0xFF, 0xFE]), [], [1, [2, [nil]]], [:], ["a": 1, "b": ["c": [nil, "x"]]],
  ]

  @Test(arguments: samples) func `a value is unchanged after it was encoded and decoded`(
    value: Value
  ) throws {
    var writer = ValueWriter()
    writer.write(value)
    let back = try writer.bytes.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      let value = try reader.readValue()
      #expect(reader.isAtEnd)
      return value
    }
    #expect(back == value)
  }

  @Test(arguments: samples) func `every truncated value is an error, never a trap`(
    value: Value
  ) {
    var writer = ValueWriter()
    writer.write(value)
    for count in 0..<writer.bytes.count {
      writer.bytes[..<count].withUnsafeBytes { bytes in
        var reader = ValueReader(bytes)
        #expect(throws: ValueError.self) { try reader.readValue() }
      }
    }
  }

  @Test func `a count that exceeds the remaining bytes is refused before memory is reserved`() {
    let lie: [UInt8] = [ValueTag.array, 0xFF, 0xFF, 0xFF, 0xFF, 0]
    lie.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      #expect(throws: ValueError.truncated) { try reader.readValue() }
    }
  }

  @Test func `ids that differ only in their Unicode normalisation are different`() {
    #expect(Value.string("\u{E9}") != Value.string("e\u{301}"))
  }
}

import FetchModel
import FetchValues
import Testing

@Suite struct SecretTextTests {
  static func text(_ json: String) throws -> SecretText {
    try SecretText(wire: try JSONReader.decode(json))
  }

  @Test func `the wire's form is read back unchanged`() throws {
    let text = SecretText([
      .text("Bearer "), .secret(name: "token", spelling: .plain),
      .secret(name: "key.2", spelling: .url),
    ])
    #expect(try SecretText(wire: text.wire) == text)
    #expect(text.names == ["token", "key.2"])
    #expect(try Self.text(#""plain""#) == SecretText([.text("plain")]))
  }

  static let wrong = [
    (#"7"#, "must be text, not an integer"),
    (#"{"$secret":["a"],"other":1}"#, "must be text, not a table"),
    (#"{"$secret":"token"}"#, "must be text, not a table"),
    (#"{"$secret":[]}"#, "must be text, not a table"),
    (#"{"$secret":[7]}"#, "has a part that is neither text nor a secret"),
    (#"{"$secret":[{"name":"../x"}]}"#, "has a part that is neither text nor a secret"),
    (#"{"$secret":[{"name":"a","as":"rot13"}]}"#, "has a part that is neither text nor a secret"),
    (#"{"$secret":[{"$secret":["a"]}]}"#, "has a part that is neither text nor a secret"),
  ]

  @Test(arguments: wrong.indices) func `a worker's value is not trusted`(index: Int) throws {
    let (json, message) = Self.wrong[index]
    #expect(throws: SecretProblem(message)) { try Self.text(json) }
  }

  @Test func `too many parts are refused`() {
    let parts = [Value](repeating: "a", count: SecretText.partsMax + 1)
    #expect(throws: SecretProblem("has more than 64 parts")) {
      try SecretText(wire: .object(ValueObject([("$secret", .array(parts))])))
    }
  }

  @Test(arguments: ["", "a b", "é", ".hidden", "a/b", String(repeating: "a", count: 65)])
  func `such names are not allowed`(name: String) { #expect(!SecretName.isValid(name)) }

  @Test func `a read value loses one line end and nothing else`() throws {
    #expect(try SecretValue(read: Array(" a\n\r\n".utf8)).text == " a\n")
    for (bytes, message) in [
      ([], "is empty"), ([0x0A], "is empty"), ([0x61, 0], "is not UTF-8 text"),
      ([0xFF], "is not UTF-8 text"),
      ([UInt8](repeating: 0x61, count: 65_537), "is longer than 65536 bytes"),
    ] as [([UInt8], String)] {
      #expect(throws: SecretProblem(message)) { try SecretValue(read: bytes) }
    }
  }
}

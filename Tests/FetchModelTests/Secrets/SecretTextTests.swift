import FetchModel
import FetchValues
import Testing

@Suite struct SecretTextTests {
  static func text(_ json: String) throws -> SecretText {
    try SecretText(wire: try JSONReader.decode(json))
  }

  @Test func `a text with secrets is read back from its form on the wire`() throws {
    let text = SecretText([
      .text("Bearer "), .secret(name: "token", spelling: .plain),
      .secret(name: "key.2", spelling: .url),
    ])
    #expect(try SecretText(wire: text.wire) == text)
    #expect(text.names == ["token", "key.2"])
    #expect(try Self.text(#""plain""#) == SecretText([.text("plain")]))
  }

  static let wrong = [
    (#"7"#, "must be a string or a secret, not an integer"),
    (#"{"$secret":["a"],"other":1}"#, "must be a string or a secret, not a table"),
    (#"{"$secret":"token"}"#, "must be a string or a secret, not a table"),
    (#"{"$secret":[]}"#, "must be a string or a secret, not a table"),
    (#"{"$secret":[7]}"#, "has a part that is neither text nor a secret"),
    (#"{"$secret":[{"name":"../x"}]}"#, "has a part that is neither text nor a secret"),
    (#"{"$secret":[{"name":"a","as":"rot13"}]}"#, "has a part that is neither text nor a secret"),
    (#"{"$secret":[{"$secret":["a"]}]}"#, "has a part that is neither text nor a secret"),
  ]

  @Test(arguments: wrong.indices) func `an invalid form from a worker is refused`(index: Int) throws
  {
    let (json, message) = Self.wrong[index]
    #expect(throws: SecretProblem(message)) { try Self.text(json) }
  }

  @Test func `a text with too many parts is refused`() {
    let parts = [Value](repeating: "a", count: SecretText.partsMax + 1)
    #expect(throws: SecretProblem("consists of more than 64 texts and secrets")) {
      try SecretText(wire: .object(ValueObject([("$secret", .array(parts))])))
    }
  }

  @Test(arguments: ["", "a b", "é", ".hidden", "a/b", String(repeating: "a", count: 65)])
  func `invalid names of secrets are refused`(name: String) { #expect(!SecretName.isValid(name)) }

  @Test func `the value of a read secret loses one line ending and nothing else`() throws {
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

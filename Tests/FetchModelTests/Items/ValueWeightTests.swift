import FetchModel
import FetchValues
import Testing

struct ValueWeightTests {
  private static func weight(_ value: Value, max: Int = .max) throws -> Int {
    var weight = ValueWeight(bytesMax: max)
    try value.encoded.withUnsafeBytes { try weight.add($0) }
    return weight.bytes
  }

  private static func weight(ofItem value: Value) throws -> Int {
    var weight = ValueWeight(bytesMax: .max)
    try value.encoded.withUnsafeBytes { try weight.add(items: $0) }
    return weight.bytes
  }

  @Test func `a list weighs far more in memory than its bytes on the wire`() throws {
    let list = Value.array(Array(repeating: true, count: 1000))
    #expect(list.encoded.count == 1005)
    #expect(try Self.weight(list) == 1001 * 48 + 64)
  }

  @Test(
    arguments: [
      true, nil, -5, 1e300, "", "short", .string(String(repeating: "long ", count: 20)),
      [], [[], [true]], ["a": 1, "a name of some length": ["b": [1.5, "x"]]],
      .string(String(repeating: "\u{1}", count: 100)), .bytes([255, 0, 255]),
    ] as [Value])
  func `a value weighs at least its JSON`(value: Value) throws {
    var item = ParsedItem()
    item.fields.append("value", value)
    #expect(try Self.weight(["value": value]) >= item.fieldsJSON.count)
  }

  @Test func `control characters are counted at every position`() throws {
    for length in [15, 16, 17, 31, 32, 40] {
      for place in 0..<length {
        var bytes = [UInt8](repeating: 0x41, count: length)
        let plain = try Self.weight(.string(String(decoding: bytes, as: UTF8.self)))
        bytes[place] = 0x1F
        #expect(try Self.weight(.string(String(decoding: bytes, as: UTF8.self))) == plain + 5)
      }
    }
  }

  @Test func `an ordinary text weighs little more than its bytes`() throws {
    let text = String(repeating: "x", count: 10_000)
    #expect(try Self.weight(.string(text)) < 10_200)
    #expect(try Self.weight(ofItem: ["id": "1", "content": .string(text)]) < 10_500)
  }

  @Test func `a hundred thousand ordinary items are within the usual limit`() throws {
    let item: Value = [
      "id": "https://example.org/items/123456", "title": "A headline of the usual length, or so",
      "url": "https://example.org/items/123456", "published": "2026-11-23T10:00:00Z",
    ]
    #expect(try 100_000 * Self.weight(ofItem: item) <= RunLimits().resultWeight)
  }

  @Test func `weighing stops soon after the limit is exceeded`() throws {
    let list = Value.array(Array(repeating: .array(Array(repeating: true, count: 100)), count: 100))
    let weight = try Self.weight(list, max: 5000)
    #expect(weight > 5000)
    #expect(weight < 5300)
  }

  @Test func `bytes that are not an encoded value are an error`() {
    let deep = [UInt8](repeating: ValueTag.array, count: 1) + [1, 0, 0, 0]
    let broken: [[UInt8]] = [
      [99], [ValueTag.array, 9, 0, 0, 0], [ValueTag.string, 255, 255, 255, 255],
      Array(repeatElement(deep, count: 200).joined()),
    ]
    for bytes in broken {
      var weight = ValueWeight(bytesMax: .max)
      #expect(throws: ValueError.self) { try bytes.withUnsafeBytes { try weight.add($0) } }
      #expect(throws: ValueError.self) { try bytes.withUnsafeBytes { try weight.add(items: $0) } }
    }
  }
}

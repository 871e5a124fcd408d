import FetchTestSupport
import FetchValues
import Testing

@Suite(.enabled(if: ConformanceFolder.fromEnvironment != nil, "FETCHRUN_CONFORMANCE is not set"))
struct JSONConformanceTests {
  @Test func `valid texts are accepted, invalid ones refused`() throws {
    let folder = try #require(ConformanceFolder.fromEnvironment)
    let cases = try folder.cases(of: "json/cases.jsonl")
    #expect(cases.count > 300)
    for testCase in cases {
      let input = try #require(ConformanceFolder.jsonInput(of: testCase))
      let value = try? JSONReader.decode(input)
      switch testCase["expect"]?.stringValue {
      case "accept": #expect(value != nil, "\(testCase["id"]?.stringValue ?? "")")
      case "reject": #expect(value == nil, "\(testCase["id"]?.stringValue ?? "")")
      default: break
      }
    }
  }

  @Test func `numbers are the nearest double`() throws {
    let folder = try #require(ConformanceFolder.fromEnvironment)
    let numbers = try JSONReader.decode(folder.bytes(of: "json/numbers.json")).arrayValue ?? []
    let expected = try folder.bytes(of: "json/numbers.expected.txt")
      .split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    try #require(numbers.count == expected.count)
    for (number, pattern) in zip(numbers, expected) {
      #expect(number.numberValue?.bitPattern == UInt64(pattern, radix: 16))
    }
  }
}

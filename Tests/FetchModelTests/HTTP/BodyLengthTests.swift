import FetchModel
import FetchValues
import Testing

@Suite struct BodyLengthTests {
  private func length(_ values: [String], _ other: [HTTPField] = []) -> BodyLength {
    BodyLength(values.map { HTTPField("content-length", $0) } + other)
  }

  @Test(arguments: [
    [], ["0"], ["407"], ["407", "407"], ["407, 407"], ["407,407", "407"], ["0407", "407"],
    ["9223372036854775807"],
  ]) func `a length that is repeated unchanged is clear`(values: [String]) {
    #expect(length(values) == .clear)
  }

  @Test(arguments: [
    ["407", "5"], ["407, 5"], ["+5"], ["-5"], [""], ["5,"], [",5"], ["5 6"], ["5abc"], ["0x5"],
    ["5.0"], ["٥"], ["abc"], ["9223372036854775808"], ["5", "+5"],
  ]) func `different lengths and invalid numbers are not clear`(values: [String]) {
    #expect(length(values) == .unclear)
  }

  @Test(arguments: ["chunked", "Chunked", "gzip, chunked"])
  func `chunked encoding overrides any length`(coding: String) {
    let field = HTTPField("transfer-encoding", coding)
    #expect(length(["5"], [field]) == .overridden)
    #expect(length(["5", "6"], [field]) == .overridden)
    #expect(length([], [field]) == .clear)
  }

  @Test(arguments: ["identity", "gzip", "xchunked"])
  func `another transfer coding overrides no length`(coding: String) {
    let field = HTTPField("transfer-encoding", coding)
    #expect(length(["5"], [field]) == .clear)
    #expect(length(["5, 6"], [field]) == .unclear)
  }
}

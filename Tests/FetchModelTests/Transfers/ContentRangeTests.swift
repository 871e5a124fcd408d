import FetchModel
import FetchValues
import Testing

@Suite struct ContentRangeTests {
  @Test(
    arguments: [
      ("bytes 0-499/1234", 0..<500, 1234), ("bytes 5-5/*", 5..<6, nil), ("bytes */1234", nil, 1234),
      ("BYTES 0-0/1", 0..<1, 1), ("  bytes 1-2/3 ", 1..<3, 3),
      ("bytes 0-999999999999/1000000000000", 0..<1_000_000_000_000, 1_000_000_000_000),
    ] as [(String, Range<Int64>?, Int64?)])
  func `ranges of bytes are parsed`(text: String, bytes: Range<Int64>?, total: Int64?) {
    #expect(ContentRange(parsing: text) == ContentRange(bytes: bytes, totalBytes: total))
  }

  @Test(arguments: [
    "", "bytes", "bytes 0-499", "0-499/1234", "items 0-1/2", "bytes 9-3/10", "bytes 0-10/10",
    "bytes 0-499/", "bytes -1/5", "bytes 1-/5", "bytes 0x1-2/5", "bytes 1-2-3/5", "bytes 1-2/3/4",
    "bytes 0-9223372036854775807/*", "bytes 99999999999999999999-1/*", "bytes +1-2/3",
    "bytes 0-1/１２",
  ]) func `invalid ranges are refused`(text: String) {
    #expect(ContentRange(parsing: text) == nil)
  }
}

import FetchHost
import FetchModel
import FetchValues
import Testing

/// Tests of a worker's verdicts on items, which are read as strictly as items.
struct ItemVerdictTests {
  private static func bytes(_ values: Value...) -> [UInt8] {
    var writer = ValueWriter()
    for value in values { writer.write(value) }
    return writer.bytes
  }

  @Test func `each item has its verdict`() throws {
    var changed = ParsedItem()
    (changed.id, changed.title) = ("a", "A")
    let bytes = Self.bytes(false, true, ["id": "a", "title": "A"], ["title": 7])
    #expect(
      try ItemVerdict.read(bytes, count: 4, number: 201, RunLimits()) == [
        .dropped, .kept, .changed(changed),
        .refused("item 204 'title': string expected, got integer"),
      ])
  }

  @Test func `a number of verdicts other than that of the items is refused`() {
    for count in [0, 1, 3, 1_000_000] {
      #expect(throws: ValueError.self) {
        try ItemVerdict.read(Self.bytes(true, false), count: count, number: 1, RunLimits())
      }
    }
    #expect(throws: Never.self) { try ItemVerdict.read([], count: 0, number: 1, RunLimits()) }
  }

  @Test func `bytes that are not values are refused`() {
    let good = Self.bytes(["id": "a", "title": "A"], true)
    for end in 1..<good.count {
      #expect(throws: ValueError.self) {
        try ItemVerdict.read(Array(good[..<end]), count: 2, number: 1, RunLimits())
      }
    }
    for byte in 0...UInt8.max {
      // Any bytes must give an error or verdicts, never a trap.
      _ = try? ItemVerdict.read([byte] + good, count: 3, number: 1, RunLimits())
      _ = try? ItemVerdict.read(
        [6, byte, byte, byte, byte] + good, count: 3, number: 1, RunLimits())
    }
  }

  @Test func `an item is unchanged after it was encoded and read back`() throws {
    var item = ParsedItem()
    item.id = "1"
    item.title = "ä"
    item.tags = ["x", "y"]
    item.fields = ValueObject([("n", 1.5), ("deep", ["a": [1, true, "t"]])])
    var writer = ValueWriter()
    item.encode(&writer)
    #expect(
      try ItemVerdict.read(writer.bytes, count: 1, number: 1, RunLimits()) == [.changed(item)])
  }
}

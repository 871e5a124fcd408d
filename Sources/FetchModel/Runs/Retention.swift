package import FetchValues

/// How much a store keeps. Of days and versions, `nil` keeps for ever.
package struct Retention: Equatable, Sendable {
  /// Versions of an item that changed again and again, the current one included; at least one.
  package var versionCount: Int? = 20
  /// Run records, and what belongs to them.
  package var runDays: Int? = 90
  /// Items that their source has not shown for so long lose their content; a tombstone stays.
  package var itemDays: Int?
  /// Tombstones, and removed items. A source that shows an item again after this makes it news again.
  package var tombstoneDays: Int? = 365
  /// How large the store's file may become; nil: `bytesUsual`, or what its disk has room for.
  package var bytesMax: Int64?
  /// What the items of one job may take, with their versions; nil: a quarter of the whole.
  package var jobBytesMax: Int64?

  package init() {}

  /// Enough for millions of items, and as much as the files of one job may take.
  package static let bytesUsual: Int64 = 10_000_000_000
  /// A store needs so much to be of use.
  package static let bytesMin: Int64 = 1_000_000
  package static let daysMax = 36_500
  package static let versionsMax = 36_500

  /// What is kept where the store has little room left: nothing that would be news again without it,
  /// and no current version of an item.
  package var underPressure: Retention {
    var tight = self
    tight.versionCount = 1
    tight.runDays = 1
    return tight
  }
}

extension Retention {
  /// As a store remembers it.
  package func encode(into writer: inout ValueWriter) {
    let numbers = [
      versionCount.map(Int64.init), runDays.map(Int64.init), itemDays.map(Int64.init),
      tombstoneDays.map(Int64.init), bytesMax, jobBytesMax,
    ]
    writer.beginArray(count: numbers.count)
    for number in numbers {
      if let number { writer.write(number) } else { writer.writeNull() }
    }
  }

  package init(from reader: inout ValueReader) throws(ValueError) {
    guard try reader.readArrayHead() == 6 else { throw .truncated }
    var numbers: [Int64?] = []
    for _ in 0..<6 { numbers.append(try reader.readOptionalInteger()) }
    versionCount = numbers[0].map { Int(clamping: $0) }
    runDays = numbers[1].map { Int(clamping: $0) }
    itemDays = numbers[2].map { Int(clamping: $0) }
    tombstoneDays = numbers[3].map { Int(clamping: $0) }
    bytesMax = numbers[4]
    jobBytesMax = numbers[5]
  }
}

extension ValueReader {
  /// A whole number, or nil where null stands.
  package mutating func readOptionalInteger() throws(ValueError) -> Int64? {
    guard try peekTag() != ValueTag.null else {
      try skipValue()
      return nil
    }
    return try readInteger()
  }
}

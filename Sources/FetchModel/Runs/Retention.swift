package import FetchValues

/// The amount of data that a store keeps. For days and versions, `nil` means forever.
package struct Retention: Equatable, Sendable {
  /// The versions of an item, including the current one; at least one.
  package var versionCount: Int? = 20
  /// Run records and their details.
  package var runDays: Int? = 90
  /// Items that their source has not shown for that long lose their content; a tombstone stays.
  package var itemDays: Int?
  /// Tombstones and removed items. An item that its source shows again after this is news again.
  package var tombstoneDays: Int? = 365
  /// The largest size of the store's file; nil for `bytesUsual`, or less if the disk has less room.
  package var bytesMax: Int64?
  /// The most that one job's items may take, with their versions; nil for a quarter of the whole.
  package var jobBytesMax: Int64?

  package init() {}

  /// Enough for millions of items; the same as the limit for the files of one job.
  package static let bytesUsual: Int64 = 10_000_000_000
  /// The least size of a useful store.
  package static let bytesMin: Int64 = 1_000_000
  package static let daysMax = 36_500
  package static let versionsMax = 36_500

  /// The retention if the store has little room left. It deletes nothing that would become news
  /// again, and no current version of an item.
  package var underPressure: Retention {
    var tight = self
    tight.versionCount = 1
    tight.runDays = 1
    return tight
  }
}

extension Retention {
  /// Encodes it for the store.
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
  /// Reads a whole number; nil for null.
  package mutating func readOptionalInteger() throws(ValueError) -> Int64? {
    guard try peekTag() != ValueTag.null else {
      try skipValue()
      return nil
    }
    return try readInteger()
  }
}

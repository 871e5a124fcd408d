package import FetchValues

/// The rules for how much data a store keeps. If a number of days or versions is nil, the data is
/// kept without this limit.
package struct Retention: Equatable, Sendable {
  /// The maximum number of versions that are kept for each item, including the current version; at
  /// least one.
  package var versionCount: Int? = 20
  /// The number of days after which the store removes run records and their details, given-up
  /// deliveries, and ended transfers of which no plugin must still be notified.
  package var runDays: Int? = 90
  /// The minimum number of days for which an item's content is kept after the source last showed
  /// the item; nil for no limit. For an item that the source has removed, `tombstoneDays` applies
  /// instead if it is shorter. The days are counted up to the last time at which the source showed
  /// any item of the job. The content may be kept about a week longer. After its removal, at most a
  /// tombstone remains.
  package var itemDays: Int?
  /// The minimum number of days for which tombstones and removed items are kept, counted as for
  /// `itemDays`. An item that the source shows after its tombstone is deleted counts as new again.
  package var tombstoneDays: Int? = 365
  /// The maximum size of the store, in bytes. For SQLite, nil means `bytesUsual`, or less if the
  /// disk has little free space. For PostgreSQL, nil means no limit.
  package var bytesMax: Int64?
  /// The maximum size of one job's items with their versions, in bytes; nil for a quarter of the
  /// store's maximum size. A PostgreSQL store without a maximum size then uses 4 GiB.
  package var jobBytesMax: Int64?

  package init() {}

  /// The default maximum size of a store, in bytes. It is enough for millions of items.
  package static let bytesUsual: Int64 = 10_000_000_000
  /// The minimum value of `keep.size` and `keep.job_size`, in bytes.
  package static let bytesMin: Int64 = 1_000_000
  package static let daysMax = 36_500
  package static let versionsMax = 36_500

  /// The retention for a store with little room left: 1 for `versionCount` and for `runDays`. The
  /// rules for items and tombstones are unchanged, because a deleted item counts as new when the
  /// source shows it again.
  package var underPressure: Retention {
    var tight = self
    tight.versionCount = 1
    tight.runDays = 1
    return tight
  }
}

extension Retention: StoredCoding {
  package func encode(into writer: inout ValueWriter) {
    let numbers = [
      versionCount.map(Int64.init), runDays.map(Int64.init), itemDays.map(Int64.init),
      tombstoneDays.map(Int64.init), bytesMax, jobBytesMax,
    ]
    writer.beginArray(count: numbers.count)
    for number in numbers { writer.writeOptional(number) }
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

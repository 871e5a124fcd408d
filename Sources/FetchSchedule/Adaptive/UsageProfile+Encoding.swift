package import FetchValues

extension UsageProfile {
  private static let version: Int64 = 1
  private static let fieldCount = 5

  /// One list of a fixed number of fields; what `init(from:)` makes of it is equal to this.
  package func encode(into writer: inout ValueWriter) {
    writer.beginArray(count: Self.fieldCount)
    writer.write(Self.version)
    writer.write(bytes: SparseCounts.encode(counts))
    writer.write(weekdays)
    writer.write(weekends)
    writer.write(instant: watchedUntil)
  }

  package init(from reader: inout ValueReader) throws(ValueError) {
    try reader.readFields(count: Self.fieldCount, version: Self.version)
    self.init(
      counts: try reader.readCounts(Self.binCount), weekdays: try reader.readNumber(in: 0...1e6),
      weekends: try reader.readNumber(in: 0...1e6), watchedUntil: try reader.readInstant())
  }
}

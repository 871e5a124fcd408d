package import FetchValues

extension AdaptiveShared {
  private static let version: Int64 = 1
  private static let fieldCount = 10

  /// Writes one list with a fixed number of fields. `init(from:)` restores an equal value, except
  /// for `priceMin`, which is not stored.
  package func encode(into writer: inout ValueWriter) {
    writer.beginArray(count: Self.fieldCount)
    writer.write(Self.version)
    if let requestsPerSecond { writer.write(requestsPerSecond) } else { writer.writeNull() }
    writer.write(bytes: SparseCounts.encode(pool.counts))
    writer.write(numbers: demand)
    writer.write(proportional)
    writer.write(integral)
    writer.write(instant: settledAt)
    writer.write(numbers: hourLogs)
    writer.write(taken)
    if let hour { writer.write(hour) } else { writer.writeNull() }
  }

  package init(from reader: inout ValueReader) throws(ValueError) {
    try reader.readFields(count: Self.fieldCount, version: Self.version)
    self.init(requestsPerHour: try reader.readRate().map { 3600 * $0 })
    guard let pool = PooledProfile(counts: try reader.readCounts(Self.hourCount)) else {
      throw .unexpected("a number out of range", wanted: "profile")
    }
    self.pool = pool
    demand = try reader.readNumbers(count: Self.hourCount, in: 0...1e12)
    proportional = try reader.readNumber(in: -Self.correctionMax...Self.correctionMax)
    integral = try reader.readNumber(in: -Self.correctionMax...Self.correctionMax)
    settledAt = try reader.readInstant()
    hourLogs = try reader.readNumbers(count: 24, in: -Self.hourMax...Self.hourMax)
    taken = try reader.readInteger(in: 0...Int64(Int32.max))
    if try reader.peekTag() == ValueTag.null {
      try reader.skipValue()
    } else {
      hour = try reader.readInteger(in: 0...Int64(WeekClock.weekHours - 1))
    }
  }
}

extension ValueReader {
  /// Reads requests a second; nil for null.
  fileprivate mutating func readRate() throws(ValueError) -> Double? {
    guard try peekTag() != ValueTag.null else {
      try skipValue()
      return nil
    }
    return try readNumber(in: 0...1e9)
  }
}

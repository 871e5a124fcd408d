package import FetchValues

extension AdaptiveShared: StoredCoding {
  private static let version: Int64 = 1
  private static let fieldCount = 10

  /// Writes the state as one list with a fixed number of fields, without `priceMin`.
  package func encode(into writer: inout ValueWriter) {
    writer.beginArray(count: Self.fieldCount)
    writer.write(Self.version)
    writer.writeOptional(requestsPerSecond)
    writer.write(bytes: SparseCounts.encode(pool.counts))
    writer.write(numbers: demand)
    writer.write(proportional)
    writer.write(integral)
    writer.writeOptional(settledAt)
    writer.write(numbers: hourLogs)
    writer.write(taken)
    writer.writeOptional(hour.map(Int64.init))
  }

  package init(from reader: inout ValueReader) throws(ValueError) {
    try reader.readFields(count: Self.fieldCount, version: Self.version)
    let rate = try reader.readNull() ? nil : try reader.readNumber(in: 0...1e9)
    self.init(requestsPerHour: rate.map { 3600 * $0 })
    guard let pool = PooledProfile(counts: try reader.readCounts(Self.hourCount)) else {
      throw .unexpected("a number that is out of range", wanted: "profile")
    }
    self.pool = pool
    demand = try reader.readNumbers(count: Self.hourCount, in: 0...1e12)
    proportional = try reader.readNumber(in: -Self.correctionMax...Self.correctionMax)
    integral = try reader.readNumber(in: -Self.correctionMax...Self.correctionMax)
    settledAt = try reader.readInstant()
    hourLogs = try reader.readNumbers(count: 24, in: -Self.hourMax...Self.hourMax)
    taken = try reader.readInteger(in: 0...Int64(Int32.max))
    let hours = 0...Int64(WeekClock.weekHours - 1)
    hour = try reader.readNull() ? nil : try reader.readInteger(in: hours)
  }
}

package import FetchValues

/// The same in a worker's message and in the store: a list of five integers.
extension FeedHints {
  private static let fieldCount = 5

  package func encode(into writer: inout ValueWriter) {
    writer.beginArray(count: Self.fieldCount)
    writer.write(Int64(ttlSeconds))
    writer.write(Int64(updates?.seconds ?? 0))
    writer.write(updates?.phase.map(Int64.init) ?? -1)
    writer.write(Int64(skipHours))
    writer.write(Int64(skipDays))
  }

  /// Takes anything; what `encode` cannot have written is an error.
  package init(from reader: inout ValueReader) throws(ValueError) {
    self.init()
    guard try reader.readArrayHead() == Self.fieldCount else {
      throw .unexpected("another count", wanted: "feed hints")
    }
    let seconds = 0...Self.secondsMax
    ttl = .seconds(try reader.readInteger(in: seconds))
    let period = Int64(try reader.readInteger(in: seconds))
    let phase = Int64(try reader.readInteger(in: -1...max(period - 1, -1)))
    setUpdates(
      every: .seconds(period), from: phase < 0 ? nil : Timestamp(seconds: phase))
    skipHours = UInt32(try reader.readInteger(in: 0...(1 << 24 - 2)))
    skipDays = UInt8(try reader.readInteger(in: 0...(1 << 7 - 2)))
  }
}

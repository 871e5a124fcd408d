package import FetchValues

/// When deliveries of a hook with a rate were begun, as far back as its rate looks.
package struct DeliveryPace: Equatable, Sendable {
  /// In their order.
  private var times: [Timestamp] = []

  package init() {}

  package mutating func begin(_ rate: Rate, now: Timestamp) {
    times.removeAll { now - $0 >= rate.period.duration }
    times.append(now)
  }

  /// What was begun then has come to nothing, and counts for nothing.
  package mutating func takeBack(begunAt: Timestamp) {
    if let index = times.lastIndex(of: begunAt) { times.remove(at: index) }
  }

  /// When the next may begin; nil: now. Times after `now`, by a clock that was put back, count for
  /// nothing.
  package func opensAt(_ rate: Rate, now: Timestamp) -> Timestamp? {
    let recent = times.filter { now - $0 < rate.period.duration && $0 <= now }
    let count = Int(clamping: max(1, rate.amount))
    guard recent.count >= count else { return nil }
    return recent[recent.count - count] + rate.period.duration
  }

  // MARK: Kept

  /// What is kept of a period: so many times at most, each with a count, so that a large rate costs
  /// no more than a small one.
  private static let slotsPerPeriod: Int64 = 240
  private static let countMax: Int64 = 1_000_000
  /// Far from where sums overflow.
  private static let timeMax: Int64 = 1 << 50

  /// Later by a 240th of the period at most: never more go out than the rate says. Ends with the time
  /// when the next may begin, for who does not know the rate, if that is not now.
  package func encoded(_ rate: Rate, now: Timestamp) -> [UInt8] {
    let slot = max(1, rate.period.duration.wholeMilliseconds / Self.slotsPerPeriod)
    var counts: [(time: Int64, count: Int64)] = []
    for time in times.lazy.map(\.milliseconds) {
      // An end stays one, however often processes hand it on.
      let end = min((time + slot - 1) / slot * slot, max(time, now.milliseconds))
      if counts.last?.time == end {
        counts[counts.count - 1].count += 1
      } else {
        counts.append((end, 1))
      }
    }
    var writer = ValueWriter()
    let opensAt = opensAt(rate, now: now)
    writer.beginArray(count: 2 * counts.count + (opensAt == nil ? 0 : 1))
    for entry in counts {
      writer.write(entry.time)
      writer.write(entry.count)
    }
    if let opensAt { writer.write(opensAt.milliseconds) }
    return writer.bytes
  }

  /// Nil for what is no pace.
  package init?(decoding bytes: [UInt8]) {
    guard let times = bytes.withUnsafeBytes({ try? Self.times($0) }) else { return nil }
    self.times = times
  }

  /// When the next may begin, as far as was known when the pace was kept; nil: at once.
  package static func opensAt(keptIn bytes: [UInt8]) -> Timestamp? {
    bytes.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      guard let count = try? reader.readArrayHead(), count % 2 == 1 else { return nil }
      var last: Int64?
      for _ in 0..<count {
        guard let number = try? reader.readInteger() else { return nil }
        last = number
      }
      return last.flatMap { (0...timeMax).contains($0) ? Timestamp(milliseconds: $0) : nil }
    }
  }

  private static func times(_ bytes: UnsafeRawBufferPointer) throws(ValueError) -> [Timestamp] {
    var reader = ValueReader(bytes)
    var times: [Timestamp] = []
    for _ in 0..<(try reader.readArrayHead() / 2) {
      let (time, count) = (try reader.readInteger(), try reader.readInteger())
      guard (0...timeMax).contains(time), count > 0, count <= countMax - Int64(times.count) else {
        throw .truncated
      }
      times += Array(repeating: Timestamp(milliseconds: time), count: Int(count))
    }
    return times
  }
}

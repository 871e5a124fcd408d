package import FetchValues

extension AdaptiveState: StoredCoding {
  /// The version of the encoding. A state of another version is rejected, and the job then learns
  /// everything about its source again.
  static let version: Int64 = 3
  static let fieldCount = 23
  /// The valid times, in seconds: about a hundred thousand years in each direction. A sum of two
  /// such times neither overflows nor loses seconds.
  static let instants = -3e12...3e12

  package func encode(into writer: inout ValueWriter) {
    writer.beginArray(count: Self.fieldCount)
    writer.write(Self.version)
    writer.write(datesItems)
    writer.write(rate.events)
    writer.write(rate.exposure)
    writer.write(items)
    writer.write(events)
    writer.write(numbers: profile.trust.numbers)
    writer.write(bytes: SparseCounts.encode(profile.counts.all))
    writer.write(numbers: bursts.sums)
    writer.write(numbers: bursts.trust)
    writer.write(runs)
    writer.write(failures)
    for instant in [failingSince, retryAt, lastGoodAt, lastEventAt] {
      writer.writeOptional(instant)
    }
    writer.write(window)
    writer.write(bytes: demand.levels)
    writer.write(numbers: timetable.marks)
    writer.write(timetable.leads)
    writer.write(numbers: timetable.trust)
    writer.writeOptional(modified.lastAt)
    writer.write(modified.doubts)
  }

  package init(from reader: inout ValueReader) throws(ValueError) {
    let head = try AdaptiveRate(from: &reader)
    self.init(datesItems: head.datesItems)
    rate = head.rate
    items = head.items
    events = head.events
    profile.trust = ShapeVector(try reader.readNumbers(count: WeekShapes.count, in: 0...1))
    profile.counts = WeekCounts(all: try reader.readCounts(WeekCounts.count))
    guard
      let bursts = BurstBelief(
        sums: try reader.readNumbers(count: BurstBelief.memories.count, in: 0...1e6),
        trust: try reader.readNumbers(count: BurstBelief.count, in: 0...1))
    else { throw .unexpected("a number that is out of range", wanted: "bursts") }
    self.bursts = bursts
    runs = try reader.readInteger(in: 0...Int64.max)
    failures = try reader.readInteger(in: 0...1000)
    failingSince = try reader.readInstant()
    retryAt = try reader.readInstant()
    lastGoodAt = try reader.readInstant()
    lastEventAt = try reader.readInstant()
    window = try reader.readInteger(in: 0...Int64(Self.windowMax))
    guard let demand = DemandLevels(levels: Array(try reader.readStringBytes())) else {
      throw .unexpected("other bytes", wanted: "demand")
    }
    self.demand = demand
    timetable = try Self.timetable(from: &reader)
    guard
      let modified = ModifiedBelief(
        lastAt: try reader.readInstant(),
        doubts: try reader.readInteger(in: 0...Int64(ModifiedBelief.doubtsMax)))
    else { throw .unexpected("a number that is out of range", wanted: "doubts") }
    self.modified = modified
  }

  private static func timetable(
    from reader: inout ValueReader
  ) throws(ValueError) -> TimetableBelief {
    let count = try reader.readArrayHead()
    var marks: [Double] = []
    for _ in 0..<min(count, TimetableBelief.marksMax) {
      marks.append(try reader.readNumber(in: instants))
    }
    guard count <= TimetableBelief.marksMax,
      let timetable = TimetableBelief(
        marks: marks, leads: try reader.readNumber(in: 1...1e9),
        trust: try reader.readNumbers(count: TimetableBelief.count, in: 0...1))
    else { throw .unexpected("a number that is out of range", wanted: "timetable") }
    return timetable
  }
}

extension ValueReader {
  /// Reads a time in seconds; nil for an encoded null.
  mutating func readInstant() throws(ValueError) -> Double? {
    try readNull() ? nil : try readNumber(in: AdaptiveState.instants)
  }

  mutating func readCounts(_ count: Int) throws(ValueError) -> [Float] {
    guard let counts = SparseCounts.decode(try readStringBytes(), count: count) else {
      throw .unexpected("other bytes", wanted: "\(count) counts")
    }
    return counts
  }
}

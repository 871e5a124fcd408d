import FetchModel
package import FetchValues

extension Budget {
  /// A list: per bucket its resource, period, level and time, and what was spent in all. Runs that
  /// were under way are forgotten: who restarts settles them as abandoned.
  package func encode(into writer: inout ValueWriter) {
    writer.beginArray(count: 4 + meters.count * 4)
    for resource in BudgetResource.allCases { writer.write(spent[resource]) }
    for meter in meters {
      writer.write(meter.resource.rawValue)
      writer.write(meter.bucket.rate.period.rawValue)
      writer.write(meter.bucket.level)
      writer.write(meter.bucket.seenAt.milliseconds)
    }
  }

  /// Takes over what an earlier ledger has left; rates that are no longer there are passed over, new
  /// ones begin full.
  package mutating func restore(from reader: inout ValueReader) throws(ValueError) {
    let count = try reader.readArrayHead()
    guard count >= 4, count % 4 == 0 else { throw .truncated }
    var restored = self
    restored.spent = RunCost(
      requests: try reader.readNumber(), bytes: try reader.readNumber(),
      cpuMilliseconds: try reader.readNumber(), runMilliseconds: try reader.readNumber())
    for _ in 1..<count / 4 {
      let resource = try reader.readString()
      let period = try reader.readString()
      let level = try reader.readNumber()
      let seenAt = Timestamp(milliseconds: try reader.readInteger())
      let index = restored.meters.firstIndex {
        $0.resource.rawValue == resource && $0.bucket.rate.period.rawValue == period
      }
      if let index { restored.meters[index].bucket.resume(level: level, at: seenAt) }
    }
    self = restored
  }
}

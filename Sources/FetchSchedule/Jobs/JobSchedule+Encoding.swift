import FetchModel
package import FetchValues

extension JobSchedule: StoredCoding {
  /// The number of fields up to the feed hints. Further fields may follow: the quota, the source
  /// that is gone, and the earlier reasons of the due time. The number of fields shows which of
  /// these are present.
  private static let fieldCount = 17
  private static let fieldCountMax = 20

  /// Writes the schedule as one list of fields, without `adaptive`, which is long and rarely
  /// changes.
  ///
  /// The store relies on the order of the first nine fields: see `StoredSchedule.facts`.
  package func encode(into writer: inout ValueWriter) {
    let earlier = earlierReasons
    let furtherCount =
      !earlier.isEmpty ? 3 : !goneSource.isEmpty ? 2 : !quota.isEmpty ? 1 : 0
    writer.beginArray(count: Self.fieldCount + furtherCount)
    writer.writeOptional(dueAt?.milliseconds)
    writer.write(dueReason.code.rawValue)
    writer.write(dueReason.failures)
    for time in [lastStartAt, lastSuccessAt, lastNewDataAt, failingSince] {
      writer.writeOptional(time?.milliseconds)
    }
    writer.write(failureCount)
    writer.writeOptional(pausedAt?.milliseconds)
    writer.write(pauseCause.rawValue)
    writer.writeOptional(lastPushAt?.milliseconds)
    writer.write(runCount)
    for resource in BudgetResource.allCases { writer.write(estimate[resource]) }
    if feedHints.isEmpty { writer.writeNull() } else { feedHints.encode(into: &writer) }
    if furtherCount > 0 { writer.write(bytes: quota) }
    if furtherCount > 1 { writer.write(bytes: goneSource) }
    guard furtherCount > 2 else { return }
    writer.beginArray(count: 3 * earlier.count)
    for link in earlier {
      writer.write(link.at.milliseconds)
      writer.write(link.reason.code.rawValue)
      writer.write(link.reason.failures)
    }
  }

  package init(from reader: inout ValueReader) throws(ValueError) {
    let count = try reader.readArrayHead()
    guard (Self.fieldCount...Self.fieldCountMax).contains(count) else { throw .truncated }
    dueAt = try reader.readOptionalTime()
    let code = try reader.readString()
    dueReason = DueReason(code: code, failures: Int(clamping: try reader.readInteger()))
    lastStartAt = try reader.readOptionalTime()
    lastSuccessAt = try reader.readOptionalTime()
    lastNewDataAt = try reader.readOptionalTime()
    failingSince = try reader.readOptionalTime()
    failureCount = max(0, min(Int(clamping: try reader.readInteger()), 1 << 30))
    pausedAt = try reader.readOptionalTime()
    pauseCause = PauseCause(rawValue: try reader.readString()) ?? .person
    lastPushAt = try reader.readOptionalTime()
    runCount = max(0, min(try reader.readInteger(), 1 << 60))
    estimate = try Self.estimate(&reader)
    feedHints = try reader.readNull() ? FeedHints() : try FeedHints(from: &reader)
    let furtherCount = count - Self.fieldCount
    if furtherCount > 0 { quota = Array(try reader.readStringBytes()) }
    if furtherCount > 1 { goneSource = Array(try reader.readStringBytes()) }
    if furtherCount > 2 { earlierReasons = try Self.reasons(&reader) }
  }

  private static func reasons(
    _ reader: inout ValueReader
  ) throws(ValueError) -> [DueTime.Link] {
    let count = try reader.readArrayHead()
    guard count % 3 == 0, count / 3 < DueTime.reasonsMax else { throw .truncated }
    var links: [DueTime.Link] = []
    for _ in 0..<(count / 3) {
      guard let at = try reader.readOptionalTime() else { throw .truncated }
      let code = try reader.readString()
      let failures = Int(clamping: try reader.readInteger())
      links.append(DueTime.Link(at: at, reason: DueReason(code: code, failures: failures)))
    }
    return links
  }

  private static func estimate(_ reader: inout ValueReader) throws(ValueError) -> RunCost {
    func amount(_ number: Double) -> Double { number.isFinite ? max(0, min(number, 1e15)) : 0 }
    return RunCost(
      requests: amount(try reader.readNumber()), bytes: amount(try reader.readNumber()),
      cpuMilliseconds: amount(try reader.readNumber()),
      runMilliseconds: amount(try reader.readNumber()))
  }
}

extension ValueReader {
  /// Reads a time in milliseconds since 1970; nil for an encoded null.
  mutating func readOptionalTime() throws(ValueError) -> Timestamp? {
    // The time is limited to a hundred thousand years, so that no sum with a duration overflows.
    try readOptionalInteger().map { number in
      Timestamp(milliseconds: Int64(max(-3e15, min(Double(number), 3e15))))
    }
  }
}

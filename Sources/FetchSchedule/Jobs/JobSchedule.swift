package import FetchModel
package import FetchValues

/// The scheduler's facts about one job. The store keeps these facts, so that they survive a
/// restart.
///
/// The value is small, because there may be a million jobs, and each decision reads and writes the
/// value of a job.
package struct JobSchedule: Hashable, Sendable {
  private struct Exceptions: SparsePart {
    var failingSince: Timestamp?
    var pausedAt: Timestamp?
    var pauseCause: PauseCause = .person
    var goneSource: [UInt8] = []
    var lastPushAt: Timestamp?
    var quota: [UInt8] = []
    var feedHints = FeedHints()
    var earlierReasons: [DueTime.Link] = []
  }

  /// The time at which the job is due; nil if the job has no due time.
  package var dueAt: Timestamp?
  package var dueReason: DueReason = .firstRun
  package var lastStartAt: Timestamp?
  package var lastSuccessAt: Timestamp?
  package var lastNewDataAt: Timestamp?
  /// The number of consecutive failures. Cancelled runs, and failures that are blamed on the
  /// machine's network, do not count.
  package var failureCount = 0
  /// The number of runs that have begun. The random delays are derived from this number.
  package var runCount: Int64 = 0
  /// The estimated cost of the next run. While a run is under way, this is the amount that was
  /// reserved for the run.
  package var estimate: RunCost = .unknown
  /// The encoded `AdaptiveState` of the job's source. The scheduler does not decode it.
  package var adaptive: [UInt8] = []
  private var exceptions = Sparse<Exceptions>()

  package init() {}

  /// The time of the first of the consecutive failures; nil if `failureCount` is 0.
  package var failingSince: Timestamp? {
    get { exceptions.unusual?.failingSince }
    set { if newValue != failingSince { exceptions.part.failingSince = newValue } }
  }

  /// The time at which the job was paused; nil if the job is not paused.
  package var pausedAt: Timestamp? {
    get { exceptions.unusual?.pausedAt }
    set { exceptions.part.pausedAt = newValue }
  }

  package var pauseCause: PauseCause {
    get { exceptions.part.pauseCause }
    set { exceptions.part.pauseCause = newValue }
  }

  /// The source that answered 410 Gone, in the form of `RunSummary.source`. The value is empty if
  /// the job is not paused for this reason, or if the source is unknown.
  package var goneSource: [UInt8] {
    get { exceptions.unusual?.goneSource ?? [] }
    set { if newValue != goneSource { exceptions.part.goneSource = newValue } }
  }

  package var lastPushAt: Timestamp? {
    get { exceptions.unusual?.lastPushAt }
    set { exceptions.part.lastPushAt = newValue }
  }

  /// The state of the job's own budget (see `Budget.encoded`). It is empty if the job has no budget
  /// of its own, or if no cost has been recorded in the budget yet.
  package var quota: [UInt8] {
    get { exceptions.unusual?.quota ?? [] }
    set { if newValue != quota { exceptions.part.quota = newValue } }
  }

  /// The previous values of the due time with their reasons, oldest first. The list is empty if
  /// only one reason has set the due time.
  var earlierReasons: [DueTime.Link] {
    get { exceptions.unusual?.earlierReasons ?? [] }
    set { if newValue != earlierReasons { exceptions.part.earlierReasons = newValue } }
  }

  /// The due time with all its reasons; nil if `dueAt` is nil.
  package var dueTime: DueTime? {
    dueAt.map { DueTime(at: $0, reason: dueReason, after: earlierReasons) }
  }

  /// Moves the due time and keeps the reasons for the previous due times. If there would be more
  /// than `DueTime.reasonsMax` reasons in all, the second oldest one is dropped. If the same reason
  /// moves the due time twice in a row, it is listed once.
  package mutating func moveDue(to time: Timestamp, _ reason: DueReason) {
    if let dueAt, reason != dueReason {
      var links = earlierReasons + [DueTime.Link(at: dueAt, reason: dueReason)]
      if links.count == DueTime.reasonsMax { links.remove(at: 1) }
      earlierReasons = links
    }
    dueAt = time
    dueReason = reason
  }

  /// The hints of the job's feeds, from the last successful run or earlier runs.
  package var feedHints: FeedHints {
    get { exceptions.unusual?.feedHints ?? FeedHints() }
    set { if newValue != feedHints { exceptions.part.feedHints = newValue } }
  }
}

extension JobSchedule: StoredCoding {
  /// The number of encoded fields, up to and including the feed hints. Further fields may follow:
  /// the quota, the source that is gone, and the earlier reasons of the due time. The number of
  /// fields shows which of these are present.
  private static let fieldCount = 17
  private static let fieldCountMax = 20

  /// Writes the schedule as one list of fields, without `adaptive`.
  ///
  /// `StoredSchedule.facts` relies on the order of the first nine fields.
  package func encode(into writer: inout ValueWriter) {
    let exceptions = exceptions.part
    let earlier = exceptions.earlierReasons
    let furtherCount =
      !earlier.isEmpty
      ? 3 : !exceptions.goneSource.isEmpty ? 2 : !exceptions.quota.isEmpty ? 1 : 0
    writer.beginArray(count: Self.fieldCount + furtherCount)
    writer.writeOptional(dueAt?.milliseconds)
    writer.write(dueReason.code.rawValue)
    writer.write(dueReason.failures)
    for time in [lastStartAt, lastSuccessAt, lastNewDataAt, exceptions.failingSince] {
      writer.writeOptional(time?.milliseconds)
    }
    writer.write(failureCount)
    writer.writeOptional(exceptions.pausedAt?.milliseconds)
    writer.write(exceptions.pauseCause.rawValue)
    writer.writeOptional(exceptions.lastPushAt?.milliseconds)
    writer.write(runCount)
    for resource in BudgetResource.allCases { writer.write(estimate[resource]) }
    if exceptions.feedHints.isEmpty {
      writer.writeNull()
    } else {
      exceptions.feedHints.encode(into: &writer)
    }
    if furtherCount > 0 { writer.write(bytes: exceptions.quota) }
    if furtherCount > 1 { writer.write(bytes: exceptions.goneSource) }
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
    var exceptions = Exceptions()
    exceptions.failingSince = try reader.readOptionalTime()
    failureCount = max(0, min(Int(clamping: try reader.readInteger()), 1 << 30))
    exceptions.pausedAt = try reader.readOptionalTime()
    exceptions.pauseCause = PauseCause(rawValue: try reader.readString()) ?? .person
    exceptions.lastPushAt = try reader.readOptionalTime()
    runCount = max(0, min(try reader.readInteger(), 1 << 60))
    estimate = try Self.estimate(&reader)
    if try !reader.readNull() { exceptions.feedHints = try FeedHints(from: &reader) }
    let furtherCount = count - Self.fieldCount
    if furtherCount > 0 { exceptions.quota = Array(try reader.readStringBytes()) }
    if furtherCount > 1 { exceptions.goneSource = Array(try reader.readStringBytes()) }
    if furtherCount > 2 { exceptions.earlierReasons = try Self.reasons(&reader) }
    self.exceptions.part = exceptions
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
    try readOptionalInteger().map { Timestamp(boundedMilliseconds: $0) }
  }
}

extension Timestamp {
  /// Creates a time from a number that a store has. The time is limited to about 95,000 years before
  /// or after 1970, so that no sum with a duration overflows.
  init(boundedMilliseconds number: Int64) {
    self.init(milliseconds: max(-3_000_000_000_000_000, min(number, 3_000_000_000_000_000)))
  }
}

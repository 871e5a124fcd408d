import FetchModel
import FetchStore
import FetchValues

/// The ledger's entry about retention: the rule, the end of the last sweep, and the progress of the
/// active sweep.
struct RetentionEntry: Equatable {
  static let ledgerName = "retention"
  private static let fieldCount = 5
  /// The number of fields in an entry of an earlier version, which has no progress.
  private static let earlierFieldCount = 2

  var retention: Retention?
  var endedAt: Timestamp?
  /// The progress of the active sweep; nil if none is active. The entry does not store its
  /// `removedCount`.
  var sweep: RetentionProgressMark?

  private init() {}

  /// Reads the entry. Unreadable content counts as an empty entry.
  init(read connection: PostgresConnection) throws {
    guard let content = try Ledger.entry(Self.ledgerName, connection) else { return }
    self = (try? ValueReader.read(content, Self.entry)) ?? RetentionEntry()
  }

  private static func entry(_ reader: inout ValueReader) throws(ValueError) -> RetentionEntry {
    let count = try reader.readArrayHead()
    guard count == fieldCount || count == earlierFieldCount else { throw .truncated }
    var entry = RetentionEntry()
    entry.retention = try reader.readNull() ? nil : try Retention(from: &reader)
    entry.endedAt = try reader.readOptionalInteger().map { Timestamp(milliseconds: $0) }
    if count == earlierFieldCount { return entry }
    let part = try reader.readOptionalInteger()
    var sweep = RetentionProgressMark()
    sweep.sequence = try reader.readInteger()
    sweep.job = try reader.readInteger()
    guard let part = part.flatMap({ Int(exactly: $0) }).flatMap(RetentionProgressMark.Part.init)
    else { return entry }
    sweep.part = part
    entry.sweep = sweep
    return entry
  }

  func store(_ connection: PostgresConnection) throws {
    var writer = ValueWriter()
    writer.beginArray(count: Self.fieldCount)
    if let retention { retention.encode(into: &writer) } else { writer.writeNull() }
    writer.writeOptional(endedAt?.milliseconds)
    writer.writeOptional(sweep.map { Int64($0.part.rawValue) })
    writer.write(sweep?.sequence ?? 0)
    writer.write(sweep?.job ?? 0)
    try Ledger.set([Self.ledgerName: writer.bytes], connection)
  }

  /// Returns the maximum size in bytes of one job's items. The default is a quarter of the store's
  /// maximum size, or 4 GiB without a maximum size. fetchrun does not know the size of the server's
  /// disk.
  static func jobBytesMax(_ rule: Retention) -> Int64 {
    rule.jobBytesMax ?? rule.bytesMax.map { $0 / 4 } ?? 4 << 30
  }
}

/// The progress of one sweep of retention through the store.
struct RetentionProgressMark: Equatable, Sendable {
  enum Part: Int, CaseIterable, Sendable {
    case partitions, answers, runs, transfers, deliveries, origins, versions, items, tombstones
  }

  var part = Part.partitions
  /// The sequence number of the last change whose older versions were checked.
  var sequence: Int64 = 0
  /// The id of the job whose items are checked; 0 before the first job.
  var job: Int64 = 0
  var removedCount = 0

  /// The maximum number of rows that one step selects. The older versions of the selected changes
  /// and items do not count, nor do the rows of dropped partitions. The limit keeps commits from
  /// waiting long for a step.
  static let rowsMax = 500

  /// Whether all parts are finished.
  private(set) var isOver = false

  mutating func next() {
    guard let next = Part(rawValue: part.rawValue + 1) else { return isOver = true }
    (part, sequence, job) = (next, 0, 0)
  }
}

import FetchModel
import FetchStore
import FetchValues

/// The ledger's entry about retention: the rule, and the end of the last sweep. The progress of a
/// sweep is not stored: after a restart, the sweep begins again.
struct RetentionEntry: Equatable {
  static let ledgerName = "retention"

  var retention: Retention?
  var endedAt: Timestamp?

  /// Reads the entry. Unreadable content counts as an empty entry.
  init(read connection: PostgresConnection) throws {
    guard let content = try Ledger.entry(Self.ledgerName, connection) else { return }
    let read = try? ValueReader.read(content) {
      reader throws(ValueError) -> (Retention?, Timestamp?) in
      guard try reader.readArrayHead() == 2 else { throw .truncated }
      let rule = try reader.readNull() ? nil : try Retention(from: &reader)
      return (rule, try reader.readOptionalInteger().map { Timestamp(milliseconds: $0) })
    }
    (retention, endedAt) = read ?? (nil, nil)
  }

  func store(_ connection: PostgresConnection) throws {
    var writer = ValueWriter()
    writer.beginArray(count: 2)
    if let retention { retention.encode(into: &writer) } else { writer.writeNull() }
    writer.writeOptional(endedAt?.milliseconds)
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

  /// The maximum number of rows that one step selects. The limit keeps commits from waiting long
  /// for a step.
  static let rowsMax = 500

  /// Whether all parts are finished.
  private(set) var isOver = false

  mutating func next() {
    guard let next = Part(rawValue: part.rawValue + 1) else { return isOver = true }
    (part, sequence, job) = (next, 0, 0)
  }
}

package import FetchModel
package import FetchStore
package import FetchValues
internal import Synchronization

extension SQLiteStore {
  /// Applies retention to the whole store in small steps. Returns the number of rows that were
  /// removed or marked as pruned.
  package func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) -> Int {
    var note = RetentionNote()
    note.sweep = RetentionSweep(isPressed: false)
    var count = 0
    while let sweep = note.sweep {
      note = try await queue.perform(isWrite: true) { [note] connection in
        var note = note
        try connection.step(&note, retention, now: now)
        return note
      }
      count += (note.sweep ?? note.last ?? sweep).removedCount - sweep.removedCount
    }
    return count
  }

  /// Performs one small step of retention if a sweep is active or due. A sweep is due once a day,
  /// and once an hour while space is short. If the config changes the retention, a sweep may be due
  /// earlier. The store keeps the progress.
  ///
  /// - Parameter retention: the retention of the config; nil means the retention of the last
  ///   config.
  package func keepUp(
    _ retention: Retention?, now: Timestamp
  ) async throws(StoreError) -> RetentionProgress {
    try await queue.perform(isWrite: true) { try $0.keepUp(retention, now: now) }
  }

  /// The maximum size in bytes of one job's items: see `Retention.jobBytesMax`.
  package var jobBytesMax: Int64 { shareMax.load(ordering: .relaxed) }

  /// Returns the retention of the last config that used this store. Returns the default retention
  /// if there is none.
  package func retention() async throws(StoreError) -> Retention {
    try await queue.perform(isWrite: false) { connection in
      RetentionNote(try connection.ledgerEntry(RetentionNote.ledgerName)).retention ?? Retention()
    }
  }

  /// Replaces the maximum size of the store's file and the maximum size of one job's items.
  package func setLimits(_ retention: Retention) async throws(StoreError) {
    let share = try await queue.perform(isWrite: false) { try $0.setLimits(retention) }
    shareMax.store(share, ordering: .relaxed)
  }
}

/// The ledger's entry about retention. It has the retention rule, the progress of the active sweep,
/// and the end of the last sweep.
struct RetentionNote: Equatable, StoredCoding {
  static let ledgerName = "retention"
  private static let fieldCount = 14

  /// The rule of the last config. Commands without a config use this rule. Nil means the default
  /// rule.
  var retention: Retention?
  var endedAt: Timestamp?
  /// The end of the last sweep that began while space was short; nil if there was none under the
  /// present rule.
  var pressedAt: Timestamp?
  var sweep: RetentionSweep?
  /// The sequence number up to which a sweep has checked all changes while keeping `versionCount`
  /// versions of each item. A sweep that keeps at least as many versions begins after this number.
  var versionsThrough: Int64 = 0
  var versionCount = Int.max

  /// The finished sweep, with its count of removed rows; nil until a step finishes the sweep. This
  /// sweep is not stored.
  var last: RetentionSweep?

  init() {}

  /// Creates the note from its stored content. Unreadable content, such as that of another version
  /// of fetchrun, counts as an empty note.
  init(_ content: [UInt8]?) {
    if let content, let read = try? RetentionNote(encoded: content) { self = read }
  }

  init(from reader: inout ValueReader) throws(ValueError) {
    guard try reader.readArrayHead() == Self.fieldCount else { throw .truncated }
    retention = try reader.readNull() ? nil : try Retention(from: &reader)
    endedAt = try reader.readOptionalInteger().map { Timestamp(milliseconds: $0) }
    pressedAt = try reader.readOptionalInteger().map { Timestamp(milliseconds: $0) }
    versionsThrough = try reader.readInteger()
    versionCount = Int(clamping: try reader.readInteger())
    let part = try reader.readOptionalInteger()
    var sweep = RetentionSweep(isPressed: try reader.readInteger() == 1)
    sweep.number = try reader.readInteger()
    sweep.job = try reader.readInteger()
    sweep.key = try reader.readString()
    sweep.newest = try reader.readOptionalInteger()
    sweep.oldest = try reader.readOptionalInteger()
    sweep.isSecondTime = try reader.readInteger() == 1
    sweep.removedCount = Int(clamping: try reader.readInteger())
    guard let part = part.flatMap({ Int(exactly: $0) }).flatMap(RetentionSweep.Part.init) else {
      return
    }
    sweep.part = part
    self.sweep = sweep
  }

  /// Sets the rule of a config. If it differs from the previous rule, the active sweep ends, and
  /// the note forgets when the previous sweeps ended.
  mutating func adopt(_ wanted: Retention) {
    guard wanted != retention ?? Retention() else { return }
    retention = wanted
    endedAt = nil
    pressedAt = nil
    sweep = nil
  }

  func encode(into writer: inout ValueWriter) {
    writer.beginArray(count: Self.fieldCount)
    if let retention { retention.encode(into: &writer) } else { writer.writeNull() }
    writer.writeOptional(endedAt?.milliseconds)
    writer.writeOptional(pressedAt?.milliseconds)
    writer.write(versionsThrough)
    writer.write(Int64(versionCount))
    let place = sweep ?? RetentionSweep(isPressed: false)
    writer.writeOptional(sweep.map { Int64($0.part.rawValue) })
    writer.write(place.isPressed ? Int64(1) : 0)
    writer.write(place.number)
    writer.write(place.job)
    writer.write(place.key)
    writer.writeOptional(place.newest)
    writer.writeOptional(place.oldest)
    writer.write(place.isSecondTime ? Int64(1) : 0)
    writer.write(Int64(place.removedCount))
  }
}

/// The progress of retention through a store. Retention proceeds in small steps, so that no commit
/// of a run waits long.
struct RetentionSweep: Equatable, Sendable {
  enum Part: Int, CaseIterable, Sendable {
    case answers
    case runs
    case transfers
    case deliveries
    case origins
    case versions
    /// The items, which are checked in one or two passes for each job. The first pass finds the
    /// latest last-seen time of the job's items. If items may have expired, the second pass removes
    /// the expired items.
    case items
  }

  var part = Part.answers
  /// Whether the sweep keeps less data than the rule says, because space was short when the sweep
  /// began.
  let isPressed: Bool
  /// The number of the last checked row, in the parts that are checked in the order of row numbers.
  var number: Int64 = 0
  /// The id of the job whose items are checked; 0 before the first job.
  var job: Int64 = 0
  var key = ""
  /// The latest last-seen time of the checked items of `job`.
  var newest: Int64?
  /// The earliest last-seen time of the checked items of `job` that may be removed.
  var oldest: Int64?
  /// Whether the second pass over the items of `job` has begun.
  var isSecondTime = false
  /// The number of rows that the sweep has removed or marked as pruned.
  var removedCount = 0

  init(isPressed: Bool) { self.isPressed = isPressed }

  /// The maximum number of rows that one step checks. A step delays the commits that wait for it,
  /// so it should take less than 10 ms. At the 99th percentile, a step takes 2.7 ms of CPU time in
  /// a debug build (measured).
  static let rowsMax = 200
  /// The number of removed bytes at which a step of `versions` or `items` ends. The limit is needed
  /// because SQLite must read content in order to remove it.
  static let bytesMax = 256 << 10
  /// The maximum number of runs whose kept answers are removed in one step. The kept bodies of one
  /// run may have a total size of 4 MiB.
  static let answersMax = 1

  /// Advances to the next part of the store. Returns false after the last part.
  mutating func next() -> Bool {
    guard let next = Part(rawValue: part.rawValue + 1) else { return false }
    part = next
    number = 0
    beginJob(0)
    return true
  }

  mutating func beginJob(_ job: Int64) {
    self.job = job
    key = ""
    newest = nil
    oldest = nil
    isSecondTime = false
  }
}

import FetchModel

/// The records of transfers that probably begin next, read from the store together. A read for each
/// of thousands of small files costs more than the records themselves.
///
/// A record is kept only until its transfer begins or changes. Call `changed` after each change in
/// the store.
struct NextTransfers: Sendable {
  /// The maximum number of records that are read together.
  static let countMax = 32

  private var records: [Int64: TransferRecord] = [:]
  /// The transfer that began last.
  private var lastID: Int64?
  /// The transfers that have changed since the read under way began; nil if no read is under way, or
  /// if what it finds must not be kept.
  private var changed: Set<Int64>?

  /// Removes and returns the record of a transfer that begins; nil if it was not read.
  mutating func take(_ id: Int64) -> TransferRecord? {
    guard let record = records.removeValue(forKey: id) else { return nil }
    lastID = id
    return record
  }

  /// Returns whether records must be read for a transfer that begins, because it follows the one
  /// that began last. Call `endReading` with the records.
  mutating func beginReading(_ id: Int64) -> Bool {
    defer { lastID = id }
    guard let lastID, id == lastID + 1 else { return false }
    changed = []
    return true
  }

  /// Keeps the records that have not changed since they were read, and returns the one of the
  /// transfer that begins.
  mutating func endReading(_ found: [TransferRecord], _ id: Int64) -> TransferRecord? {
    guard let changed else { return nil }
    self.changed = nil
    records = [:]
    for record in found where record.state.isPending && !changed.contains(record.id) {
      records[record.id] = record
    }
    return records.removeValue(forKey: id)
  }

  /// Drops the record of a transfer that has changed.
  mutating func changed(_ id: Int64) {
    records[id] = nil
    changed?.insert(id)
  }

  /// Drops all records, because other processes may have changed them.
  mutating func dropAll() {
    records = [:]
    changed = nil
  }
}

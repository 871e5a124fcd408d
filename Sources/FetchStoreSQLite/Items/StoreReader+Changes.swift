package import FetchModel
package import FetchStore
package import FetchValues

/// The reads of the log of changes, for programs that continue from a sequence number.
extension StoreReader {
  package func change(_ sequence: Int64) throws(StoreError) -> StoredItem? {
    try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT \(Self.columns) FROM changes JOIN jobs ON jobs.id = changes.job WHERE sequence = ?
        """)
      row.bind(1, sequence)
      defer { row.reset() }
      return try row.step() ? Self.item(row) : nil
    }
  }

  package func changes(_ query: ChangeQuery) throws(StoreError) -> ChangePage {
    try read { db in
      let since = max(0, query.since)
      let last = try db.integer("SELECT max(sequence) FROM changes") ?? 0
      // The sequence numbers have gaps where changes were pruned.
      guard let first = try Self.sequence(after: since, db) else {
        return ChangePage([], end: max(since, try Self.lastSequence(db)), isLast: true)
      }
      let scanned = first &+ Int64(ReadBounds.rowsScannedMax - 1)
      let row = try SQLStatement(
        db,
        """
        SELECT \(Self.columns) FROM changes CROSS JOIN jobs ON jobs.id = changes.job
        WHERE changes.sequence BETWEEN ?1 AND ?2
          AND changes.kind <> \(ChangeKind.baseline.rawValue)
          \(query.job == nil ? "" : "AND changes.job = (SELECT id FROM jobs WHERE name = ?3)")
        ORDER BY changes.sequence
        """)
      row.bind(1, first)
      row.bind(2, scanned)
      if let job = query.job { row.bind(3, job) }
      defer { row.reset() }
      let count = max(1, min(query.limit, PageMark.countMax))
      var changes: [StoredItem] = []
      var bytesLeft = ReadBounds.pageBytesMax
      while changes.count < count, bytesLeft > 0, try row.step() {
        let change = Self.item(row)
        bytesLeft -= change.fieldsJSON.utf8.count
        changes.append(change)
      }
      let isCut = changes.count == count || bytesLeft <= 0
      let end = isCut ? changes.last?.sequence ?? scanned : min(scanned, last)
      return ChangePage(changes, end: end, isLast: end >= last)
    }
  }

  package func lastChange(
    of job: JobName?, after sequence: Int64
  ) throws(StoreError) -> LastChange {
    try read { db in
      let last = try Self.lastSequence(db)
      let after = max(0, sequence)
      guard after < last else { return LastChange(nil, end: last, isLast: true) }
      guard let job else { return LastChange(last, end: last, isLast: true) }
      let end = min(last, after + Int64(ReadBounds.rowsScannedMax))
      let found = try db.integer(
        """
        SELECT max(sequence) FROM changes
        WHERE sequence > ? AND sequence <= ? AND job = (SELECT id FROM jobs WHERE name = ?)
        """, after, end, job)
      return LastChange(found, end: end, isLast: end == last)
    }
  }

  package func dataVersion() throws(StoreError) -> Int64 {
    do {
      return try database.perform { db in try db.integer("PRAGMA data_version") ?? 0 }
    } catch { throw StoreError(error, path: path) }
  }

  private static func sequence(after since: Int64, _ db: SQLConnection) throws -> Int64? {
    try db.integer("SELECT min(sequence) FROM changes WHERE sequence > ?", since)
  }

  static func lastSequence(_ db: SQLConnection) throws -> Int64 {
    try db.integer("SELECT seq FROM sqlite_sequence WHERE name = 'changes'") ?? 0
  }
}

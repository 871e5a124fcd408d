package import FetchModel
package import FetchStore
package import FetchValues

extension StoreReader {
  static let columns = """
    changes.sequence, jobs.name, changes.key, changes.kind, changes.title, changes.url,
    changes.published, changes.seen_at, changes.fields
    """

  /// Returns the highest sequence number that was ever assigned; 0 if there is none.
  package func lastSequence() throws(StoreError) -> Int64 {
    try read { try Self.lastSequence($0) }
  }

  /// Counts the items of a job whose newest change is stored and is not part of the baseline.
  /// Returns at most `max`.
  package func newsCount(of job: JobName, max: Int) throws(StoreError) -> Int {
    try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT COUNT(*) FROM (
          SELECT 1 FROM jobs CROSS JOIN items ON items.job = jobs.id
            CROSS JOIN changes ON changes.sequence = items.sequence
          WHERE jobs.name = ?1 AND changes.kind <> \(ChangeKind.baseline.rawValue) LIMIT ?2)
        """)
      row.bind(1, job)
      row.bind(2, max)
      guard try row.step() else { return 0 }
      defer { row.reset() }
      return Int(row.integer(0))
    }
  }

  /// Returns all kept versions of an item, newest first. The list is empty if the job does not have
  /// the item.
  package func versions(job: JobName, key: ItemKey) throws(StoreError) -> [StoredItem] {
    try read { db in
      let row = try SQLStatement(
        db,
        """
        WITH RECURSIVE chain (sequence) AS (
          SELECT items.sequence FROM items JOIN jobs ON jobs.id = items.job
            WHERE jobs.name = ?1 AND items.key = ?2
          UNION ALL
          SELECT changes.previous FROM chain JOIN changes USING (sequence)
            WHERE changes.previous < changes.sequence)
        SELECT \(Self.columns) FROM chain JOIN changes USING (sequence)
          JOIN jobs ON jobs.id = changes.job ORDER BY changes.sequence DESC
        """)
      row.bind(1, job)
      row.bind(2, key.text)
      var result: [StoredItem] = []
      while try row.step() { result.append(Self.item(row)) }
      return result
    }
  }

  /// Returns the title and URL of the newest version of each item. Leaves out items that the job
  /// does not have, and items whose versions were removed.
  package func lastVersions(
    job: JobName, keys: [ItemKey]
  ) throws(StoreError) -> [ItemKey: LastVersion] {
    try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT changes.title, changes.url FROM jobs CROSS JOIN items ON items.job = jobs.id
          CROSS JOIN changes ON changes.sequence = items.sequence
        WHERE jobs.name = ?1 AND items.key = ?2
        """)
      var versions: [ItemKey: LastVersion] = [:]
      for key in keys {
        row.bind(1, job)
        row.bind(2, key.text)
        if try row.step() { versions[key] = LastVersion(title: row.text(0), url: row.text(1)) }
        row.reset()
      }
      return versions
    }
  }

  /// Returns the item in a row. `job` is the job's name; nil if the row contains the name.
  static func item(_ row: SQLStatement, of job: JobName? = nil) -> StoredItem {
    StoredItem(
      sequence: row.integer(0), job: job ?? row.name(1), key: ItemKey(row.text(2) ?? ""),
      change: UInt8(exactly: row.integer(3)).flatMap(ChangeKind.init) ?? .baseline,
      title: row.text(4), url: row.text(5), published: row.text(6), seenAt: row.time(7),
      fieldsJSON: row.text(8) ?? "{}")
  }
}

/// The functions that read the log of changes, for programs that continue from a sequence number.
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
      // Sequence numbers have gaps where changes were removed.
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
      let end = after + min(last - after, Int64(ReadBounds.rowsScannedMax))
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

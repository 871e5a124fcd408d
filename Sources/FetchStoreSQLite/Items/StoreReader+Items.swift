package import FetchModel
package import FetchStore

extension StoreReader {
  private static let columns = """
    changes.sequence, jobs.name, changes.key, changes.kind, changes.title, changes.url,
    changes.published, changes.seen_at, changes.fields
    """

  /// Reads items one after the other, in constant memory. What `body` throws ends the reading.
  package func items(
    _ query: ItemQuery, _ body: (StoredItem) throws -> Void
  ) throws {
    try database.read { db in
      let row = try prepared(db, query)
      defer { row.reset() }
      while try step(row) { try body(Self.item(row)) }
    }
  }

  /// The items of a query whose answer fits in memory.
  package func items(_ query: ItemQuery) throws(StoreError) -> [StoredItem] {
    var result: [StoredItem] = []
    do { try items(query) { result.append($0) } } catch { throw StoreError(error, path: path) }
    return result
  }

  /// The sequence of the latest change; 0 where there has been none.
  package func lastSequence() throws(StoreError) -> Int64 {
    try read { db in
      try db.integer("SELECT seq FROM sqlite_sequence WHERE name = 'changes'") ?? 0
    }
  }

  /// How many items of a job somebody has heard of, counted up to `max`.
  package func newsCount(of job: String, max: Int) throws(StoreError) -> Int {
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

  /// All kept versions of an item, newest first; none when the job has no such item.
  package func versions(job: String, key: ItemKey) throws(StoreError) -> [StoredItem] {
    try read { db in
      let row = try SQLStatement(
        db,
        """
        WITH RECURSIVE chain (sequence) AS (
          SELECT items.sequence FROM items JOIN jobs ON jobs.id = items.job
            WHERE jobs.name = ?1 AND items.key = ?2
          UNION ALL
          SELECT changes.previous FROM chain JOIN changes USING (sequence)
            WHERE changes.previous IS NOT NULL)
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

  /// Title and URL of the newest version of each of these items; nothing of those that the job has
  /// not.
  package func lastVersions(
    job: String, keys: [ItemKey]
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

  private func step(_ row: SQLStatement) throws -> Bool {
    do { return try row.step() } catch { throw StoreError(error, path: path) }
  }

  private func prepared(_ db: SQLConnection, _ query: ItemQuery) throws -> SQLStatement {
    let row = try SQLStatement(db, query.since == nil ? current(query) : log(query))
    var index: Int32 = 1
    for number in [query.since, query.limit.map(Int64.init)].compactMap({ $0 }) {
      row.bind(index, number)
      index += 1
    }
    row.bind(index, query.job)
    return row
  }

  private func log(_ query: ItemQuery) -> String {
    """
    SELECT \(Self.columns) FROM changes JOIN jobs ON jobs.id = changes.job
    WHERE changes.sequence > ?1 AND changes.kind <> \(ChangeKind.baseline.rawValue)
      \(query.job == nil ? "" : "AND jobs.name = \(query.limit == nil ? "?2" : "?3")")
    ORDER BY changes.sequence \(query.limit == nil ? "" : "LIMIT ?2")
    """
  }

  /// Of one job the heads are sorted, for they lie together; of all jobs the log is read backwards,
  /// which needs no sorting and stops early.
  private func current(_ query: ItemQuery) -> String {
    let limit = query.limit == nil ? "" : "LIMIT ?1"
    guard query.job != nil else {
      return """
        SELECT \(Self.columns) FROM changes
          JOIN items ON items.job = changes.job AND items.key = changes.key
            AND items.sequence = changes.sequence
          CROSS JOIN jobs ON jobs.id = changes.job
        WHERE items.presence = \(KnownItem.Presence.present.rawValue)
        ORDER BY changes.sequence DESC \(limit)
        """
    }
    return """
      SELECT \(Self.columns) FROM
        (SELECT items.sequence AS head FROM jobs CROSS JOIN items ON items.job = jobs.id
          WHERE jobs.name = \(query.limit == nil ? "?1" : "?2")
            AND items.presence = \(KnownItem.Presence.present.rawValue)
          ORDER BY items.sequence DESC \(limit))
        CROSS JOIN changes ON changes.sequence = head
        CROSS JOIN jobs ON jobs.id = changes.job
      ORDER BY head DESC
      """
  }

  private static func item(_ row: SQLStatement) -> StoredItem {
    StoredItem(
      sequence: row.integer(0), job: row.text(1) ?? "", key: ItemKey(row.text(2) ?? ""),
      change: UInt8(exactly: row.integer(3)).flatMap(ChangeKind.init) ?? .baseline,
      title: row.text(4), url: row.text(5), published: row.text(6), seenAt: row.time(7),
      fieldsJSON: row.text(8) ?? "{}")
  }
}

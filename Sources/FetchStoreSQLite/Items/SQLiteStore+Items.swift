package import FetchModel
package import FetchStore
internal import FetchValues

extension WriterStatement {
  static let anyItem = WriterStatement("SELECT 1 FROM items WHERE job = ? LIMIT 1")
  static let item = WriterStatement(
    """
    SELECT fingerprint_high, fingerprint_low, presence, last_seen_at FROM items
    WHERE job = ? AND key = ?
    """)
  static let presentItems = WriterStatement(
    """
    SELECT fingerprint_high, fingerprint_low, presence, last_seen_at, key FROM items
    WHERE job = ? AND presence = 0
    """)
  static let insertItem = WriterStatement("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?)")
  static let updateItem = WriterStatement(
    """
    UPDATE items SET fingerprint_high = ?3, fingerprint_low = ?4, presence = ?5,
      last_seen_at = ?6, sequence = ?7 WHERE job = ?1 AND key = ?2
    """)
  static let markSeen = WriterStatement(
    "UPDATE items SET last_seen_at = ?3 WHERE job = ?1 AND key = ?2")
  static let sequence = WriterStatement("SELECT sequence FROM items WHERE job = ? AND key = ?")
  static let insertChange = WriterStatement(
    "INSERT INTO changes VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
  static let insertRemoval = WriterStatement(
    """
    INSERT INTO changes
    SELECT NULL, ?1, ?2, ?3, ?4, ?5, ?6, was.title, was.url, was.published, '{}'
    FROM (SELECT 1) LEFT JOIN changes AS was ON was.sequence = ?4
    """)
}

extension WriterConnection {
  /// Returns the facts in the store about the items of a result. Searches for each item by its key.
  /// If the store has no item with this key and fingerprint, also searches by the alternate keys.
  /// If `withAllPresent` is true, also returns the facts about all present items of the job.
  func known(_ result: IdentifiedItems, job: Int64, withAllPresent: Bool) throws -> KnownItems {
    var known = KnownItems()
    guard try hasItems(job: job) else { return known }
    if withAllPresent { try readPresent(job: job, into: &known) }
    for item in result.items {
      try lookUp(item.key, job: job, into: &known)
      if known[item.key]?.fingerprint == item.fingerprint { continue }
      for key in item.alternates { try lookUp(key, job: job, into: &known) }
    }
    return known
  }

  private func hasItems(job: Int64) throws -> Bool {
    let row = try statement(.anyItem)
    row.bind(1, job)
    defer { row.reset() }
    return try row.step()
  }

  private func lookUp(_ key: ItemKey, job: Int64, into known: inout KnownItems) throws {
    guard known[key] == nil else { return }
    let row = try statement(.item)
    row.bind(1, job)
    row.bind(2, key.text)
    guard try row.step() else { return }
    known[key] = Self.knownItem(row)
    row.reset()
  }

  private func readPresent(job: Int64, into known: inout KnownItems) throws {
    let row = try statement(.presentItems)
    row.bind(1, job)
    while try row.step() { known[ItemKey(row.text(4) ?? "")] = Self.knownItem(row) }
  }

  private static func knownItem(_ row: SQLStatement) -> KnownItem {
    KnownItem(
      fingerprint: Fingerprint(
        high: UInt64(bitPattern: row.integer(0)), low: UInt64(bitPattern: row.integer(1))),
      presence: UInt8(exactly: row.integer(2)).flatMap(KnownItem.Presence.init) ?? .pruned,
      lastSeenAt: row.time(3))
  }

  /// Stores a run's changes, and stores `now` as the last-seen time of the items in `changes.seen`.
  /// Returns the sequence number of the first change, and the size of all changes in bytes. The
  /// sequence number is nil if there are no changes.
  func apply(
    _ changes: RunChanges, job: Int64, run: Int64, at now: Timestamp
  ) throws -> (first: Int64?, byteCount: Int) {
    var first: Int64?
    var byteCount = 0
    let isFirst = try !changes.changes.isEmpty && !hasItems(job: job)
    for change in changes.changes {
      let sequence = try apply(
        change, job: job, run: run, isFirst: isFirst, at: now, &byteCount)
      first = first ?? sequence
    }
    if byteCount > 0 { try addBytes(byteCount, job: job) }
    for key in changes.seen {
      let row = try statement(.markSeen)
      row.bind(1, job)
      row.bind(2, key.text)
      row.bind(3, now)
      try row.run()
    }
    return (first, byteCount)
  }

  private func apply(
    _ change: ItemChange, job: Int64, run: Int64, isFirst: Bool, at now: Timestamp,
    _ byteCount: inout Int
  ) throws -> Int64 {
    let previous = isFirst ? nil : try sequence(of: change.key, job: job)
    byteCount += try insert(change, job: job, run: run, previous: previous, at: now)
    let sequence = lastInsertedRow
    let row = try statement(previous == nil ? .insertItem : .updateItem)
    row.bind(1, job)
    row.bind(2, change.key.text)
    row.bind(3, Int64(bitPattern: change.fingerprint.high))
    row.bind(4, Int64(bitPattern: change.fingerprint.low))
    let presence: KnownItem.Presence = change.kind == .removed ? .removed : .present
    row.bind(5, Int64(presence.rawValue))
    row.bind(6, now)
    row.bind(7, sequence)
    try row.run()
    return sequence
  }

  private func sequence(of key: ItemKey, job: Int64) throws -> Int64? {
    let row = try statement(.sequence)
    row.bind(1, job)
    row.bind(2, key.text)
    guard try row.step() else { return nil }
    defer { row.reset() }
    return row.integer(0)
  }

  /// The size in bytes of `{}`, which a removal has as its fields.
  private static let emptyFieldsBytes = 2

  /// Inserts a change. Returns the size of the change in bytes.
  private func insert(
    _ change: ItemChange, job: Int64, run: Int64, previous: Int64?, at now: Timestamp
  ) throws -> Int {
    let fields = change.item?.fieldsJSON
    let row = try statement(fields == nil ? .insertRemoval : .insertChange)
    row.bind(1, job)
    row.bind(2, run)
    row.bind(3, Int64(change.kind.rawValue))
    row.bind(4, previous)
    row.bind(5, now)
    row.bind(6, change.key.text)
    guard let fields else {
      try row.run()
      return ItemChange.storedBytes(key: change.key, fields: Self.emptyFieldsBytes)
    }
    row.bind(7, change.item?.title)
    row.bind(8, change.item?.url)
    row.bind(9, change.item?.published)
    try row.run(with: fields, at: 10)
    return ItemChange.storedBytes(key: change.key, fields: fields.count)
  }
}

extension SQLiteStore {
  /// Returns the facts in the store about the items of a result. If `rules.complete` is true, also
  /// returns the facts about all present items of the job.
  package func known(
    _ result: IdentifiedItems, of job: JobSnapshot, rules: ItemRules
  ) async throws(StoreError) -> KnownItems {
    if job.id == nil && !openRuns.hasRow(job.name) { return KnownItems() }
    return try await queue.perform(isWrite: false) { connection in
      guard let id = try job.id ?? connection.existingJobID(job.name) else { return KnownItems() }
      return try connection.known(result, job: id, withAllPresent: rules.complete)
    }
  }
}

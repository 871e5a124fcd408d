package import FetchModel
package import FetchStore
package import FetchValues

extension PostgresStore {
  package func known(
    _ result: IdentifiedItems, of job: JobSnapshot, rules: ItemRules
  ) async throws(StoreError) -> KnownItems {
    if job.id == nil && !openRuns.hasRow(job.name) { return KnownItems() }
    return try await look { writer, connection in
      guard let id = try job.id ?? writer.existingJob(job.name, connection) else {
        return KnownItems()
      }
      return try writer.known(result, job: id, withAllPresent: rules.complete, connection)
    }
  }
}

extension PostgresWriter {
  /// Returns the stored facts about the items of a result. The alternate keys of an item are looked
  /// up only if the store has no item with the same key and fingerprint.
  ///
  /// With `withAllPresent`, also returns the facts about all present items of the job.
  func known(
    _ result: IdentifiedItems, job: Int64, withAllPresent: Bool, _ connection: PostgresConnection
  ) throws -> KnownItems {
    var known = KnownItems()
    if withAllPresent {
      var arguments = PostgresArguments()
      arguments.add(job)
      try connection.run(
        PostgresStatement("\(Self.columns) WHERE job = $1 AND presence = 0"), arguments
      ).forEach { Self.add($0, to: &known) }
    }
    try lookUp(result.items.map(\.key), job, &known, connection)
    let others = result.items.filter { known[$0.key]?.fingerprint != $0.fingerprint }
    try lookUp(others.flatMap(\.alternates), job, &known, connection)
    return known
  }

  private static let columns = """
    SELECT key, fingerprint_high, fingerprint_low, presence, last_seen_at FROM fetchrun.items
    """

  private func lookUp(
    _ keys: [ItemKey], _ job: Int64, _ known: inout KnownItems, _ connection: PostgresConnection
  ) throws {
    let missing = keys.filter { known[$0] == nil }
    if missing.isEmpty { return }
    var arguments = PostgresArguments()
    arguments.add(job)
    arguments.add(contents: missing.map(\.text))
    try connection.run(
      PostgresStatement("\(Self.columns) WHERE job = $1 AND key = ANY ($2::bytea[])"), arguments
    ).forEach { Self.add($0, to: &known) }
  }

  private static func add(_ row: PostgresRow, to known: inout KnownItems) {
    known[ItemKey(row.text(0) ?? "")] = KnownItem(
      fingerprint: Fingerprint(
        high: UInt64(bitPattern: row.integer(1)), low: UInt64(bitPattern: row.integer(2))),
      presence: UInt8(exactly: row.integer(3)).flatMap(KnownItem.Presence.init) ?? .pruned,
      lastSeenAt: row.time(4))
  }
}

/// The conversion of rows of the table `changes` into items.
private enum ItemRows {
  static let columns = """
    changes.sequence, jobs.name, changes.key, changes.kind, changes.title, changes.url,
    changes.published, changes.seen_at, changes.fields
    """

  static let log = "fetchrun.changes JOIN fetchrun.jobs ON jobs.id = changes.job"

  static func item(_ row: PostgresRow) -> StoredItem {
    StoredItem(
      sequence: row.integer(0), job: row.name(1), key: ItemKey(row.text(2) ?? ""),
      change: UInt8(exactly: row.integer(3)).flatMap(ChangeKind.init) ?? .baseline,
      title: row.text(4), url: row.text(5), published: row.text(6), seenAt: row.time(7),
      fieldsJSON: row.text(8) ?? "{}")
  }
}

extension PostgresReading {
  package func items(
    _ query: ItemQuery, after mark: PageMark?
  ) async throws(StoreError) -> Page<StoredItem> {
    let (start, left): (Int64?, Int?) =
      switch mark {
      case .sequence(let last, let left): (last, left)
      case nil, .row, .items: (query.since ?? query.before, query.limit)
      }
    let count = min(left ?? .max, PageMark.countMax)
    var arguments = PostgresArguments()
    arguments.add(start ?? .max)
    arguments.add(count)
    if let job = query.job { arguments.add(job) }
    let statement = Self.page(query)
    return try await reader.read { [arguments] connection in
      let items = try connection.run(statement, arguments).map(ItemRows.item)
      let rest = left.map { $0 - items.count }
      let isCut = items.count == count || items.fieldsByteCount >= ReadBounds.pageBytesMax
      guard isCut, rest != 0, let end = items.last?.sequence else { return Page(items) }
      return Page(items, next: .sequence(end, left: rest))
    }
  }

  /// Returns the statement for one page. A page ends at the latest with the item that reaches
  /// `ReadBounds.pageBytesMax`.
  private static func page(_ query: ItemQuery) -> PostgresStatement {
    let order = query.since == nil ? "sequence DESC" : "sequence"
    return PostgresStatement(
      """
      SELECT \(ItemRows.columns) FROM (
        SELECT *, sum(length(fields)) OVER (ORDER BY \(order)) - length(fields) AS before
        FROM (\(rows(of: query))) AS page) AS changes
      JOIN fetchrun.jobs ON jobs.id = changes.job
      WHERE before < \(ReadBounds.pageBytesMax) ORDER BY \(order)
      """)
  }

  /// Returns the query for the rows of `changes` of one page, without the limit in bytes.
  private static func rows(of query: ItemQuery) -> String {
    if query.since != nil {
      return """
        SELECT * FROM fetchrun.changes
        WHERE sequence > $1 AND kind <> \(ChangeKind.baseline.rawValue)
          \(query.job == nil ? "" : "AND job = (SELECT id FROM fetchrun.jobs WHERE name = $3)")
        ORDER BY sequence LIMIT $2
        """
    }
    guard query.job != nil else {
      return """
        SELECT changes.* FROM fetchrun.changes
          JOIN fetchrun.items ON items.job = changes.job AND items.key = changes.key
            AND items.sequence = changes.sequence
        WHERE items.presence = 0 AND changes.sequence < $1
        ORDER BY changes.sequence DESC LIMIT $2
        """
    }
    return """
      SELECT changes.* FROM
        (SELECT items.sequence AS head FROM fetchrun.items
          WHERE items.job = (SELECT id FROM fetchrun.jobs WHERE name = $3)
            AND items.sequence < $1 AND items.presence = 0
          ORDER BY items.sequence DESC LIMIT $2) AS heads
        JOIN fetchrun.changes ON changes.sequence = head
      """
  }

  package func lastSequence() async throws(StoreError) -> Int64 {
    try await reader.read { try Self.numbers($0).sequence }
  }

  package func newsCount(of job: JobName, max: Int) async throws(StoreError) -> Int {
    var arguments = PostgresArguments()
    arguments.add(job)
    arguments.add(max)
    return try await reader.read { [arguments] connection in
      let row = try connection.run(
        PostgresStatement(
          """
          SELECT count(*) FROM (
            SELECT FROM fetchrun.items JOIN fetchrun.changes USING (sequence)
            WHERE items.job = (SELECT id FROM fetchrun.jobs WHERE name = $1)
              AND changes.kind <> \(ChangeKind.baseline.rawValue) LIMIT $2) AS news
          """), arguments
      ).first
      return Int(clamping: row?.integer(0) ?? 0)
    }
  }

  package func versions(job: JobName, key: ItemKey) async throws(StoreError) -> [StoredItem] {
    var arguments = PostgresArguments()
    arguments.add(job)
    arguments.add(content: key.text)
    return try await reader.read { [arguments] connection in
      try connection.run(
        PostgresStatement(
          """
          WITH RECURSIVE chain (sequence) AS (
            SELECT sequence FROM fetchrun.items
              WHERE job = (SELECT id FROM fetchrun.jobs WHERE name = $1) AND key = $2
            UNION ALL
            SELECT changes.previous FROM chain JOIN fetchrun.changes USING (sequence)
              WHERE changes.previous < changes.sequence)
          SELECT \(ItemRows.columns) FROM chain JOIN fetchrun.changes USING (sequence)
            JOIN fetchrun.jobs ON jobs.id = changes.job ORDER BY changes.sequence DESC
          """), arguments
      ).map(ItemRows.item)
    }
  }

  package func lastVersions(
    job: JobName, keys: [ItemKey]
  ) async throws(StoreError) -> [ItemKey: LastVersion] {
    var arguments = PostgresArguments()
    arguments.add(job)
    arguments.add(contents: keys.map(\.text))
    return try await reader.read { [arguments] connection in
      var versions: [ItemKey: LastVersion] = [:]
      try connection.run(
        PostgresStatement(
          """
          SELECT items.key, changes.title, changes.url
          FROM fetchrun.items JOIN fetchrun.changes USING (sequence)
          WHERE items.job = (SELECT id FROM fetchrun.jobs WHERE name = $1)
            AND items.key = ANY ($2::bytea[])
          """), arguments
      ).forEach { row in
        versions[ItemKey(row.text(0) ?? "")] = LastVersion(title: row.text(1), url: row.text(2))
      }
      return versions
    }
  }

  package func change(_ sequence: Int64) async throws(StoreError) -> StoredItem? {
    var arguments = PostgresArguments()
    arguments.add(sequence)
    return try await reader.read { [arguments] connection in
      try connection.run(
        PostgresStatement("SELECT \(ItemRows.columns) FROM \(ItemRows.log) WHERE sequence = $1"),
        arguments
      ).first.map(ItemRows.item)
    }
  }

  package func changes(_ query: ChangeQuery) async throws(StoreError) -> ChangePage {
    let since = max(0, query.since)
    let count = max(1, min(query.limit, PageMark.countMax))
    return try await reader.readAtOnce { connection in
      let last = try Self.numbers(connection).sequence
      var arguments = PostgresArguments()
      arguments.add(since)
      // Sequence numbers have gaps where changes were removed.
      let first = try connection.run(
        PostgresStatement(
          """
          SELECT sequence FROM fetchrun.changes WHERE sequence > $1 ORDER BY sequence LIMIT 1
          """), arguments
      ).first?.integer(0)
      guard let first else { return ChangePage([], end: max(since, last), isLast: true) }
      let scanned = first &+ Int64(ReadBounds.rowsScannedMax - 1)
      var bounds = PostgresArguments()
      bounds.add(first)
      bounds.add(scanned)
      bounds.add(count)
      bounds.add(ReadBounds.pageBytesMax)
      if let job = query.job { bounds.add(job) }
      // A page ends at the latest with the change that reaches `ReadBounds.pageBytesMax`.
      let changes = try connection.run(
        PostgresStatement(
          """
          SELECT \(ItemRows.columns) FROM (
            SELECT *, sum(length(fields)) OVER (ORDER BY sequence) - length(fields) AS before
            FROM (
              SELECT * FROM fetchrun.changes WHERE sequence BETWEEN $1 AND $2
                AND kind <> \(ChangeKind.baseline.rawValue)
                \(query.job == nil ? "" : "AND job = (SELECT id FROM fetchrun.jobs WHERE name = $5)")
              ORDER BY sequence LIMIT $3) AS page) AS changes
          JOIN fetchrun.jobs ON jobs.id = changes.job
          WHERE before < $4 ORDER BY sequence
          """), bounds
      ).map(ItemRows.item)
      let isCut = changes.count == count || changes.fieldsByteCount >= ReadBounds.pageBytesMax
      let end = isCut ? changes.last?.sequence ?? scanned : min(scanned, last)
      return ChangePage(changes, end: end, isLast: end >= last)
    }
  }

  package func lastChange(
    of job: JobName?, after sequence: Int64
  ) async throws(StoreError) -> LastChange {
    try await reader.readAtOnce { connection in
      let last = try Self.numbers(connection).sequence
      let after = max(0, sequence)
      guard after < last, let job else {
        return LastChange(after < last ? last : nil, end: last, isLast: true)
      }
      let end = after + min(last - after, Int64(ReadBounds.rowsScannedMax))
      var arguments = PostgresArguments()
      arguments.add(after)
      arguments.add(end)
      arguments.add(job)
      let found = try connection.run(
        PostgresStatement(
          """
          SELECT max(sequence) FROM fetchrun.changes WHERE sequence > $1 AND sequence <= $2
            AND job = (SELECT id FROM fetchrun.jobs WHERE name = $3)
          """), arguments
      ).first?.optionalInteger(0)
      return LastChange(found, end: end, isLast: end == last)
    }
  }

  /// Returns the stored name of the writer's last transaction, as a number; 0 if none is stored.
  /// Each commit of `PostgresWriter.attempt` stores a new random name.
  package func dataVersion() async throws(StoreError) -> Int64 {
    try await reader.read { connection in
      let batch =
        try connection.run(PostgresStatement("SELECT batch FROM fetchrun.writer")).first?.bytes(0)
        ?? []
      return batch.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
  }
}

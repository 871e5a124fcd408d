package import FetchModel
package import FetchStore
package import FetchValues
internal import Synchronization

extension PostgresStore {
  package func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) -> Int {
    var mark = RetentionProgressMark()
    while !mark.isOver {
      mark = try await write { [mark] writer, connection, _ in
        try writer.step(mark, retention, now, connection)
      }
    }
    return mark.removedCount
  }

  package func keepUp(
    _ retention: Retention?, now: Timestamp
  ) async throws(StoreError) -> RetentionProgress {
    try await write { writer, connection, _ in
      try writer.keepUp(retention, now, connection)
    }
  }

  package func setLimits(_ retention: Retention) async throws(StoreError) {
    shareMax.store(RetentionEntry.jobBytesMax(retention), ordering: .relaxed)
  }

  /// Does nothing: the server reuses the space of removed rows by itself.
  package func compact() async throws(StoreError) {}
}

extension PostgresWriter {
  private static let sweepPeriod: Duration = .seconds(86_400)
  private static let dayMilliseconds: Int64 = 86_400_000

  /// Performs one step of retention if it is due.
  func keepUp(
    _ wanted: Retention?, _ now: Timestamp, _ connection: PostgresConnection
  ) throws -> RetentionProgress {
    var entry = try RetentionEntry(read: connection)
    let before = entry
    if let wanted, wanted != entry.retention ?? Retention() {
      (entry.retention, entry.endedAt, entry.sweep) = (wanted, nil, nil)
    }
    if entry.sweep == nil {
      let until = try restsUntil(entry, now, connection)
      if until > now {
        if entry != before { try entry.store(connection) }
        return .rests(until: until)
      }
    }
    let usual = entry.retention ?? Retention()
    let rule = try isPressed(usual, connection) ? usual.underPressure : usual
    let after = try step(entry.sweep ?? RetentionProgressMark(), rule, now, connection)
    entry.sweep = after.isOver ? nil : after
    if after.isOver { entry.endedAt = now }
    try entry.store(connection)
    return after.isOver ? .rests(until: now + Self.sweepPeriod) : .goesOn
  }

  private func restsUntil(
    _ entry: RetentionEntry, _ now: Timestamp, _ connection: PostgresConnection
  ) throws -> Timestamp {
    // The stored time may be in the future if the clock was set back afterwards.
    if let last = entry.endedAt { return last > now ? now : last + Self.sweepPeriod }
    // On its first day, a store rarely has data to remove.
    let first = try connection.run(
      PostgresStatement("SELECT started_at FROM fetchrun.runs ORDER BY ended LIMIT 1")
    ).first
    return (first?.time(0) ?? now) + Self.sweepPeriod
  }

  /// Whether the store uses more than nine tenths of its maximum size; false without a maximum
  /// size. The tables `items` and `changes` may not shrink when rows are removed. Their size
  /// therefore counts as at most twice the size of the kept versions.
  private func isPressed(_ rule: Retention, _ connection: PostgresConnection) throws -> Bool {
    guard let bytesMax = rule.bytesMax else { return false }
    let row = try connection.run(
      PostgresStatement(
        """
        SELECT (SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class
            WHERE relnamespace = 'fetchrun'::regnamespace AND relkind = 'r'
              AND relname NOT IN ('changes', 'items'))::bigint
          + (SELECT least(
              pg_total_relation_size('fetchrun.changes') + pg_total_relation_size('fetchrun.items'),
              2 * coalesce(sum(bytes), 0)) FROM fetchrun.jobs)::bigint
        """)
    ).first
    return row?.integer(0) ?? 0 > bytesMax / 10 * 9
  }

  /// Performs one step of a sweep and returns the progress after it.
  func step(
    _ before: RetentionProgressMark, _ rule: Retention, _ now: Timestamp,
    _ connection: PostgresConnection
  ) throws -> RetentionProgressMark {
    var mark = before
    if try isOver(&mark, rule, now, connection) { mark.next() }
    // The sizes of jobs may have changed.
    if mark.removedCount != before.removedCount { memory.forgetAll() }
    return mark
  }

  /// Performs one step of `mark.part`. Returns whether the part is finished.
  private func isOver(
    _ mark: inout RetentionProgressMark, _ rule: Retention, _ now: Timestamp,
    _ connection: PostgresConnection
  ) throws -> Bool {
    let old = rule.runDays.map { now.milliseconds - Self.milliseconds($0) }
    switch mark.part {
    case .partitions:
      // A reader, such as a backup, may lock the tables for a long time. Runs of days without a
      // partition are then stored in `runs_other`, and the next sweep tries again.
      try connection.execute("SAVEPOINT days; SET LOCAL lock_timeout = 200")
      do {
        try makePartitions(around: now, connection)
        if let old { mark.removedCount += try dropPartitions(before: old, connection) }
        try connection.execute("RELEASE days; SET LOCAL lock_timeout = 5000")
      } catch let fault as PostgresFault where fault.kind == .statement("55P03") {
        try connection.execute("ROLLBACK TO days")
      }
      return true
    case .answers:
      return try remove("kept_runs", "number", "started_at < $1", old, &mark, connection)
    case .runs:
      return try remove("runs_other", "ended", "started_at < $1", old, &mark, connection)
    case .transfers:
      return try remove("transfers", "id", "told AND updated_at < $1", old, &mark, connection)
    case .deliveries:
      return try remove(
        "outbox", "id", "state = 'dead' AND created_at < $1", old, &mark, connection)
    case .origins:
      return try remove("origins", "origin", "cool_until < $1", now.milliseconds, &mark, connection)
    case .versions:
      guard let count = rule.versionCount else { return true }
      return try removeVersions(keeping: max(1, count), &mark, connection)
    case .items: return try removeItems(after: rule.itemDays, tombstones: false, &mark, connection)
    case .tombstones:
      return try removeItems(after: rule.tombstoneDays, tombstones: true, &mark, connection)
    }
  }

  private static func milliseconds(_ days: Int) -> Int64 {
    Int64(min(max(0, days), Retention.daysMax)) * dayMilliseconds
  }

  private func remove(
    _ table: String, _ key: String, _ condition: String, _ time: Int64?,
    _ mark: inout RetentionProgressMark, _ connection: PostgresConnection
  ) throws -> Bool {
    guard let time else { return true }
    var arguments = PostgresArguments()
    arguments.add(time)
    let count = try connection.run(
      PostgresStatement(
        """
        DELETE FROM fetchrun.\(table) WHERE \(key) IN (
          SELECT \(key) FROM fetchrun.\(table) WHERE \(condition)
          LIMIT \(RetentionProgressMark.rowsMax))
        """), arguments
    ).changedCount
    mark.removedCount += count
    return count < RetentionProgressMark.rowsMax
  }

  // MARK: Partitions

  /// Creates missing partitions for the days around a time.
  func makePartitions(around now: Timestamp) throws(StoreError) {
    try transaction { connection, _ in try makePartitions(around: now, connection) }
  }

  private func makePartitions(
    around now: Timestamp, _ connection: PostgresConnection
  ) throws {
    let today = now.milliseconds.floorDivided(by: Self.dayMilliseconds)
    // Days before 1970 have no partition: `runs_other` has the runs of such a wrong clock.
    for day in (today - 1)...(today + 3) where day >= 0 {
      let start = day * Self.dayMilliseconds
      var arguments = PostgresArguments()
      arguments.add(start)
      arguments.add(start + Self.dayMilliseconds)
      // PostgreSQL cannot create a partition for a day that has rows in `runs_other`. A run
      // recorded with a wrong clock can be such a row.
      let isFree =
        try connection.run(
          PostgresStatement(
            """
            SELECT NOT EXISTS (
              SELECT FROM fetchrun.runs_other WHERE started_at >= $1 AND started_at < $2)
            """), arguments
        ).first?.integer(0) == 1
      guard isFree else { continue }
      try connection.execute(
        """
        CREATE TABLE IF NOT EXISTS fetchrun.\(Self.partition(day)) PARTITION OF fetchrun.runs
          FOR VALUES FROM (\(start)) TO (\(start + Self.dayMilliseconds))
        """)
    }
  }

  /// Returns the name of a day's partition. Days are counted from 1 January 1970.
  private static func partition(_ day: Int64) -> String { "runs_d\(day)" }

  /// Drops the partitions of the days before a time. Returns the number of runs in them.
  private func dropPartitions(
    before time: Int64, _ connection: PostgresConnection
  ) throws -> Int {
    let names = try connection.run(
      PostgresStatement(
        """
        SELECT relname::text FROM pg_class
        WHERE relnamespace = 'fetchrun'::regnamespace AND relkind = 'r' AND relname LIKE 'runs\\_d%'
        """)
    ).compactMap { $0.text(0) }
    var count = 0
    for name in names {
      guard let day = Int64(name.dropFirst("runs_d".count)), name == Self.partition(day),
        (-(1 << 32)..<(1 << 32)).contains(day), (day + 1) * Self.dayMilliseconds <= time
      else { continue }
      let rows = try connection.run(PostgresStatement("SELECT count(*) FROM fetchrun.\(name)"))
      count += Int(clamping: max(0, min(rows.first?.integer(0) ?? 0, 1 << 40)))
      try connection.execute("DROP TABLE fetchrun.\(name)")
    }
    return count
  }

  // MARK: Versions and items

  /// Reads the next changes of the log, and removes old versions of the changed items. A version is
  /// old if the item has at least `count` newer versions. Returns whether the end of the log is
  /// reached.
  private func removeVersions(
    keeping count: Int, _ mark: inout RetentionProgressMark, _ connection: PostgresConnection
  ) throws -> Bool {
    var arguments = PostgresArguments()
    arguments.add(mark.sequence)
    arguments.add(count)
    let row = try connection.run(
      PostgresStatement(
        """
        WITH RECURSIVE page AS (
          SELECT sequence, previous FROM fetchrun.changes WHERE sequence > $1
          ORDER BY sequence LIMIT \(RetentionProgressMark.rowsMax)),
        chain (sequence, depth) AS (
          SELECT previous, 1::bigint FROM page WHERE previous < sequence
          UNION
          SELECT changes.previous, depth + 1 FROM chain JOIN fetchrun.changes USING (sequence)
          WHERE changes.previous < changes.sequence),
        gone AS (
          DELETE FROM fetchrun.changes USING chain
          WHERE changes.sequence = chain.sequence AND depth >= $2
          RETURNING changes.job, \(Self.changeBytes) AS bytes),
        noted AS (
          UPDATE fetchrun.jobs SET bytes = greatest(0, jobs.bytes - sums.bytes)
          FROM (SELECT job, sum(bytes)::bigint AS bytes FROM gone GROUP BY job) AS sums
          WHERE jobs.id = sums.job)
        SELECT max(sequence), count(*), (SELECT count(*) FROM gone) FROM page
        """), arguments
    ).first
    mark.removedCount += Int(clamping: row?.integer(2) ?? 0)
    mark.sequence = row?.optionalInteger(0) ?? mark.sequence
    return row?.integer(1) ?? 0 < Int64(RetentionProgressMark.rowsMax)
  }

  private static let changeBytes = """
    (\(ItemChange.storedBytesEach) + length(changes.key) + length(changes.fields))
    """

  /// Removes the content of old items of one job. An item is old if the job's latest seen item was
  /// seen more than `days` days and `lastSeenRenewal` after it. With `tombstones`, instead removes
  /// old items that are not present, with their content. Returns whether all jobs are finished.
  private func removeItems(
    after days: Int?, tombstones: Bool, _ mark: inout RetentionProgressMark,
    _ connection: PostgresConnection
  ) throws -> Bool {
    guard let days else { return true }
    if mark.job == 0 {
      guard let first = try nextJob(after: 0, connection) else { return true }
      mark.job = first
    }
    let unseen = Self.milliseconds(days) + KnownItem.lastSeenRenewal.wholeMilliseconds
    var arguments = PostgresArguments()
    arguments.add(mark.job)
    arguments.add(unseen)
    let (present, pruned) = (
      KnownItem.Presence.present.rawValue, KnownItem.Presence.pruned.rawValue
    )
    let old = """
      WITH RECURSIVE old AS (
        SELECT key, sequence, presence FROM fetchrun.items
        WHERE job = $1 AND presence <> \(tombstones ? present : pruned)
          AND last_seen_at < (SELECT max(last_seen_at) FROM fetchrun.items WHERE job = $1) - $2
        LIMIT \(RetentionProgressMark.rowsMax)),
      chain (sequence) AS (
        SELECT sequence FROM old WHERE presence <> \(pruned)
        UNION
        SELECT changes.previous FROM chain JOIN fetchrun.changes USING (sequence)
        WHERE changes.previous < changes.sequence),
      gone AS (
        DELETE FROM fetchrun.changes USING chain WHERE changes.sequence = chain.sequence
        RETURNING \(Self.changeBytes) AS bytes),
      noted AS (
        UPDATE fetchrun.jobs SET bytes = greatest(0, bytes - coalesce(
          (SELECT sum(bytes)::bigint FROM gone), 0)) WHERE id = $1)
      """
    let change =
      tombstones
      ? "DELETE FROM fetchrun.items USING old WHERE job = $1 AND items.key = old.key"
      : """
      UPDATE fetchrun.items SET presence = \(pruned) FROM old
      WHERE job = $1 AND items.key = old.key
      """
    let count = try connection.run(PostgresStatement("\(old) \(change)"), arguments).changedCount
    mark.removedCount += count
    if count == RetentionProgressMark.rowsMax { return false }
    guard let next = try nextJob(after: mark.job, connection) else { return true }
    mark.job = next
    return false
  }

  private func nextJob(after job: Int64, _ connection: PostgresConnection) throws -> Int64? {
    var arguments = PostgresArguments()
    arguments.add(job)
    return try connection.run(
      PostgresStatement("SELECT id FROM fetchrun.jobs WHERE id > $1 ORDER BY id LIMIT 1"), arguments
    ).first?.integer(0)
  }
}

extension PostgresReading {
  /// Returns at most 20 messages, one for each item whose newest version is missing. Pruned items
  /// need no version.
  package func check() async throws(StoreError) -> [String] {
    try await reader.read { connection in
      try connection.run(
        PostgresStatement(
          """
          SELECT format('the item %L of the job %L has no version', fetchrun.shown(items.key),
            jobs.name)
          FROM fetchrun.items JOIN fetchrun.jobs ON jobs.id = items.job
          WHERE presence <> \(KnownItem.Presence.pruned.rawValue) AND NOT EXISTS (
            SELECT FROM fetchrun.changes WHERE changes.sequence = items.sequence)
          LIMIT 20
          """)
      ).compactMap { $0.text(0) }
    }
  }
}

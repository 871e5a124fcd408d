internal import FetchModel
internal import GRDB

extension WriterConnection {
  func reset(job name: String) throws -> Bool {
    guard let id = try existingJobID(name) else { return false }
    for table in ["items", "changes", "validators", "transfers"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE job = ?", arguments: [id])
    }
    try db.execute(sql: "DELETE FROM kept_runs WHERE job = ?", arguments: [name])
    // What hooks have not been told yet they are told all the same.
    try db.execute(
      sql: "UPDATE jobs SET state = NULL, first_result_at = NULL WHERE id = ?", arguments: [id])
    return true
  }

  func prune(_ retention: Retention, now: Timestamp) throws -> Int {
    let before = db.totalChangesCount
    if let count = retention.versionCount { try pruneVersions(keeping: max(1, count)) }
    if let days = retention.runDays {
      try db.execute(
        sql: "DELETE FROM runs WHERE started_at < ? AND outcome <> ?",
        arguments: [now.milliseconds - Self.milliseconds(days), RunRow.runningWord])
      try db.execute(
        sql: "DELETE FROM kept_runs WHERE started_at < ?",
        arguments: [now.milliseconds - Self.milliseconds(days)])
    }
    if let days = retention.runDays {
      try db.execute(
        sql: "DELETE FROM transfers WHERE told = 1 AND updated_at < ?",
        arguments: [now.milliseconds - Self.milliseconds(days)])
    }
    if let days = retention.runDays {
      try db.execute(
        sql: "DELETE FROM outbox WHERE state = 'dead' AND created_at < ?",
        arguments: [now.milliseconds - Self.milliseconds(days)])
    }
    if let days = retention.itemDays { try pruneItems(unseenFor: Self.milliseconds(days)) }
    if let days = retention.tombstoneDays {
      try pruneTombstones(unseenFor: Self.milliseconds(days))
    }
    try db.execute(sql: "DELETE FROM origins WHERE cool_until < ?", arguments: [now.milliseconds])
    return db.totalChangesCount - before
  }

  private func pruneVersions(keeping count: Int) throws {
    try db.execute(
      sql: """
        DELETE FROM changes WHERE sequence IN (
          SELECT sequence FROM (
            SELECT sequence, row_number() OVER (PARTITION BY job, key ORDER BY sequence DESC) AS age
            FROM changes)
          WHERE age > ?)
        """, arguments: [count])
  }

  /// Time counts from what the job's source showed last, not from now: a job that was paused or
  /// whose source is down for a year forgets nothing meanwhile. What the source still shows may have
  /// been noted a renewal ago.
  private func pruneItems(unseenFor milliseconds: Int64) throws {
    try db.execute(
      sql: """
        UPDATE items SET presence = \(KnownItem.Presence.pruned.rawValue)
        WHERE presence <> \(KnownItem.Presence.pruned.rawValue) AND last_seen_at <
          (SELECT max(last_seen_at) FROM items AS newest WHERE newest.job = items.job) - ?
        """, arguments: [milliseconds + KnownItem.lastSeenRenewal.wholeMilliseconds])
    try db.execute(
      sql: """
        DELETE FROM changes WHERE EXISTS (
          SELECT 1 FROM items WHERE items.job = changes.job AND items.key = changes.key
            AND items.presence = \(KnownItem.Presence.pruned.rawValue))
        """)
  }

  private func pruneTombstones(unseenFor milliseconds: Int64) throws {
    try db.execute(
      sql: """
        DELETE FROM items WHERE presence = \(KnownItem.Presence.pruned.rawValue) AND last_seen_at <
          (SELECT max(last_seen_at) FROM items AS newest WHERE newest.job = items.job) - ?
        """, arguments: [milliseconds + KnownItem.lastSeenRenewal.wholeMilliseconds])
  }

  private static func milliseconds(_ days: Int) -> Int64 {
    Int64(min(max(0, days), 1_000_000)) * 86_400_000
  }
}

import FetchModel

/// What the connection that writes does again and again. Each statement is prepared when it is first
/// needed: most commands need few of them.
enum WriterStatement: Int, CaseIterable {
  case begin
  case beginRead
  case commit
  case rollback

  case job
  case insertJob
  case markFirstResult
  case setIdentity
  case setState
  case setSchedule
  case setLearned
  case setGrant
  case ledgerEntry
  case removeLedgerEntry
  case setLedger
  case validators
  case setValidators
  case setCoolDown

  case anyItem
  case item
  case presentItems
  case insertItem
  case updateItem
  case markSeen
  case sequence
  case insertChange
  case insertRemoval

  case addBytes
  case nextChanges
  case previousChange
  case changeSize
  case removeChange
  case nextItems
  case removeItem
  case markPruned

  case insertRun
  case updateRun
  case insertSkip
  case forgetOldSkips

  case dropPendingTransfer
  case insertTransfer
  case updateTransfer
  case markTransferTold
  case pendingTransfer
  case transfer

  case insertDelivery
  case updateDelivery
  case setDeliveryTime
  case removeDelivery

  var sql: String {
    switch self {
    case .begin: "BEGIN IMMEDIATE"
    case .beginRead: "BEGIN"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"

    case .job:
      """
      SELECT id, first_result_at, state, bytes, \(GrantRow.columns)
      FROM jobs LEFT JOIN grants ON grants.job = jobs.id AND grants.plugin = ?2 WHERE name = ?1
      """
    case .insertJob: "INSERT INTO jobs (name, plugin) VALUES (?, ?)"
    case .markFirstResult:
      "UPDATE jobs SET first_result_at = ?2 WHERE id = ?1 AND first_result_at IS NULL"
    case .setIdentity:
      "UPDATE jobs SET identity = ?2 WHERE id = ?1 AND identity IS NOT ?2"
    case .setState: "UPDATE jobs SET state = ?2 WHERE id = ?1"
    case .setSchedule: "UPDATE jobs SET schedule = ?2 WHERE id = ?1"
    case .setLearned:
      """
      INSERT INTO learned (job, content) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET content = excluded.content
      """
    case .setGrant:
      """
      INSERT INTO grants VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET hash = excluded.hash, asked = excluded.asked,
        granted_at = excluded.granted_at, source = excluded.source
      """
    case .ledgerEntry: "SELECT content FROM ledger WHERE name = ?"
    case .removeLedgerEntry: "DELETE FROM ledger WHERE name = ?"
    case .setLedger:
      """
      INSERT INTO ledger (name, content) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET content = excluded.content
      """
    case .validators:
      """
      SELECT url, etag, last_modified, body_hash, last_full_answer_at, reading FROM validators
      WHERE job = ?
      """
    case .setValidators:
      """
      INSERT INTO validators VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET etag = excluded.etag, last_modified = excluded.last_modified,
        body_hash = excluded.body_hash, last_full_answer_at = excluded.last_full_answer_at,
        reading = excluded.reading
      """
    case .setCoolDown:
      """
      INSERT INTO origins VALUES (?, ?)
      ON CONFLICT DO UPDATE SET cool_until = max(cool_until, excluded.cool_until)
      """

    case .anyItem: "SELECT 1 FROM items WHERE job = ? LIMIT 1"
    case .item:
      """
      SELECT fingerprint_high, fingerprint_low, presence, last_seen_at FROM items
      WHERE job = ? AND key = ?
      """
    case .presentItems:
      """
      SELECT fingerprint_high, fingerprint_low, presence, last_seen_at, key FROM items
      WHERE job = ? AND presence = 0
      """
    case .insertItem: "INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?)"
    case .updateItem:
      """
      UPDATE items SET fingerprint_high = ?3, fingerprint_low = ?4, presence = ?5,
        last_seen_at = ?6, sequence = ?7 WHERE job = ?1 AND key = ?2
      """
    case .markSeen: "UPDATE items SET last_seen_at = ?3 WHERE job = ?1 AND key = ?2"
    case .sequence: "SELECT sequence FROM items WHERE job = ? AND key = ?"
    case .insertChange: "INSERT INTO changes VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    case .insertRemoval:
      """
      INSERT INTO changes
      SELECT NULL, ?1, ?2, ?3, ?4, ?5, ?6, was.title, was.url, was.published, '{}'
      FROM (SELECT 1) LEFT JOIN changes AS was ON was.sequence = ?4
      """

    case .addBytes: "UPDATE jobs SET bytes = max(0, bytes + ?2) WHERE id = ?1"
    case .nextChanges:
      "SELECT sequence, previous FROM changes WHERE sequence > ? ORDER BY sequence LIMIT ?"
    case .previousChange: "SELECT previous FROM changes WHERE sequence = ?"
    case .changeSize: "SELECT job, \(StoreSchema.changeBytes) FROM changes WHERE sequence = ?"
    case .removeChange: "DELETE FROM changes WHERE sequence = ?"
    case .nextItems:
      """
      SELECT key, last_seen_at, presence, sequence FROM items
      WHERE job = ? AND key > ? ORDER BY key LIMIT ?
      """
    case .removeItem: "DELETE FROM items WHERE job = ? AND key = ?"
    case .markPruned:
      "UPDATE items SET presence = \(KnownItem.Presence.pruned.rawValue) WHERE job = ? AND key = ?"

    case .insertRun:
      """
      INSERT INTO runs VALUES
        (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    case .updateRun:
      """
      UPDATE runs SET run = ?1, job = ?2, plugin = ?3, trigger = ?4, outcome = ?5, reason = ?6,
        added = ?7, updated = ?8, removed = ?9, started_at = ?10, duration_ms = ?11,
        cpu_us = ?12, requests = ?13, received_bytes = ?14, failure = ?15, next_due_at = ?16
      WHERE number = ?17 AND run = ?1
      """
    case .insertSkip: "INSERT INTO skips (job, skipped_at, reason) VALUES (?, ?, ?)"
    case .forgetOldSkips:
      """
      DELETE FROM skips WHERE job = ?1 AND number <= (
        SELECT number FROM skips WHERE job = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
      """

    case .dropPendingTransfer:
      "DELETE FROM transfers WHERE job = ? AND path = ? AND \(TransferRow.pending)"
    case .insertTransfer:
      """
      INSERT INTO transfers (
        id, job, path, url, sha256, size, modified_at, headers, backup, state, told, received, total,
        has_strong_date, attempts, failures, changes, created_at, updated_at, sealed)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, 0, ?11, 0, 0, 0, 0, ?12, ?12, ?13)
      """
    case .updateTransfer:
      """
      UPDATE transfers SET state = ?, told = ?, received = ?, total = ?, etag = ?,
        last_modified = ?, has_strong_date = ?, boot = ?, attempts = ?, failures = ?,
        failing_since = ?, changes = ?, next_attempt_at = ?, failure = ?, found_sha256 = ?,
        updated_at = ?
      WHERE id = ?
      """
    // One that somebody wants again is pending, and is told of another time.
    case .markTransferTold:
      "UPDATE transfers SET told = 1 WHERE id = ? AND NOT \(TransferRow.pending)"
    case .pendingTransfer:
      """
      SELECT \(TransferRow.columns) FROM transfers JOIN jobs ON jobs.id = transfers.job
      WHERE transfers.job = ? AND path = ? AND \(TransferRow.pending)
      """
    case .transfer:
      """
      SELECT \(TransferRow.columns) FROM transfers JOIN jobs ON jobs.id = transfers.job
      WHERE transfers.id = ?
      """

    case .insertDelivery:
      """
      INSERT INTO outbox (
        hook, job, run, event, key, payload, state, attempts, next_attempt_at, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
      """
    case .updateDelivery:
      """
      UPDATE outbox SET state = ?, digest = ?, attempts = ?, failing_since = ?,
        next_attempt_at = ?, failure = ?
      WHERE id = ?
      """
    case .setDeliveryTime:
      """
      UPDATE outbox SET next_attempt_at = ?
      WHERE id = ? AND state = 'pending' AND digest IS NULL AND attempts = 0 AND failure IS NULL
      """
    case .removeDelivery: "DELETE FROM outbox WHERE id = ?"
    }
  }
}

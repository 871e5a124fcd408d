internal import GRDB

/// The statements of every run, prepared once per connection.
struct WriterStatements {
  let begin: SQLStatement
  let beginRead: SQLStatement
  let commit: SQLStatement
  let rollback: SQLStatement

  let job: SQLStatement
  let insertJob: SQLStatement
  let markFirstResult: SQLStatement
  let setState: SQLStatement
  let setSchedule: SQLStatement
  let setLearned: SQLStatement
  let setGrant: SQLStatement
  let setLedger: SQLStatement
  let validators: SQLStatement
  let setValidators: SQLStatement
  let setCoolDown: SQLStatement

  let anyItem: SQLStatement
  let item: SQLStatement
  let presentItems: SQLStatement
  let insertItem: SQLStatement
  let updateItem: SQLStatement
  let markSeen: SQLStatement
  let sequence: SQLStatement
  let insertChange: SQLStatement
  let insertRemoval: SQLStatement

  let insertRun: SQLStatement
  let updateRun: SQLStatement

  init(_ db: Database) throws {
    begin = try SQLStatement(db, "BEGIN IMMEDIATE")
    beginRead = try SQLStatement(db, "BEGIN")
    commit = try SQLStatement(db, "COMMIT")
    rollback = try SQLStatement(db, "ROLLBACK")

    job = try SQLStatement(
      db,
      """
      SELECT id, first_result_at, state, \(GrantRow.columns)
      FROM jobs LEFT JOIN grants ON grants.job = jobs.id AND grants.plugin = ?2 WHERE name = ?1
      """)
    insertJob = try SQLStatement(db, "INSERT INTO jobs (name, plugin) VALUES (?, ?)")
    markFirstResult = try SQLStatement(
      db, "UPDATE jobs SET first_result_at = ?2 WHERE id = ?1 AND first_result_at IS NULL")
    setState = try SQLStatement(db, "UPDATE jobs SET state = ?2 WHERE id = ?1")
    setSchedule = try SQLStatement(db, "UPDATE jobs SET schedule = ?2 WHERE id = ?1")
    setLearned = try SQLStatement(
      db, "INSERT OR REPLACE INTO learned (job, content) VALUES (?, ?)")
    setGrant = try SQLStatement(
      db, "INSERT OR REPLACE INTO grants VALUES (?, ?, ?, ?, ?, ?)")
    setLedger = try SQLStatement(
      db, "INSERT OR REPLACE INTO ledger (name, content) VALUES (?, ?)")
    validators = try SQLStatement(
      db,
      """
      SELECT url, etag, last_modified, body_hash, last_full_answer_at, reading FROM validators
      WHERE job = ?
      """)
    setValidators = try SQLStatement(
      db, "INSERT OR REPLACE INTO validators VALUES (?, ?, ?, ?, ?, ?, ?)")
    setCoolDown = try SQLStatement(
      db,
      """
      INSERT INTO origins VALUES (?, ?)
      ON CONFLICT DO UPDATE SET cool_until = max(cool_until, excluded.cool_until)
      """)

    anyItem = try SQLStatement(db, "SELECT 1 FROM items WHERE job = ? LIMIT 1")
    item = try SQLStatement(
      db,
      """
      SELECT fingerprint_high, fingerprint_low, presence, last_seen_at FROM items
      WHERE job = ? AND key = ?
      """)
    presentItems = try SQLStatement(
      db,
      """
      SELECT fingerprint_high, fingerprint_low, presence, last_seen_at, key FROM items
      WHERE job = ? AND presence = 0
      """)
    insertItem = try SQLStatement(db, "INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?)")
    updateItem = try SQLStatement(
      db,
      """
      UPDATE items SET fingerprint_high = ?3, fingerprint_low = ?4, presence = ?5,
        last_seen_at = ?6, sequence = ?7 WHERE job = ?1 AND key = ?2
      """)
    markSeen = try SQLStatement(
      db, "UPDATE items SET last_seen_at = ?3 WHERE job = ?1 AND key = ?2")
    sequence = try SQLStatement(db, "SELECT sequence FROM items WHERE job = ? AND key = ?")
    insertChange = try SQLStatement(
      db, "INSERT INTO changes VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    insertRemoval = try SQLStatement(
      db,
      """
      INSERT INTO changes
      SELECT NULL, ?1, ?2, ?3, ?4, ?5, ?6, was.title, was.url, was.published, '{}'
      FROM (SELECT 1) LEFT JOIN changes AS was ON was.sequence = ?4
      """)

    insertRun = try SQLStatement(
      db,
      """
      INSERT INTO runs VALUES
        (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    updateRun = try SQLStatement(
      db,
      """
      UPDATE runs SET run = ?1, job = ?2, plugin = ?3, trigger = ?4, outcome = ?5, reason = ?6,
        added = ?7, updated = ?8, removed = ?9, started_at = ?10, duration_ms = ?11,
        cpu_us = ?12, requests = ?13, received_bytes = ?14, failure = ?15, next_due_at = ?16
      WHERE number = ?17
      """)
  }
}

internal import FetchModel
internal import GRDB

extension WriterConnection {
  func setSchedule(_ schedule: StoredSchedule, job: Int64) throws {
    statements.setSchedule.bind(1, job)
    statements.setSchedule.bind(2, schedule.content)
    try statements.setSchedule.run()
    guard let learned = schedule.learned else { return }
    statements.setLearned.bind(1, job)
    statements.setLearned.bind(2, learned)
    try statements.setLearned.run()
  }

  func setLedger(_ content: [UInt8], name: String) throws {
    statements.setLedger.bind(1, name)
    statements.setLedger.bind(2, content)
    try statements.setLedger.run()
  }

  func remember(_ memory: SchedulerMemory) throws {
    for (job, plugin, schedule) in memory.schedules {
      try setSchedule(schedule, job: try existingJobID(job) ?? makeJob(job, plugin: plugin))
    }
    for (name, content) in memory.ledger { try setLedger(content, name: name) }
    for skip in memory.skips { try insert(skip) }
    for job in Set(memory.skips.map(\.job)) { try forgetOldSkips(of: job) }
  }

  private func insert(_ skip: SkipRecord) throws {
    let row = try SQLStatement(
      db, "INSERT INTO skips (job, skipped_at, reason) VALUES (?, ?, ?)")
    row.bind(1, skip.job)
    row.bind(2, skip.at)
    row.bind(3, skip.reason)
    try row.run()
  }

  private func forgetOldSkips(of job: String) throws {
    let row = try SQLStatement(
      db,
      """
      DELETE FROM skips WHERE job = ?1 AND number <= (
        SELECT number FROM skips WHERE job = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
      """)
    row.bind(1, job)
    row.bind(2, SkipRecord.keptPerJob)
    try row.run()
  }

  /// What jobs had runs that a process began and could not end, known by their rows. Whoever opens
  /// the store for writing is alone, so all of them are over.
  func rescueAbandonedRuns() throws -> [String] {
    let abandoned = try String.fetchAll(
      db,
      sql: """
        SELECT DISTINCT jobs.name FROM runs INDEXED BY runs_running
        JOIN jobs ON jobs.id = runs.job WHERE runs.outcome = '\(RunRow.runningWord)'
        """)
    try db.execute(
      sql: """
        UPDATE runs INDEXED BY runs_running SET outcome = 'failed', failure = ?
        WHERE outcome = '\(RunRow.runningWord)'
        """,
      arguments: [RunRow.abandoned.json])
    return abandoned
  }
}

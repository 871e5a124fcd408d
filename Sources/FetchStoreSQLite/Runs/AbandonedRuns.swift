internal import FetchModel
package import FetchStore
package import FetchValues

/// The repair of runs that a process began and did not end. The process that opens the store may
/// have no scheduler. The store therefore keeps the names of the runs' jobs until the runs are
/// acknowledged: by a scheduler with these jobs, or by a command that runs one job.
extension WriterConnection {
  /// Requeues the transfers that earlier processes left unfinished, and records the unfinished runs
  /// of these processes as abandoned. The process that opens the store for writing is the only
  /// writer, so no other process still works on these transfers and runs.
  func recover() throws -> StoreRecovery {
    let count = try requeueTransfers()
    return StoreRecovery(
      abandonedJobs: try rescueAbandonedRuns(), requeuedTransferCount: count)
  }

  /// Records unfinished runs as abandoned. Returns the jobs whose abandoned runs are not
  /// acknowledged yet.
  func rescueAbandonedRuns() throws -> [JobName] {
    let known = try abandonedJobs()
    let jobs = try db.texts(
      """
      SELECT DISTINCT jobs.name FROM runs INDEXED BY runs_running
      JOIN jobs ON jobs.id = runs.job WHERE runs.outcome = '\(RunRow.runningWord)'
      """)
    if jobs.isEmpty { return known }
    try db.run(
      """
      UPDATE runs SET outcome = 'failed', failure = ?1, ended = ends.number FROM (
          SELECT number AS run, ?2 + row_number() OVER (ORDER BY number) AS number
          FROM runs INDEXED BY runs_running WHERE outcome = '\(RunRow.runningWord)') AS ends
        WHERE ends.run = runs.number
      """, RunRow.abandoned.json, try RunEnds.last(db))
    let all = AbandonedJobs.joined(known, jobs)
    try setAbandoned(all)
    return all
  }

  func forgetAbandoned(_ rescued: [JobName]) throws {
    let names = Set(rescued)
    try setAbandoned(try abandonedJobs().filter { !names.contains($0) })
  }

  private func abandonedJobs() throws -> [JobName] {
    AbandonedJobs.list(try db.ledgerEntry(AbandonedJobs.ledgerName))
  }

  private func setAbandoned(_ jobs: [JobName]) throws {
    try setLedger(AbandonedJobs.content(jobs), name: AbandonedJobs.ledgerName)
  }
}

/// The functions that find abandoned runs: runs that a process has begun and not ended. They also
/// find runs that are not recorded as abandoned yet.
extension StoreReader {
  /// Returns the jobs whose abandoned runs are not acknowledged yet: see
  /// `SQLiteStore.abandonedJobs`.
  package func abandonedJobs() throws(StoreError) -> [JobName] {
    let lastLeft = try lastLeftRun()
    let known = AbandonedJobs.list(try ledgerEntry(AbandonedJobs.ledgerName))
    let left = try read { db in
      try db.texts(
        """
        SELECT DISTINCT jobs.name FROM runs JOIN jobs ON jobs.id = runs.job
        WHERE runs.outcome = '\(RunRow.runningWord)' AND runs.number <= ?
        """, lastLeft)
    }
    return AbandonedJobs.joined(known, left)
  }

  /// Returns the row number of the last unfinished run. All unfinished runs up to this row are
  /// abandoned. Returns 0 if there is no such run, or if a process has the store open for writing.
  func lastLeftRun() throws(StoreError) -> Int64 {
    if isWriters { return 0 }
    let last = try read { db in
      try db.integer("SELECT max(number) FROM runs WHERE outcome = '\(RunRow.runningWord)'")
    }
    // The rows are read before the lock is checked. A process that writes the store from now on
    // adds only later rows.
    guard let last, !StoreLock.isHeld(for: path) else { return 0 }
    return last
  }
}

extension SQLiteStore {
  /// Removes a job from the store's list of jobs with abandoned runs.
  package func forgetAbandoned(_ job: JobName) async throws(StoreError) {
    guard abandonedJobs.contains(job) else { return }
    var memory = SchedulerMemory()
    memory.rescued = [job]
    try await remember(memory)
  }
}

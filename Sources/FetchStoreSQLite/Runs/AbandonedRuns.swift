internal import FetchModel
package import FetchStore
internal import FetchValues

/// The ledger's list of jobs with abandoned runs that no scheduler knows of.
enum AbandonedJobs {
  static let ledgerName = "abandoned"

  /// Reads the list; unreadable content counts as empty.
  static func list(_ content: [UInt8]?) -> [String] {
    (content ?? []).withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      var jobs: [String] = []
      let count = (try? reader.readArrayHead()) ?? 0
      while jobs.count < count, let job = try? reader.readString() { jobs.append(job) }
      return jobs
    }
  }

  static func content(_ jobs: [String]) -> [UInt8] {
    var writer = ValueWriter()
    writer.beginArray(count: jobs.count)
    for job in jobs { writer.write(job) }
    return writer.bytes
  }

  /// Returns both lists without repetitions.
  static func joined(_ known: [String], _ more: [String]) -> [String] {
    let names = Set(known.map(ExactText.init))
    return known + more.filter { !names.contains(ExactText($0)) }
  }
}

/// The repair of runs that a process began and did not end. The store remembers their jobs until a
/// scheduler that has them acknowledges it; the process that opens the store may have no scheduler.
extension WriterConnection {
  /// Repairs the unfinished work of earlier processes. The process that opens the store for writing
  /// is the only writer.
  func recover() throws -> StoreRecovery {
    let count = try requeueTransfers()
    return StoreRecovery(
      abandonedJobs: try rescueAbandonedRuns(), requeuedTransferCount: count)
  }

  /// Ends such runs, and returns the jobs with abandoned runs that no scheduler knows of. The
  /// process that opens the store for writing is the only writer, so all of these runs are over.
  func rescueAbandonedRuns() throws -> [String] {
    let known = try abandonedJobs()
    let jobs = try db.texts(
      """
      SELECT DISTINCT jobs.name FROM runs INDEXED BY runs_running
      JOIN jobs ON jobs.id = runs.job WHERE runs.outcome = '\(RunRow.runningWord)'
      """)
    if jobs.isEmpty { return known }
    try db.run(
      """
      UPDATE runs INDEXED BY runs_running SET outcome = 'failed', failure = ?
      WHERE outcome = '\(RunRow.runningWord)'
      """, RunRow.abandoned.json)
    let all = AbandonedJobs.joined(known, jobs)
    try setAbandoned(all)
    return all
  }

  func forgetAbandoned(_ rescued: [String]) throws {
    let names = Set(rescued.map(ExactText.init))
    try setAbandoned(try abandonedJobs().filter { !names.contains(ExactText($0)) })
  }

  private func abandonedJobs() throws -> [String] {
    AbandonedJobs.list(try db.ledgerEntry(AbandonedJobs.ledgerName))
  }

  private func setAbandoned(_ jobs: [String]) throws {
    try setLedger(AbandonedJobs.content(jobs), name: AbandonedJobs.ledgerName)
  }
}

/// The runs that a process began and did not end, before the next writing process records that.
extension StoreReader {
  /// Returns the jobs with abandoned runs that no scheduler knows of: see
  /// `SQLiteStore.abandonedJobs`.
  package func abandonedJobs() throws(StoreError) -> [String] {
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

  /// Returns the row of the last unfinished run when no process writes the store: all unfinished
  /// runs up to it are abandoned. 0 if there is none, or a process may still end them.
  func lastLeftRun() throws(StoreError) -> Int64 {
    if isWriters { return 0 }
    let last = try read { db in
      try db.integer("SELECT max(number) FROM runs WHERE outcome = '\(RunRow.runningWord)'")
    }
    // The order matters: a process that writes the store from now on ends no run of another
    // process.
    guard let last, !StoreLock.isHeld(for: path) else { return 0 }
    return last
  }
}

extension SQLiteStore {
  /// Removes a job from `abandonedJobs`, because it has run since without a schedule.
  package func forgetAbandoned(_ job: String) async throws(StoreError) {
    guard abandonedJobs.contains(where: { ExactText($0) == ExactText(job) }) else { return }
    var memory = SchedulerMemory()
    memory.rescued = [job]
    try await remember(memory)
  }
}

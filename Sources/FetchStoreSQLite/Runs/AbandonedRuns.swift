internal import FetchModel
package import FetchStore
internal import FetchValues

/// The list of jobs with abandoned runs that no scheduler has heard of, as the ledger has it.
enum AbandonedJobs {
  static let ledgerName = "abandoned"

  /// Reads nothing of what cannot be read.
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

  /// Each once.
  static func joined(_ known: [String], _ more: [String]) -> [String] {
    let names = Set(known.map(ExactText.init))
    return known + more.filter { !names.contains(ExactText($0)) }
  }
}

/// Runs that a process began and could not end, known by their rows. Their jobs are remembered until
/// a scheduler that has them says that it knows: who opens the store may have none.
extension WriterConnection {
  /// Puts right what earlier processes left. Whoever opens the store for writing is alone.
  func recover() throws -> StoreRecovery {
    let count = try requeueTransfers()
    return StoreRecovery(
      abandonedJobs: try rescueAbandonedRuns(), requeuedTransferCount: count)
  }

  /// Ends such runs, and says of what jobs there are some that no scheduler knows of. Whoever opens
  /// the store for writing is alone, so all of them are over.
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

/// Runs that a process began and did not end, before the next one that writes the store says so.
extension StoreReader {
  /// Jobs with runs that nobody ended and no scheduler has heard of: see
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

  /// The row of the last run that had not ended when no process wrote the store any more; those
  /// before it that have no end will have none. 0 where all is well, or a process may end them.
  func lastLeftRun() throws(StoreError) -> Int64 {
    if isWriters { return 0 }
    let last = try read { db in
      try db.integer("SELECT max(number) FROM runs WHERE outcome = '\(RunRow.runningWord)'")
    }
    // In this order: who writes the store from now on ends no run of another process.
    guard let last, !StoreLock.isHeld(for: path) else { return 0 }
    return last
  }
}

extension SQLiteStore {
  /// The job has run since, by nobody's schedule: it is none of `abandonedJobs` any more.
  package func forgetAbandoned(_ job: String) async throws(StoreError) {
    guard abandonedJobs.contains(where: { ExactText($0) == ExactText(job) }) else { return }
    var memory = SchedulerMemory()
    memory.rescued = [job]
    try await remember(memory)
  }
}

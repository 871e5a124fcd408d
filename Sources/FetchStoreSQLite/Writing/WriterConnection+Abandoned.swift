import FetchModel
import FetchStore
internal import FetchValues
internal import GRDB

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
    let jobs = try String.fetchAll(
      db,
      sql: """
        SELECT DISTINCT jobs.name FROM runs INDEXED BY runs_running
        JOIN jobs ON jobs.id = runs.job WHERE runs.outcome = '\(RunRow.runningWord)'
        """)
    if jobs.isEmpty { return known }
    try db.execute(
      sql: """
        UPDATE runs INDEXED BY runs_running SET outcome = 'failed', failure = ?
        WHERE outcome = '\(RunRow.runningWord)'
        """,
      arguments: [RunRow.abandoned.json])
    let all = AbandonedJobs.joined(known, jobs)
    try setAbandoned(all)
    return all
  }

  func forgetAbandoned(_ rescued: [String]) throws {
    let names = Set(rescued.map(ExactText.init))
    try setAbandoned(try abandonedJobs().filter { !names.contains(ExactText($0)) })
  }

  private func abandonedJobs() throws -> [String] {
    let row = try SQLStatement(db, "SELECT content FROM ledger WHERE name = ?")
    row.bind(1, AbandonedJobs.ledgerName)
    return try row.step() ? AbandonedJobs.list(row.bytes(0)) : []
  }

  private func setAbandoned(_ jobs: [String]) throws {
    try setLedger(AbandonedJobs.content(jobs), name: AbandonedJobs.ledgerName)
  }
}

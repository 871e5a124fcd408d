package import FetchStore
internal import GRDB

/// Runs that a process began and did not end, before the next one that writes the store says so.
extension StoreReader {
  /// Jobs with runs that nobody ended and no scheduler has heard of: see
  /// `SQLiteStore.abandonedJobs`.
  package func abandonedJobs() throws(StoreError) -> [String] {
    let lastLeft = try lastLeftRun()
    let known = AbandonedJobs.list(try ledgerEntry(AbandonedJobs.ledgerName))
    let left = try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT jobs.name FROM runs JOIN jobs ON jobs.id = runs.job
          WHERE runs.outcome = '\(RunRow.runningWord)' AND runs.number <= ?
          """, arguments: [lastLeft])
    }
    return AbandonedJobs.joined(known, left)
  }

  /// The row of the last run that had not ended when no process wrote the store any more; those
  /// before it that have no end will have none. 0 where all is well, or a process may end them.
  func lastLeftRun() throws(StoreError) -> Int64 {
    if isWriters { return 0 }
    let last = try read { db in
      try Int64.fetchOne(
        db, sql: "SELECT max(number) FROM runs WHERE outcome = '\(RunRow.runningWord)'")
    }
    // In this order: who writes the store from now on ends no run of another process.
    guard let last, !StoreLock.isHeld(for: path) else { return 0 }
    return last
  }
}

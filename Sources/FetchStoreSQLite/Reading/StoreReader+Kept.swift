package import FetchModel
package import FetchStore
import FetchValues
internal import GRDB

extension StoreReader {
  /// Runs whose answers are kept, newest first.
  package func keptRuns() throws(StoreError) -> [KeptRunRow] {
    try read { db in
      guard try Self.hasKeptRuns(db) else { return [] }
      let row = try SQLStatement(
        db, "SELECT run, job, started_at, bytes FROM kept_runs ORDER BY number DESC")
      var rows: [KeptRunRow] = []
      while try row.step() {
        guard let run = RunID(bytes: row.bytes(0) ?? []) else { continue }
        rows.append(
          KeptRunRow(
            run: run, job: row.text(1) ?? "", startedAt: row.time(2), bytes: Int(row.integer(3))))
      }
      return rows
    }
  }

  /// Nil where nothing is kept of that run.
  package func keptAnswers(of run: RunID) throws(StoreError) -> [UInt8]? {
    try read { db in
      guard try Self.hasKeptRuns(db) else { return nil }
      let row = try SQLStatement(db, "SELECT content FROM kept_runs WHERE run = ?")
      row.bind(1, run.bytes)
      guard try row.step() else { return nil }
      defer { row.reset() }
      return row.bytes(0)
    }
  }

  /// A store of an older fetchrun has no such table, and a reader makes none.
  private static func hasKeptRuns(_ db: Database) throws -> Bool {
    try Int.fetchOne(db, sql: "SELECT 1 FROM sqlite_schema WHERE name = 'kept_runs'") == 1
  }
}

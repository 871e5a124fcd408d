package import FetchModel
package import FetchStore
import FetchValues
internal import GRDB

extension StoreReader {
  /// Run records, newest first. A run that goes on after a checkpoint is not among them; one that
  /// nobody ended is.
  package func runs(job: String? = nil, limit: Int? = nil) throws(StoreError) -> [RunRecord] {
    let lastLeft = try lastLeftRun()
    return try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT \(RunRow.columns) FROM runs JOIN jobs ON jobs.id = runs.job
        WHERE (runs.outcome <> '\(RunRow.runningWord)' OR runs.number <= ?2)
          \(job == nil ? "" : "AND jobs.name = ?3")
        ORDER BY runs.number DESC LIMIT ?1
        """)
      row.bind(1, limit ?? -1)
      row.bind(2, lastLeft)
      if let job { row.bind(3, job) }
      var result: [RunRecord] = []
      while try row.step() { result.append(RunRow.record(row)) }
      return result
    }
  }

  /// The run with that id or the only one whose id begins so, else the last one of a job of that
  /// name; nil where there is none.
  package func run(named name: String) throws(StoreError) -> RunRecord? {
    let all = try runs()
    let begun = all.filter { $0.run.description.hasPrefix(name.lowercased()) }
    if begun.count == 1 { return begun.first }
    return all.first { ExactText($0.job) == ExactText(name) }
  }

  package func jobs() throws(StoreError) -> [JobStatus] {
    try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT jobs.name, jobs.plugin,
          (SELECT count(*) FROM items WHERE items.job = jobs.id AND items.presence = 0),
          (SELECT max(started_at) FROM runs WHERE runs.job = jobs.id),
          (SELECT max(started_at) FROM runs WHERE runs.job = jobs.id AND outcome <> 'failed'),
          (SELECT max(started_at) FROM runs WHERE runs.job = jobs.id AND outcome = 'newData')
        FROM jobs ORDER BY jobs.name
        """)
      var result: [JobStatus] = []
      while try row.step() {
        result.append(
          JobStatus(
            name: row.text(0) ?? "", plugin: row.text(1) ?? "", itemCount: Int(row.integer(2)),
            lastRunAt: row.optionalTime(3), lastSuccessAt: row.optionalTime(4),
            lastNewDataAt: row.optionalTime(5)))
      }
      return result
    }
  }

  /// What SQLite finds wrong with the file, in its own words; empty when it is sound.
  package func check() throws(StoreError) -> [String] {
    try read { db in
      try String.fetchAll(db, sql: "PRAGMA integrity_check(\(Self.faultsMax))")
        .filter { $0 != "ok" }
    }
  }

  private static let faultsMax = 20
}

package import FetchModel
package import FetchStore
import FetchValues

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
}

package import FetchModel
package import FetchStore

/// The reads of ended runs in pages, newest first.
extension StoreReader {
  package func runs(
    _ query: RunQuery, after mark: PageMark?
  ) throws(StoreError) -> Page<RunRecord> {
    let lastLeft = try lastLeftRun()
    return try read { db in
      let before = mark?.number ?? .max
      let floor = try Self.floor(query, before: before, db)
      let row = try SQLStatement(db, Self.page(query))
      let count = max(1, min(query.limit, PageMark.countMax))
      row.bind(1, before)
      row.bind(2, floor ?? 0)
      row.bind(3, lastLeft)
      row.bind(4, count)
      if let job = query.job { row.bind(5, job) }
      defer { row.reset() }
      var records: [RunRecord] = []
      var last: Int64?
      while try row.step() {
        records.append(RunRow.record(row))
        last = row.integer(RunRow.columnCount)
      }
      let next = records.count == count ? last : floor
      return Page(records, next: next.map(PageMark.row))
    }
  }

  private static func page(_ query: RunQuery) -> String {
    let left = "(runs.outcome = '\(RunRow.runningWord)' AND runs.number <= ?3)"
    let condition =
      switch query.outcome {
      case nil: "(runs.outcome <> '\(RunRow.runningWord)' OR \(left))"
      case .failed: "(runs.outcome = 'failed' OR \(left))"
      case .newData, .noData: "runs.outcome = '\(query.outcome?.rawValue ?? "")'"
      }
    return """
      SELECT \(RunRow.columns), runs.number FROM runs \(index(query))
        CROSS JOIN jobs ON jobs.id = runs.job
      WHERE runs.number < ?1 AND runs.number >= ?2 AND \(condition) \(ofJob(query, 5))
      ORDER BY runs.number DESC LIMIT ?4
      """
  }

  /// Returns the lowest row that a page reads if more rows follow; nil if the page may read all
  /// rows. Without an outcome, each row is an element of the page.
  private static func floor(
    _ query: RunQuery, before: Int64, _ db: SQLConnection
  ) throws -> Int64? {
    if query.outcome == nil { return nil }
    let row = try SQLStatement(
      db,
      """
      SELECT runs.number FROM runs \(index(query)) WHERE runs.number < ?1 \(ofJob(query, 2))
      ORDER BY runs.number DESC LIMIT 1 OFFSET \(ReadBounds.rowsScannedMax - 1)
      """)
    row.bind(1, before)
    if let job = query.job { row.bind(2, job) }
    defer { row.reset() }
    return try row.step() ? row.integer(0) : nil
  }

  private static func index(_ query: RunQuery) -> String {
    query.job == nil ? "" : "INDEXED BY runs_by_job"
  }

  private static func ofJob(_ query: RunQuery, _ parameter: Int) -> String {
    query.job == nil ? "" : "AND runs.job = (SELECT id FROM jobs WHERE name = ?\(parameter))"
  }
}

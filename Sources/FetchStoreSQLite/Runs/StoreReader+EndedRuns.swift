import FetchModel
package import FetchStore

/// The reads of runs in the order of their ends.
extension StoreReader {
  /// Returns the number of the last ended run; 0 in a store of an earlier format.
  package func lastEnded() throws(StoreError) -> Int64 {
    try read { db in try RunEnds.areStored(db) ? try RunEnds.last(db) : 0 }
  }

  package func endedRuns(after ended: Int64, limit: Int) throws(StoreError) -> EndedRuns {
    try read { db in
      var runs = EndedRuns()
      runs.lastSequence = try Self.lastSequence(db)
      guard try RunEnds.areStored(db) else { return runs }
      let last = try RunEnds.last(db)
      runs.end = last
      let after = max(0, ended)
      // A number higher than the last one belongs to another store, which a copy has replaced.
      guard after <= last, last - after <= ReadBounds.endedMax else {
        runs.hasGap = true
        return runs
      }
      let (rows, isWhole) = try Self.rows(endedAfter: after, count: Int(last - after), db)
      guard isWhole else {
        runs.hasGap = true
        return runs
      }
      let part = rows.prefix(max(1, min(limit, PageMark.countMax)))
      runs.runs = try Self.runs(part, db)
      runs.isLast = part.count == rows.count
      if !runs.isLast, let end = part.last?.ended { runs.end = end }
      return runs
    }
  }

  /// Returns the rows of the runs that ended after a number, in the order of their ends. Also
  /// returns whether the rows are complete. The rows are read backwards, since most runs that ended
  /// last also began last.
  private static func rows(
    endedAfter ended: Int64, count: Int, _ db: SQLConnection
  ) throws -> (rows: [(ended: Int64, number: Int64)], isWhole: Bool) {
    var found: [(ended: Int64, number: Int64)] = []
    if count == 0 { return (found, true) }
    found.reserveCapacity(count)
    let row = try SQLStatement(db, "SELECT ended, number FROM runs ORDER BY number DESC")
    defer { row.reset() }
    var scannedCount = 0
    while found.count < count, try row.step() {
      if let end = row.optionalInteger(0), end > ended { found.append((end, row.integer(1))) }
      scannedCount += 1
      if scannedCount == ReadBounds.rowsScannedMax, found.count < count { return ([], false) }
    }
    return (found.sorted { $0.ended < $1.ended }, true)
  }

  private static func runs(
    _ rows: ArraySlice<(ended: Int64, number: Int64)>, _ db: SQLConnection
  ) throws -> [EndedRuns.Run] {
    let row = try SQLStatement(
      db,
      """
      SELECT \(RunRow.columns) FROM runs JOIN jobs ON jobs.id = runs.job WHERE runs.number = ?
      """)
    var runs: [EndedRuns.Run] = []
    for (ended, number) in rows {
      row.bind(1, number)
      if try row.step() { runs.append(EndedRuns.Run(ended: ended, record: RunRow.record(row))) }
      row.reset()
    }
    return runs
  }
}

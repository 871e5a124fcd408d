import FetchModel
package import FetchStore
package import FetchValues

/// The functions that read the runs of a period, for plots.
extension StoreReader {
  package func runMarks(
    of jobs: [JobName]?, from start: Timestamp, until end: Timestamp
  ) throws(StoreError) -> [JobMarks] {
    try read { db in
      guard let jobs else { return try Self.marks(db, start, end) }
      return try Self.marks(of: jobs.prefix(ReadBounds.jobsMax), db, start, end)
    }
  }

  private static func marks(
    of jobs: ArraySlice<JobName>, _ db: SQLConnection, _ start: Timestamp, _ end: Timestamp
  ) throws -> [JobMarks] {
    let row = try SQLStatement(
      db,
      """
      SELECT started_at, outcome FROM runs INDEXED BY runs_by_job
      WHERE job = (SELECT id FROM jobs WHERE name = ?1) AND outcome <> '\(RunRow.runningWord)'
      ORDER BY number DESC LIMIT \(ReadBounds.rowsScannedMax)
      """)
    var result: [JobMarks] = []
    for job in jobs {
      row.bind(1, job)
      var marks: [RunMark] = []
      while marks.count < ReadBounds.marksPerJobMax, try row.step() {
        let mark = RunMark(startedAt: row.time(0), outcome: outcome(row, 1))
        if mark.startedAt < start { break }
        if mark.startedAt < end { marks.append(mark) }
      }
      row.reset()
      if !marks.isEmpty { result.append(JobMarks(job: job, marks: marks.reversed())) }
    }
    return result
  }

  private static func marks(
    _ db: SQLConnection, _ start: Timestamp, _ end: Timestamp
  ) throws -> [JobMarks] {
    let row = try SQLStatement(
      db,
      """
      SELECT job, started_at, outcome FROM runs
      WHERE number >= ?1 AND started_at >= ?2 AND started_at < ?3
        AND outcome <> '\(RunRow.runningWord)'
      ORDER BY number DESC LIMIT \(ReadBounds.marksMax)
      """)
    row.bind(1, try firstRun(since: start, db))
    row.bind(2, start)
    row.bind(3, end)
    defer { row.reset() }
    var marks: [Int64: [RunMark]] = [:]
    while try row.step() {
      marks[row.integer(0), default: []].append(
        RunMark(startedAt: row.time(1), outcome: outcome(row, 2)))
    }
    let name = try SQLStatement(db, "SELECT name FROM jobs WHERE id = ?")
    var result: [JobMarks] = []
    for (job, marks) in marks {
      name.bind(1, job)
      if try name.step(), !name.isNull(0) {
        result.append(JobMarks(job: name.name(0), marks: marks.reversed()))
      }
      name.reset()
    }
    return result.sorted { $0.job < $1.job }
  }

  package func runCounts(
    from start: Timestamp, until end: Timestamp
  ) throws(StoreError) -> RunCounts {
    try read { db in
      var counts = RunCounts()
      counts.ended = try RunEnds.areStored(db) ? try RunEnds.last(db) : 0
      let length = RunCounts.bucketSeconds * 1000
      let row = try SQLStatement(
        db,
        """
        SELECT started_at / \(length) AS bucket, outcome, count(*) FROM (
          SELECT started_at, outcome FROM runs WHERE number >= ?1
          ORDER BY number DESC LIMIT \(ReadBounds.countedMax))
        WHERE started_at >= ?2 AND started_at < ?3 AND outcome <> '\(RunRow.runningWord)'
        GROUP BY bucket, outcome ORDER BY bucket
        """)
      row.bind(1, try Self.firstRun(since: start, db))
      row.bind(2, start)
      row.bind(3, end)
      while try row.step() {
        counts.add(
          Self.outcome(row, 1), startedAt: Timestamp(milliseconds: row.integer(0) * length),
          Int(row.integer(2)))
      }
      return counts
    }
  }

  /// The assumed maximum time between the starts of two runs whose row numbers are in the wrong
  /// order. A run without a note receives its row number only when it first stores something.
  private static let disorderMax: Duration = .seconds(3600)

  /// Returns the number of the first row to read in order to find all runs that began at `start` or
  /// later. The rows are approximately in the order of the runs' starts. If the clock was set back,
  /// plots and counts may be incomplete.
  private static func firstRun(since start: Timestamp, _ db: SQLConnection) throws -> Int64 {
    let time = start + (.zero - disorderMax)
    var low = try db.integer("SELECT min(number) FROM runs") ?? 1
    var high = try (db.integer("SELECT max(number) FROM runs") ?? 0) &+ 1
    let row = try SQLStatement(
      db, "SELECT number, started_at FROM runs WHERE number >= ? ORDER BY number LIMIT 1")
    while low < high {
      let middle = low &+ (high &- low) / 2
      row.bind(1, middle)
      guard try row.step() else { break }
      if row.time(1) < time { low = row.integer(0) &+ 1 } else { high = middle }
      row.reset()
    }
    return low
  }

  private static func outcome(_ row: SQLStatement, _ column: Int32) -> OutcomeKind {
    row.text(column).flatMap(OutcomeKind.init) ?? .failed
  }
}

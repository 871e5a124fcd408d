package import FetchModel
package import FetchStore
package import FetchValues

extension StoreReader {
  /// Returns the records of ended and abandoned runs, newest first.
  package func runs(job: JobName? = nil, limit: Int? = nil) throws(StoreError) -> [RunRecord] {
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

  package func run(named name: String) throws(StoreError) -> RunRecord? {
    if let digits = Self.digits(name), let run = try onlyRun(digits) { return run }
    return try runs(job: JobName(name), limit: 1).first
  }

  /// Returns the run whose id begins with the given digits. Returns nil if there is no such run, or
  /// if there are several.
  private func onlyRun(_ digits: String) throws(StoreError) -> RunRecord? {
    let lastLeft = try lastLeftRun()
    return try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT \(RunRow.columns) FROM runs JOIN jobs ON jobs.id = runs.job
        WHERE (runs.outcome <> '\(RunRow.runningWord)' OR runs.number <= ?1)
          AND substr(hex(runs.run), 1, ?2) = ?3
        LIMIT 2
        """)
      row.bind(1, lastLeft)
      row.bind(2, digits.utf8.count)
      row.bind(3, digits)
      defer { row.reset() }
      guard try row.step() else { return nil }
      let found = RunRow.record(row)
      return try row.step() ? nil : found
    }
  }

  /// Returns the hexadecimal digits at the beginning of an id, in upper case. Returns nil if the
  /// text is not the beginning of an id.
  private static func digits(_ prefix: String) -> String? {
    var digits: [UInt8] = []
    for (index, byte) in prefix.utf8.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        if byte != UInt8(ascii: "-") { return nil }
        continue
      }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      digits.append(contentsOf: String(digit, radix: 16, uppercase: true).utf8)
    }
    return digits.count > 32 ? nil : String(decoding: digits, as: UTF8.self)
  }
}

/// The functions that read ended and abandoned runs in pages, newest first.
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

  /// Returns the lowest row number that a page may read; nil if there is no limit. A query without
  /// an outcome needs no limit, since almost every row that is read is an element of the page.
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

/// The functions that read runs in the order of their ends.
extension StoreReader {
  /// Returns the number of the last ended run; 0 if no run has ended, or if the store's format does
  /// not have these numbers.
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
      // If `after` is higher than `last`, an older copy may have replaced the store.
      guard after <= last, last - after <= ReadBounds.endedMax else {
        runs.hasGap = true
        return runs
      }
      let (rows, isWhole) = try Self.rows(endedAfter: after, count: Int(last - after), db)
      // The column `ended` has no gaps, unless retention has removed runs. Retention may also
      // remove a run between two others, since it goes by the runs' starts.
      guard isWhole, rows.count == Int(last - after) else {
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

  /// Returns the rows whose column `ended` is higher than the parameter, sorted by this column.
  /// Reads the rows backwards, since most runs that ended last also began last. If
  /// `ReadBounds.rowsScannedMax` rows do not suffice, returns no rows, and false for `isWhole`.
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

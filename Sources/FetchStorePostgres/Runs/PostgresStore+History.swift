package import FetchModel
package import FetchStore
package import FetchValues

/// The rows of ended and abandoned runs. A run counts as abandoned if it has not ended and no
/// connection has the lock. On a standby server, no run counts as abandoned. An abandoned run
/// counts as failed, and as newer than all ended runs.
private enum RunRows {
  static let columns = """
    runs.run, jobs.name, runs.plugin, runs.trigger, runs.outcome, runs.reason, runs.added,
    runs.updated, runs.removed, runs.started_at, runs.duration_ms, runs.cpu_us, runs.requests,
    runs.received_bytes, runs.failure, runs.next_due_at, runs.ended
    """

  static let ended = "fetchrun.runs JOIN fetchrun.jobs ON jobs.id = runs.job"

  /// The abandoned runs. Their `ended` is the highest integer, so that they count as the newest
  /// runs.
  static let left = """
    (SELECT running.*, 9223372036854775807::bigint AS ended FROM fetchrun.running
      WHERE NOT \(PostgresLock.isHeld)) AS runs JOIN fetchrun.jobs ON jobs.id = runs.job
    """

  static func records(_ rows: PostgresRows) -> [RunRecord] { rows.map { RunRow.record($0) } }
}

extension PostgresReading {
  package func runs(job: JobName?, limit: Int?) async throws(StoreError) -> [RunRecord] {
    var arguments = PostgresArguments()
    arguments.add(limit.map { Int64($0) })
    if let job { arguments.add(job) }
    let ofJob = job == nil ? "" : "WHERE jobs.name = $2"
    let byEnd = "ORDER BY runs.ended DESC LIMIT $1"
    return try await reader.readAtOnce { [arguments] connection in
      let left = RunRows.records(
        try connection.run(
          PostgresStatement(
            """
            SELECT \(RunRows.columns) FROM \(RunRows.left) \(ofJob)
            ORDER BY runs.started_at DESC LIMIT $1
            """), arguments))
      let ended = RunRows.records(
        try connection.run(
          PostgresStatement("SELECT \(RunRows.columns) FROM \(RunRows.ended) \(ofJob) \(byEnd)"),
          arguments))
      return Array((left + ended).prefix(limit ?? .max))
    }
  }

  package func run(named name: String) async throws(StoreError) -> RunRecord? {
    if let range = RunID.range(prefix: name), let run = try await onlyRun(range) { return run }
    return try await runs(job: JobName(name), limit: 1).first
  }

  /// Returns the run whose id is in the range; nil if there is none, or if there are several.
  private func onlyRun(
    _ range: (first: [UInt8], last: [UInt8])
  ) async throws(StoreError) -> RunRecord? {
    var arguments = PostgresArguments()
    arguments.add(range.first)
    arguments.add(range.last)
    return try await reader.readAtOnce { [arguments] connection in
      var found: [RunRecord] = []
      for source in [RunRows.ended, RunRows.left] {
        found += RunRows.records(
          try connection.run(
            PostgresStatement(
              """
              SELECT \(RunRows.columns) FROM \(source)
              WHERE runs.run >= $1 AND runs.run <= $2 LIMIT 2
              """), arguments))
      }
      return found.count == 1 ? found[0] : nil
    }
  }

  package func runs(
    _ query: RunQuery, after mark: PageMark?
  ) async throws(StoreError) -> Page<RunRecord> {
    let count = max(1, min(query.limit, PageMark.countMax))
    let before = mark?.number ?? .max
    return try await reader.readAtOnce { connection in
      var records: [RunRecord] = []
      if before > Self.endedMax, query.outcome ?? .failed == .failed {
        var arguments = PostgresArguments()
        arguments.add(count)
        arguments.add(Int64.max - before)
        if let job = query.job { arguments.add(job) }
        records = RunRows.records(
          try connection.run(
            PostgresStatement(
              """
              SELECT \(RunRows.columns) FROM \(RunRows.left)
              \(query.job == nil ? "" : "WHERE jobs.name = $3")
              ORDER BY runs.started_at DESC, runs.run DESC LIMIT $1 OFFSET $2
              """), arguments))
      }
      // The number of rows that are read for one page is bounded.
      var arguments = PostgresArguments()
      arguments.add(before)
      arguments.add(ReadBounds.rowsScannedMax)
      if let job = query.job { arguments.add(job) }
      let rows = try connection.run(
        PostgresStatement(
          """
          SELECT \(RunRows.columns), count(*) OVER (), min(runs.ended) OVER () FROM (
            SELECT * FROM fetchrun.runs WHERE ended < $1
              \(query.job == nil ? "" : "AND job = (SELECT id FROM fetchrun.jobs WHERE name = $3)")
            ORDER BY ended DESC LIMIT \(query.outcome == nil ? "\(count)" : "$2")) AS runs
          JOIN fetchrun.jobs ON jobs.id = runs.job
          WHERE $2 > 0 \(query.outcome.map { "AND outcome = '\($0.rawValue)'" } ?? "")
          ORDER BY runs.ended DESC LIMIT \(count)
          """), arguments)
      let room = max(0, count - records.count)
      records += RunRows.records(rows).prefix(room)
      if rows.count >= room {
        let last = room > 0 ? rows[room - 1].integer(16) : before - Int64(count)
        return Page(records, next: .row(last))
      }
      guard query.outcome != nil else { return Page(records) }
      let floor = try Self.floor(query, before: before, connection)
      return Page(records, next: floor.map(PageMark.row))
    }
  }

  /// The highest number that a run may receive when it ends. A mark with a higher number means that
  /// the previous pages have only abandoned runs, `Int64.max` minus this number of them.
  private static var endedMax: Int64 { 1 << 62 }

  /// Returns the lowest `ended` that one page of a query with an outcome may read. Returns nil if
  /// fewer than `rowsScannedMax` runs remain.
  private static func floor(
    _ query: RunQuery, before: Int64, _ connection: PostgresConnection
  ) throws -> Int64? {
    var arguments = PostgresArguments()
    arguments.add(before)
    arguments.add(ReadBounds.rowsScannedMax - 1)
    if let job = query.job { arguments.add(job) }
    return try connection.run(
      PostgresStatement(
        """
        SELECT ended FROM fetchrun.runs WHERE ended < $1
          \(query.job == nil ? "" : "AND job = (SELECT id FROM fetchrun.jobs WHERE name = $3)")
        ORDER BY ended DESC LIMIT 1 OFFSET $2
        """), arguments
    ).first?.integer(0)
  }

  package func lastEnded() async throws(StoreError) -> Int64 {
    try await reader.read { try Self.numbers($0).ended }
  }

  static func numbers(
    _ connection: PostgresConnection
  ) throws -> (sequence: Int64, ended: Int64) {
    let row = try connection.run(
      PostgresStatement("SELECT sequence, ended FROM fetchrun.writer")
    ).first
    return (row?.integer(0) ?? 0, row?.integer(1) ?? 0)
  }

  package func endedRuns(after ended: Int64, limit: Int) async throws(StoreError) -> EndedRuns {
    try await reader.readAtOnce { connection in
      var runs = EndedRuns()
      let last = try Self.numbers(connection)
      runs.lastSequence = last.sequence
      runs.end = last.ended
      let after = max(0, ended)
      guard after <= last.ended, last.ended - after <= ReadBounds.endedMax else {
        runs.hasGap = true
        return runs
      }
      if after == last.ended { return runs }
      let count = max(1, min(limit, PageMark.countMax))
      var arguments = PostgresArguments()
      arguments.add(after)
      arguments.add(count)
      let rows = try connection.run(
        PostgresStatement(
          """
          SELECT \(RunRows.columns) FROM \(RunRows.ended)
          WHERE runs.ended > $1 ORDER BY runs.ended LIMIT $2
          """), arguments)
      // A gap means that runs are missing, for example because retention removed them. Retention
      // may also remove a run between two others, since it goes by the runs' starts.
      let wholeCount = min(count, Int(last.ended - after))
      guard rows.count == wholeCount,
        rows[wholeCount - 1].integer(16) == after + Int64(wholeCount)
      else {
        runs.hasGap = true
        return runs
      }
      runs.runs = rows.map { EndedRuns.Run(ended: $0.integer(16), record: RunRow.record($0)) }
      if let end = runs.runs.last?.ended, end < last.ended {
        (runs.end, runs.isLast) = (end, false)
      }
      return runs
    }
  }

  package func runMarks(
    of jobs: [JobName]?, from start: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> [JobMarks] {
    let names = jobs.map { $0.prefix(ReadBounds.jobsMax) }
    var arguments = PostgresArguments()
    arguments.add(start)
    arguments.add(end)
    if let names { arguments.add(texts: names.map(\.text)) }
    let statement =
      names == nil
      ? """
      SELECT jobs.name, runs.started_at, runs.outcome FROM (
        SELECT job, started_at, outcome, ended FROM fetchrun.runs
        WHERE started_at >= $1 AND started_at < $2
        ORDER BY ended DESC LIMIT \(ReadBounds.marksMax)) AS runs
      JOIN fetchrun.jobs ON jobs.id = runs.job ORDER BY jobs.name, runs.ended
      """
      : """
      SELECT jobs.name, marks.started_at, marks.outcome
      FROM unnest($3::text[]) WITH ORDINALITY AS wanted (name, place)
        JOIN fetchrun.jobs ON jobs.name = wanted.name
        CROSS JOIN LATERAL (
          SELECT started_at, outcome, ended FROM fetchrun.runs
          WHERE runs.job = jobs.id AND started_at >= $1 AND started_at < $2
          ORDER BY ended DESC LIMIT \(ReadBounds.marksPerJobMax)) AS marks
      ORDER BY wanted.place, marks.ended
      """
    return try await reader.read { [arguments] connection in
      var result: [JobMarks] = []
      try connection.run(PostgresStatement(statement), arguments).forEach { row in
        let name: JobName = row.name(0)
        if result.last?.job != name { result.append(JobMarks(job: name, marks: [])) }
        let outcome = row.text(2).flatMap(OutcomeKind.init) ?? .failed
        result[result.count - 1].marks.append(RunMark(startedAt: row.time(1), outcome: outcome))
      }
      return result
    }
  }

  package func runCounts(
    from start: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> RunCounts {
    let length = RunCounts.bucketSeconds * 1000
    var arguments = PostgresArguments()
    arguments.add(start)
    arguments.add(end)
    return try await reader.readAtOnce { [arguments] connection in
      var counts = RunCounts()
      counts.ended = try Self.numbers(connection).ended
      try connection.run(
        PostgresStatement(
          """
          SELECT started_at / \(length) AS bucket, outcome, count(*) FROM (
            SELECT started_at, outcome FROM fetchrun.runs
            WHERE started_at >= $1 AND started_at < $2
            ORDER BY ended DESC LIMIT \(ReadBounds.countedMax)) AS runs
          GROUP BY 1, 2 ORDER BY 1
          """), arguments
      ).forEach { row in
        counts.add(
          row.text(1).flatMap(OutcomeKind.init) ?? .failed,
          startedAt: Timestamp(milliseconds: row.integer(0) &* length),
          Int(clamping: row.integer(2))
        )
      }
      return counts
    }
  }
}

extension RunID {
  /// Returns the first and the last id that begin with a text; nil if the text is not the beginning
  /// of an id.
  static func range(prefix: String) -> (first: [UInt8], last: [UInt8])? {
    var digits: [UInt8] = []
    for (index, byte) in prefix.utf8.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        if byte != UInt8(ascii: "-") { return nil }
        continue
      }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      digits.append(UInt8(digit))
    }
    guard digits.count <= 32 else { return nil }
    func bytes(filledWith digit: UInt8) -> [UInt8] {
      let all = digits + Array(repeating: digit, count: 32 - digits.count)
      return (0..<16).map { all[2 * $0] << 4 | all[2 * $0 + 1] }
    }
    return (bytes(filledWith: 0), bytes(filledWith: 15))
  }
}

// MARK: Kept answers

extension PostgresWriter {
  func keep(
    _ kept: KeptAnswers, of record: RunRecord, _ connection: PostgresConnection,
    _ numbers: inout WriterNumbers
  ) throws {
    guard kept.countMax > 0, kept.content.count <= KeptAnswers.bytesMax else { return }
    numbers.kept += 1
    var arguments = PostgresArguments()
    arguments.add(numbers.kept)
    arguments.add(record.run.bytes)
    arguments.add(record.job)
    arguments.add(record.startedAt)
    arguments.add(kept.content.count)
    arguments.add(kept.content)
    arguments.add(kept.isAnswerless)
    try connection.run(
      PostgresStatement(
        """
        INSERT INTO fetchrun.kept_runs VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (run) DO UPDATE SET number = excluded.number, bytes = excluded.bytes,
          content = excluded.content, answerless = excluded.answerless
        """), arguments)
    var limits = PostgresArguments()
    limits.add(record.job)
    limits.add(kept.isAnswerless)
    limits.add(kept.isAnswerless ? 1 : kept.countMax)
    try connection.run(
      PostgresStatement(
        """
        DELETE FROM fetchrun.kept_runs WHERE job = $1 AND answerless = $2 AND number <= (
          SELECT number FROM fetchrun.kept_runs WHERE job = $1 AND answerless = $2
          ORDER BY number DESC LIMIT 1 OFFSET $3)
        """), limits)
    if kept.isAnswerless { try connection.run(Self.limitAnswerless) }
    try connection.run(Self.limitKept)
  }

  private static let limitAnswerless = PostgresStatement(
    """
    DELETE FROM fetchrun.kept_runs WHERE answerless AND number <= (
      SELECT number FROM fetchrun.kept_runs WHERE answerless
      ORDER BY number DESC LIMIT 1 OFFSET \(KeptAnswers.answerlessRunCountMax))
    """)

  private static let limitKept = PostgresStatement(
    """
    DELETE FROM fetchrun.kept_runs WHERE number <= (
      SELECT max(number) FROM (
        SELECT number, sum(bytes) OVER newest AS bytes, count(*) OVER newest AS count
        FROM fetchrun.kept_runs WINDOW newest AS (ORDER BY number DESC)) AS sums
      WHERE bytes > \(KeptAnswers.bytesMax) OR count > \(KeptAnswers.runCountMax))
    """)
}

extension PostgresReading {
  package func keptRuns() async throws(StoreError) -> [KeptRunRow] {
    try await reader.read { connection in
      try connection.run(
        PostgresStatement(
          "SELECT run, job, started_at, bytes FROM fetchrun.kept_runs ORDER BY number DESC")
      ).compactMap { row in
        RunID(bytes: row.bytes(0) ?? []).map {
          KeptRunRow(
            run: $0, job: row.name(1), startedAt: row.time(2), bytes: Int(clamping: row.integer(3)))
        }
      }
    }
  }

  package func keptAnswers(of run: RunID) async throws(StoreError) -> [UInt8]? {
    var arguments = PostgresArguments()
    arguments.add(run.bytes)
    return try await reader.read { [arguments] connection in
      try connection.run(
        PostgresStatement("SELECT content FROM fetchrun.kept_runs WHERE run = $1"), arguments
      ).first?.bytes(0)
    }
  }
}
